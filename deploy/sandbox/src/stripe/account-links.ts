import { accountNamed } from "./accounts.ts";
import { invalid } from "./errors.ts";
import { hash, oneOf, text } from "./params.ts";
import { route } from "./route.ts";

const SECONDS_OF_LIFE = 300;

function checkUrl(url: string, param: string): string {
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol))
    throw invalid(`Not a valid URL (${param})`, { code: "url_invalid", param });
  return url;
}

const create = route(
  "POST /v1/account_links",
  hash({
    account: text(),
    collection_options: hash({ fields: oneOf("currently_due", "eventually_due").optional() }).optional(),
    refresh_url: text(),
    return_url: text(),
    type: oneOf("account_onboarding", "account_update"),
  }),
  ({ unit, params }) => {
    const { id: account, details_submitted } = accountNamed(unit, params.account);
    if (params.type === "account_update" && !details_submitted)
      throw invalid("You cannot create `account_update` type Account Links for this account.", {
        param: "type",
      });
    const link = unit.put({
      id: unit.id("", 32),
      object: "onboarding_link" as const,
      account,
      expires_at: unit.created + SECONDS_OF_LIFE,
      refresh_url: checkUrl(params.refresh_url, "refresh_url"),
      return_url: checkUrl(params.return_url, "return_url"),
      visited: false,
    });
    return {
      object: "account_link",
      created: unit.created,
      expires_at: link.expires_at,
      url: `${unit.publicOrigin()}/_sandbox/stripe/onboarding/${link.id}`,
    };
  },
);

/** Single-use addresses at which a creator gives Stripe its particulars. */
export const accountLinks = [create];
