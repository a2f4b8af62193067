import { confirmPayment } from "./charging.ts";
import { customerNamed } from "./customers.ts";
import { invalid } from "./errors.ts";
import { canceled, intentNamed } from "./intents.ts";
import { page, within } from "./lists.ts";
import { mandateData } from "./mandates.ts";
import { methodTypes, typesOf } from "./method-types.ts";
import type { PaymentIntent } from "./objects.ts";
import { createdFilter, flag, hash, integer, merged, metadata, oneOf, paging, text } from "./params.ts";
import { methodFrom, methodNamed, paymentMethodData } from "./payment-methods.ts";
import { checkDescriptors, checkDestination, checkMethod, checkMoney } from "./payment-rules.ts";
import { route } from "./route.ts";
import type { Unit } from "./unit.ts";

const confirming = {
  mandate: text().optional(),
  mandate_data: mandateData.optional(),
  off_session: flag().optional(),
  payment_method: text().optional(),
  payment_method_data: paymentMethodData.optional(),
  receipt_email: text().optional(),
  return_url: text().optional(),
  setup_future_usage: oneOf("off_session", "on_session").optional(),
};

/** Everything a PaymentIntent can be created with in this sandbox. */
export const creation = hash({
  ...confirming,
  amount: integer(),
  application_fee_amount: integer({ min: 0 }).optional(),
  automatic_payment_methods: hash({
    enabled: flag(),
    allow_redirects: oneOf("always", "never").optional(),
  }).optional(),
  capture_method: oneOf("automatic", "automatic_async").optional(),
  confirm: flag().optional(),
  currency: text(),
  customer: text().optional(),
  description: text(1000).optional(),
  metadata: metadata().optional(),
  on_behalf_of: text().optional(),
  ...methodTypes,
  statement_descriptor: text().optional(),
  statement_descriptor_suffix: text().optional(),
  transfer_data: hash({ amount: integer({ min: 1 }).optional(), destination: text() }).optional(),
  transfer_group: text().optional(),
});

interface Named {
  payment_method?: string | undefined;
  payment_method_data?: ReturnType<typeof paymentMethodData.parse> | undefined;
}

function withMethod(
  unit: Unit,
  intent: PaymentIntent,
  { payment_method, payment_method_data }: Named,
): PaymentIntent {
  if (payment_method !== undefined && payment_method_data !== undefined)
    throw invalid("You may only specify one of these parameters: payment_method, payment_method_data.", {
      code: "parameters_exclusive",
      param: "payment_method",
    });
  if (payment_method === undefined && payment_method_data === undefined) return intent;
  const method = payment_method_data
    ? methodFrom(unit, payment_method_data)
    : methodNamed(unit, payment_method!);
  checkMethod(intent, method);
  return { ...intent, payment_method: method.id, status: "requires_confirmation" };
}

const create = route("POST /v1/payment_intents", creation, ({ unit, params }) => {
  const types = typesOf(params);
  checkMoney(unit, params);
  checkDescriptors({ ...params, ...types });
  checkDestination(unit, params);
  const { confirm, off_session = false, ...given } = params;
  if (given.customer !== undefined) customerNamed(unit, given.customer, "customer");
  const onlyConfirming = {
    off_session: params.off_session,
    mandate: given.mandate,
    mandate_data: given.mandate_data,
    return_url: given.return_url,
  };
  const [early] = Object.entries(onlyConfirming).find(([, value]) => value !== undefined) ?? [];
  if (!confirm && early)
    throw invalid(`You can only provide \`${early}\` together with confirm=true.`, { param: early });
  const id = unit.id("pi_");
  const bare: PaymentIntent = {
    id,
    object: "payment_intent",
    ...types,
    amount: given.amount,
    amount_capturable: 0,
    amount_received: 0,
    application_fee_amount: given.application_fee_amount ?? null,
    automatic_payment_methods: given.payment_method_types
      ? null
      : { enabled: true, allow_redirects: given.automatic_payment_methods?.allow_redirects ?? "always" },
    canceled_at: null,
    cancellation_reason: null,
    capture_method: given.capture_method ?? "automatic_async",
    client_secret: unit.id(`${id}_secret_`, 25),
    confirmation_method: "automatic",
    created: unit.created,
    currency: "usd",
    customer: given.customer ?? null,
    description: given.description ?? null,
    last_payment_error: null,
    latest_charge: null,
    livemode: false,
    metadata: merged({}, given.metadata),
    next_action: null,
    on_behalf_of: given.on_behalf_of ?? null,
    payment_method: null,
    receipt_email: given.receipt_email ?? null,
    setup_future_usage: given.setup_future_usage ?? null,
    statement_descriptor: given.statement_descriptor ?? null,
    statement_descriptor_suffix: given.statement_descriptor_suffix ?? null,
    status: "requires_payment_method",
    transfer_data: given.transfer_data ?? null,
    transfer_group: given.transfer_group ?? null,
  };
  const intent = unit.put(withMethod(unit, bare, given));
  return confirm ? confirmPayment(unit, intent, { ...given, off_session }) : intent;
});

const confirm = route(
  "POST /v1/payment_intents/:id/confirm",
  hash({ ...confirming, client_secret: text().optional() }),
  ({ unit, params, ...asked }) => {
    const found = intentNamed({ unit, ...asked }, "payment_intent", params);
    if (found.status === "succeeded" || found.status === "canceled" || found.status === "processing") {
      const why = {
        canceled: "it has been canceled",
        processing: "it is already processing",
        succeeded: "it has already succeeded after being previously confirmed",
      }[found.status];
      throw invalid(`You cannot confirm this PaymentIntent because ${why}.`, {
        code: "payment_intent_unexpected_state",
      });
    }
    const { receipt_email = found.receipt_email, setup_future_usage = found.setup_future_usage } = params;
    const intent = unit.put(withMethod(unit, { ...found, receipt_email, setup_future_usage }, params));
    if (intent.transfer_data) checkDestination(unit, { transfer_data: intent.transfer_data });
    return confirmPayment(unit, intent, { ...params, off_session: params.off_session ?? false });
  },
  { publishable: true },
);

const retrieve = route(
  "GET /v1/payment_intents/:id",
  hash({ client_secret: text().optional() }),
  ({ params, ...asked }) => intentNamed(asked, "payment_intent", params),
  { publishable: true },
);

const list = route(
  "GET /v1/payment_intents",
  hash({ ...paging, created: createdFilter().optional(), customer: text().optional() }),
  ({ unit, params: { created, customer, ...paging } }) => {
    if (customer) customerNamed(unit, customer, "customer");
    const found = unit
      .all("payment_intent")
      .filter((intent) => within(intent.created, created) && (!customer || intent.customer === customer));
    return page("/v1/payment_intents", found, paging);
  },
);

const cancel = route(
  "POST /v1/payment_intents/:id/cancel",
  hash({
    cancellation_reason: oneOf("abandoned", "duplicate", "fraudulent", "requested_by_customer").optional(),
  }),
  ({ params, ...asked }) => {
    const { unit } = asked;
    const over = canceled(intentNamed(asked, "payment_intent"), params.cancellation_reason);
    const intent = unit.put({ ...over, canceled_at: unit.created });
    unit.emit("payment_intent.canceled", intent);
    return intent;
  },
);

/** Payments: asked for, confirmed, looked up, called off. */
export const paymentIntents = [create, list, retrieve, confirm, cancel];
