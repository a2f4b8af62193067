import { noAccess } from "./access.ts";
import type { Account } from "./connect-objects.ts";
import { invalid } from "./errors.ts";
import { page, within } from "./lists.ts";
import { movedTo } from "./onboarding.ts";
import { createdFilter, flag, hash, merged, metadata, oneOf, paging, text } from "./params.ts";
import { route } from "./route.ts";
import type { Unit } from "./unit.ts";

/** The connected account an id names; Stripe answers 403 for one it does not know. */
export function accountNamed(unit: Unit, id: string): Account {
  const account = unit.find("account", id);
  if (!account) throw noAccess(id);
  return account;
}

const capability = hash({ requested: flag() }).optional();

const fields = {
  business_profile: hash({
    mcc: text().optional(),
    name: text().optional(),
    product_description: text().optional(),
    url: text().optional(),
  }).optional(),
  business_type: oneOf("company", "government_entity", "individual", "non_profit").optional(),
  capabilities: hash({ card_payments: capability, transfers: capability }).optional(),
  email: text(512).optional(),
  metadata: metadata().optional(),
};

const create = route(
  "POST /v1/accounts",
  hash({ ...fields, country: text(2).optional(), type: oneOf("express") }),
  ({ unit, params }) => {
    const { country = "US", capabilities = {}, business_profile } = params;
    if (country !== "US")
      throw invalid(`Country '${country}' is not supported by this sandbox: only US.`, { param: "country" });
    const requested = Object.entries(capabilities).filter(([, wish]) => wish?.requested);
    if (
      requested.some(([name]) => name === "card_payments") &&
      !requested.some(([name]) => name === "transfers")
    )
      throw invalid("The card_payments capability can only be requested together with transfers.", {
        param: "capabilities",
      });
    const account: Account = {
      id: unit.id("acct_", 16),
      object: "account",
      business_profile: { mcc: null, name: null, product_description: null, url: null, ...business_profile },
      business_type: params.business_type ?? null,
      capabilities: Object.fromEntries(requested.map(([name]) => [name, "inactive" as const])),
      charges_enabled: false,
      country,
      created: unit.created,
      default_currency: "usd",
      details_submitted: false,
      email: params.email ?? null,
      metadata: merged({}, params.metadata),
      payouts_enabled: false,
      requirements: {
        currently_due: [],
        current_deadline: null,
        disabled_reason: null,
        errors: [],
        eventually_due: [],
        past_due: [],
        pending_verification: [],
      },
      settings: { payouts: { schedule: { delay_days: 2, interval: "daily" }, statement_descriptor: null } },
      type: "express",
    };
    return unit.put(movedTo("created", account));
  },
);

const retrieve = route("GET /v1/accounts/:id", hash({}), ({ unit, path }) => accountNamed(unit, path.id!));

const update = route(
  "POST /v1/accounts/:id",
  hash({ metadata: fields.metadata }),
  ({ unit, path, params }) => {
    const account = accountNamed(unit, path.id!);
    return unit.put({ ...account, metadata: merged(account.metadata, params.metadata) });
  },
);

const list = route(
  "GET /v1/accounts",
  hash({ ...paging, created: createdFilter().optional() }),
  ({ unit, params: { created, ...paging } }) =>
    page(
      "/v1/accounts",
      unit.all("account").filter((account) => within(account.created, created)),
      paging,
    ),
);

const login = route("POST /v1/accounts/:id/login_links", hash({}), ({ unit, path }) => {
  const account = accountNamed(unit, path.id!);
  if (!account.details_submitted)
    throw invalid("Cannot create a login link for an account that has not completed onboarding.");
  return {
    object: "login_link",
    created: unit.created,
    url: `${unit.origin()}/_sandbox/stripe/express/${account.id}`,
  };
});

/** The creators' own accounts, of the express kind. */
export const accounts = [create, list, retrieve, update, login];
