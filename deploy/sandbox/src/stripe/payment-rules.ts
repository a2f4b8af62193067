import { invalid } from "./errors.ts";
import type { PaymentIntent, PaymentMethod } from "./objects.ts";
import type { Unit } from "./unit.ts";

const LEAST_CENTS = 50;
const MOST_CENTS = 99_999_999;
const DESCRIPTOR_CHARS = 22;

interface Money {
  amount: number;
  currency: string;
  application_fee_amount?: number | undefined;
  transfer_data?: { destination: string; amount?: number | undefined } | undefined;
}

/** The amount, the currency, and what of it goes where. */
export function checkMoney(
  unit: Unit,
  { amount, currency, application_fee_amount, transfer_data }: Money,
): void {
  if (currency.toLowerCase() !== "usd")
    throw invalid(`Invalid currency: ${currency}. This sandbox knows only: usd`, { param: "currency" });
  if (amount < 1)
    throw invalid("This value must be greater than or equal to 1.", {
      code: "parameter_invalid_integer",
      param: "amount",
    });
  if (amount < LEAST_CENTS)
    throw invalid("Amount must be at least $0.50 usd", { code: "amount_too_small", param: "amount" });
  if (amount > (unit.find("ceiling", "ceiling")?.most_cents ?? MOST_CENTS))
    throw invalid("Amount must be no more than $999,999.99", { code: "amount_too_large", param: "amount" });
  if (application_fee_amount !== undefined) {
    const param = "application_fee_amount";
    if (!transfer_data)
      throw invalid(
        "Can only apply an application_fee_amount when the PaymentIntent is attempting a direct payment (using an OAuth key or Stripe-Account header) or destination payment (using `transfer_data[destination]`).",
        { param },
      );
    if (transfer_data.amount !== undefined)
      throw invalid(
        "You may only specify one of these parameters: application_fee_amount, transfer_data[amount].",
        {
          code: "parameters_exclusive",
          param,
        },
      );
    if (application_fee_amount > amount)
      throw invalid(
        "The application fee amount must be less than or equal to the amount of the PaymentIntent.",
        { param },
      );
  }
  if (transfer_data?.amount !== undefined && transfer_data.amount > amount)
    throw invalid("The transfer amount must be less than or equal to the amount of the PaymentIntent.", {
      param: "transfer_data[amount]",
    });
}

interface Described {
  payment_method_types: string[];
  statement_descriptor?: string | undefined;
  statement_descriptor_suffix?: string | undefined;
}

/** What the customer reads on the statement: a whole descriptor for banks, only a suffix for cards. */
export function checkDescriptors(given: Described): void {
  const takesCards = given.payment_method_types.includes("card");
  if (given.statement_descriptor !== undefined && takesCards)
    throw invalid(
      "The `statement_descriptor` parameter is not supported for the payment_method_type `card`. Use `statement_descriptor_suffix` instead.",
      { code: "payment_intent_invalid_parameter", param: "statement_descriptor" },
    );
  for (const param of ["statement_descriptor", "statement_descriptor_suffix"] as const) {
    const text = given[param];
    if (text === undefined) continue;
    if (text.length > DESCRIPTOR_CHARS)
      throw invalid(`The statement descriptor must be at most ${DESCRIPTOR_CHARS} characters.`, { param });
    if (/[<>\\'"*]/.test(text))
      throw invalid(`The statement descriptor must not contain any of the characters < > \\ ' " *`, {
        param,
      });
  }
}

interface Directed {
  on_behalf_of?: string | undefined;
  transfer_data?: { destination: string } | undefined;
}

/** The creator's account must exist and be able to receive; acting on its behalf needs card payments as well. */
export function checkDestination(unit: Unit, { on_behalf_of, transfer_data }: Directed): void {
  if (transfer_data) {
    const { destination } = transfer_data;
    const param = "transfer_data[destination]";
    const account = unit.find("account", destination);
    if (!account) throw invalid(`No such destination: '${destination}'`, { code: "resource_missing", param });
    if (account.capabilities.transfers !== "active")
      throw invalid(
        "Your destination account needs to have at least one of the following capabilities enabled: transfers, crypto_transfers, legacy_payments",
        { code: "insufficient_capabilities_for_transfer", param },
      );
  }
  if (
    on_behalf_of !== undefined &&
    unit.find("account", on_behalf_of)?.capabilities.card_payments !== "active"
  )
    throw invalid(
      `The on_behalf_of account '${on_behalf_of}' must have the card_payments capability enabled.`,
      { param: "on_behalf_of" },
    );
}

/** The method must be of a type the payment takes, and of no other customer. */
export function checkMethod({ payment_method_types, customer }: PaymentIntent, method: PaymentMethod): void {
  const param = "payment_method";
  if (!payment_method_types.includes(method.type))
    throw invalid(
      `The PaymentMethod provided (${method.type}) is not allowed for this PaymentIntent. Please attach a PaymentMethod of one of the following types: ${payment_method_types.join(", ")}.`,
      { param },
    );
  if (method.customer === null || method.customer === customer) return;
  throw invalid(
    customer === null
      ? "The provided PaymentMethod belongs to a Customer. Please include the Customer in the `customer` parameter on the PaymentIntent."
      : "The PaymentMethod supplied does not belong to the Customer you supplied on the PaymentIntent.",
    { param },
  );
}
