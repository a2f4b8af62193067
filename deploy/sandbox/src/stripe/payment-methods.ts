import { customerNamed } from "./customers.ts";
import { declinedCard, declineOf } from "./declines.ts";
import { invalid, missing } from "./errors.ts";
import { page } from "./lists.ts";
import { newBank, newCard } from "./new-methods.ts";
import type { PaymentMethod } from "./objects.ts";
import { hash, integer, metadata, oneOf, paging, text } from "./params.ts";
import { route } from "./route.ts";
import {
  type BankBehaviour,
  type CardBehaviour,
  TEST_ROUTING_NUMBER,
  testBank,
  testCard,
} from "./test-values.ts";
import type { Unit } from "./unit.ts";

const details = {
  type: oneOf("card", "us_bank_account"),
  billing_details: hash({
    email: text().optional(),
    name: text().optional(),
    phone: text().optional(),
  }).optional(),
  metadata: metadata().optional(),
  us_bank_account: hash({
    account_holder_type: oneOf("company", "individual"),
    account_number: text(17),
    account_type: oneOf("checking", "savings").optional(),
    routing_number: text(9),
  }).optional(),
};

/** What a confirm may carry instead of a payment method's id: the particulars of a new one. */
export const paymentMethodData = hash(details);

/** Makes a payment method of what a confirm carries; a card's number never travels this way. */
export function methodFrom(unit: Unit, data: ReturnType<typeof paymentMethodData.parse>): PaymentMethod {
  const { us_bank_account, billing_details, metadata } = data;
  if (data.type === "card")
    throw invalid("Cards are named by a test payment method such as pm_card_visa.", {
      param: "payment_method_data[type]",
    });
  if (!us_bank_account)
    throw invalid("Missing required param: payment_method_data[us_bank_account].", {
      code: "parameter_missing",
      param: "payment_method_data[us_bank_account]",
    });
  return newBank(unit, us_bank_account, { ...billing_details, metadata });
}

/** The payment method an id names; a test name such as pm_card_visa makes a fresh one of its kind. */
export function methodNamed(
  unit: Unit,
  id: string,
  param = "payment_method",
  status: 400 | 404 = 400,
): PaymentMethod {
  const found = unit.find("payment_method", id);
  if (found) return found;
  const card = testCard({ token: id });
  if (card) return newCard(unit, card);
  const bank = testBank({ token: id });
  if (bank)
    return newBank(unit, { ...bank, routing_number: TEST_ROUTING_NUMBER, account_holder_type: "individual" });
  throw missing("PaymentMethod", id, param, status);
}

/** How the test payment method behaves. */
export function behaviourOf(unit: Unit, method: PaymentMethod): BankBehaviour | CardBehaviour {
  return unit.get("test_behaviour", method.id).behaviour;
}

/** Makes the method the customer's, and says so. */
export function attachTo(unit: Unit, method: PaymentMethod, customer: string): PaymentMethod {
  if (method.customer === customer) return method;
  if (method.customer !== null)
    throw invalid("The payment method you provided has already been attached to a customer.", {
      param: "payment_method",
    });
  const attached = unit.put({ ...method, customer });
  unit.emit("payment_method.attached", attached);
  return attached;
}

const create = route(
  "POST /v1/payment_methods",
  hash({
    ...details,
    card: hash({
      number: text(19),
      exp_month: integer({ min: 1, max: 12 }),
      exp_year: integer({ min: 2000, max: 2100 }),
      cvc: text(4).optional(),
    }).optional(),
  }),
  ({ unit, params: { type, card, us_bank_account, billing_details, metadata } }) => {
    const given = { ...billing_details, metadata };
    if (type === "us_bank_account") {
      if (us_bank_account) return newBank(unit, us_bank_account, given);
    } else if (card) {
      const known = testCard({ number: card.number });
      if (known) return newCard(unit, known, given);
      throw invalid("Your card number is incorrect. Use a test card number.", {
        code: "incorrect_number",
        param: "card[number]",
      });
    }
    throw invalid(`Missing required param: ${type}.`, { code: "parameter_missing", param: type });
  },
  { publishable: true },
);

const retrieve = route("GET /v1/payment_methods/:id", hash({}), ({ unit, path }) => {
  const found = unit.find("payment_method", path.id!);
  if (!found) throw missing("PaymentMethod", path.id!, "payment_method", 404);
  return found;
});

const list = route(
  "GET /v1/payment_methods",
  hash({ ...paging, customer: text(), type: oneOf("card", "us_bank_account").optional() }),
  ({ unit, params: { customer, type, ...paging } }) => {
    customerNamed(unit, customer, "customer");
    const found = unit
      .all("payment_method")
      .filter((pm) => pm.customer === customer && (!type || pm.type === type));
    return page("/v1/payment_methods", found, paging);
  },
);

const attach = route(
  "POST /v1/payment_methods/:id/attach",
  hash({ customer: text() }),
  ({ unit, path, params }) => {
    const { id } = customerNamed(unit, params.customer, "customer");
    const method = methodNamed(unit, path.id!, "payment_method", 404);
    if (method.type === "us_bank_account" && !verified(unit, method))
      throw invalid("US bank accounts must be set up with a SetupIntent before they are attached.", {
        param: "payment_method",
      });
    const declined = declineOf(behaviourOf(unit, method), "saved");
    if (declined) throw declinedCard(declined, {});
    return attachTo(unit, method, id);
  },
);

function verified(unit: Unit, { id }: PaymentMethod): boolean {
  return unit
    .all("setup_intent")
    .some((setup) => setup.payment_method === id && setup.status === "succeeded");
}

const detach = route("POST /v1/payment_methods/:id/detach", hash({}), ({ unit, path }) => {
  const method = unit.find("payment_method", path.id!);
  if (!method) throw missing("PaymentMethod", path.id!, "payment_method", 404);
  if (method.customer === null)
    throw invalid(
      "The payment method you provided is not attached to a customer so detachment is impossible.",
    );
  const customer = unit.get("customer", method.customer);
  if (customer.invoice_settings.default_payment_method === method.id)
    unit.put({ ...customer, invoice_settings: { default_payment_method: null } });
  const detached = unit.put({ ...method, customer: null });
  unit.emit("payment_method.detached", detached, { previous: { customer: customer.id } });
  return detached;
});

/** Cards and bank accounts: made, attached to a customer, listed, detached. */
export const paymentMethods = [create, list, retrieve, attach, detach];
