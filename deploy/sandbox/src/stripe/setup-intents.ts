import { customerNamed } from "./customers.ts";
import { invalid } from "./errors.ts";
import { canceled, intentNamed } from "./intents.ts";
import { page, within } from "./lists.ts";
import { mandateData } from "./mandates.ts";
import { methodTypes, typesOf } from "./method-types.ts";
import { verifyDeposits } from "./microdeposits.ts";
import type { SetupIntent } from "./objects.ts";
import {
  createdFilter,
  flag,
  hash,
  integer,
  list as listOf,
  merged,
  metadata,
  oneOf,
  paging,
  text,
} from "./params.ts";
import { methodFrom, methodNamed, paymentMethodData } from "./payment-methods.ts";
import { route } from "./route.ts";
import { confirmSetup } from "./setting-up.ts";
import type { Unit } from "./unit.ts";

const options = hash({
  us_bank_account: hash({
    verification_method: oneOf("automatic", "instant", "microdeposits").optional(),
  }).optional(),
  card: hash({ request_three_d_secure: oneOf("any", "automatic", "challenge").optional() }).optional(),
});

const confirming = {
  mandate_data: mandateData.optional(),
  payment_method: text().optional(),
  payment_method_data: paymentMethodData.optional(),
  payment_method_options: options.optional(),
  return_url: text().optional(),
};

interface Named {
  payment_method?: string | undefined;
  payment_method_data?: ReturnType<typeof paymentMethodData.parse> | undefined;
}

/** The intent with the payment method that a request names or describes, which must be of a type it takes. */
function withMethod(
  unit: Unit,
  intent: SetupIntent,
  { payment_method, payment_method_data }: Named,
): SetupIntent {
  if (payment_method !== undefined && payment_method_data !== undefined)
    throw invalid("You may only specify one of these parameters: payment_method, payment_method_data.", {
      code: "parameters_exclusive",
      param: "payment_method",
    });
  if (payment_method === undefined && payment_method_data === undefined) return intent;
  const method = payment_method_data
    ? methodFrom(unit, payment_method_data)
    : methodNamed(unit, payment_method!);
  if (!intent.payment_method_types.includes(method.type))
    throw invalid(
      `The PaymentMethod provided (${method.type}) is not allowed for this SetupIntent. Please attach a PaymentMethod of one of the following types: ${intent.payment_method_types.join(", ")}.`,
      { param: "payment_method" },
    );
  if (method.customer !== null && method.customer !== intent.customer)
    throw invalid("The PaymentMethod supplied belongs to a different Customer.", { param: "payment_method" });
  return { ...intent, payment_method: method.id, status: "requires_confirmation" };
}

const create = route(
  "POST /v1/setup_intents",
  hash({
    ...confirming,
    confirm: flag().optional(),
    customer: text().optional(),
    description: text().optional(),
    metadata: metadata().optional(),
    ...methodTypes,
    automatic_payment_methods: hash({
      enabled: flag(),
      allow_redirects: oneOf("always", "never").optional(),
    }).optional(),
    usage: oneOf("off_session", "on_session").optional(),
  }),
  ({ unit, params }) => {
    const { confirm, customer, metadata, payment_method_options, ...given } = params;
    if (customer !== undefined) customerNamed(unit, customer, "customer");
    const id = unit.id("seti_");
    const bare: SetupIntent = {
      id,
      object: "setup_intent",
      cancellation_reason: null,
      client_secret: unit.id(`${id}_secret_`, 25),
      created: unit.created,
      customer: customer ?? null,
      description: given.description ?? null,
      last_setup_error: null,
      latest_attempt: null,
      livemode: false,
      mandate: null,
      metadata: merged({}, metadata),
      next_action: null,
      on_behalf_of: null,
      payment_method: null,
      payment_method_options: payment_method_options ?? null,
      ...typesOf(params),
      single_use_mandate: null,
      status: "requires_payment_method",
      usage: given.usage ?? "off_session",
    };
    const intent = unit.put(withMethod(unit, bare, given));
    if (confirm) return confirmSetup(unit, intent, given);
    if (given.mandate_data || given.return_url)
      throw invalid("mandate_data and return_url can only be given together with confirm=true.", {
        param: "confirm",
      });
    return intent;
  },
);

const confirm = route(
  "POST /v1/setup_intents/:id/confirm",
  hash({ ...confirming, client_secret: text().optional() }),
  ({ unit, params, ...asked }) => {
    const found = intentNamed({ unit, ...asked }, "setup_intent", params);
    if (found.status === "succeeded" || found.status === "canceled")
      throw invalid(
        `You cannot confirm this SetupIntent because it has ${found.status === "succeeded" ? "already succeeded" : "been canceled"}.`,
        { code: "setup_intent_unexpected_state" },
      );
    const payment_method_options = params.payment_method_options ?? found.payment_method_options;
    const intent = unit.put(withMethod(unit, { ...found, payment_method_options }, params));
    return confirmSetup(unit, intent, params);
  },
  { publishable: true },
);

const retrieve = route(
  "GET /v1/setup_intents/:id",
  hash({ client_secret: text().optional() }),
  ({ params, ...asked }) => intentNamed(asked, "setup_intent", params),
  { publishable: true },
);

const list = route(
  "GET /v1/setup_intents",
  hash({
    ...paging,
    created: createdFilter().optional(),
    customer: text().optional(),
    payment_method: text().optional(),
  }),
  ({ unit, params: { created, customer, payment_method, ...paging } }) => {
    if (customer) customerNamed(unit, customer, "customer");
    const found = unit
      .all("setup_intent")
      .filter((intent) => within(intent.created, created))
      .filter((intent) => !customer || intent.customer === customer)
      .filter((intent) => !payment_method || intent.payment_method === payment_method);
    return page("/v1/setup_intents", found, paging);
  },
);

const cancel = route(
  "POST /v1/setup_intents/:id/cancel",
  hash({ cancellation_reason: oneOf("abandoned", "duplicate", "requested_by_customer").optional() }),
  ({ params, ...asked }) => {
    const intent = asked.unit.put(canceled(intentNamed(asked, "setup_intent"), params.cancellation_reason));
    asked.unit.drop("due", intent.id);
    asked.unit.emit("setup_intent.canceled", intent);
    return intent;
  },
);

const verify = route(
  "POST /v1/setup_intents/:id/verify_microdeposits",
  hash({
    amounts: listOf(integer()).optional(),
    client_secret: text().optional(),
    descriptor_code: text().optional(),
  }),
  ({ params, ...asked }) => {
    const { amounts, descriptor_code } = params;
    if ((amounts === undefined) === (descriptor_code === undefined))
      throw invalid("You must provide exactly one of amounts or descriptor_code.", {
        code: "parameters_exclusive",
        param: "amounts",
      });
    if (amounts !== undefined && amounts.length !== 2)
      throw invalid("Exactly two microdeposit amounts are required.", {
        code: "payment_method_microdeposit_verification_amounts_invalid",
        param: "amounts",
      });
    const intent = intentNamed(asked, "setup_intent", params);
    const seen = amounts ? { amounts: amounts as [number, number] } : { descriptor_code: descriptor_code! };
    return verifyDeposits(asked.unit, intent, seen);
  },
  { publishable: true },
);

/** Setting up a payment method for later, off-session payments. */
export const setupIntents = [create, list, retrieve, confirm, cancel, verify];
