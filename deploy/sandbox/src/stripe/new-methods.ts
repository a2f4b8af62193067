import { createHash } from "node:crypto";
import { invalid } from "./errors.ts";
import type { PaymentMethod } from "./objects.ts";
import { merged } from "./params.ts";
import {
  type BankBehaviour,
  type CardBehaviour,
  TEST_ROUTING_NUMBER,
  testBank,
  type testCard,
} from "./test-values.ts";
import type { Unit } from "./unit.ts";

/** The same for every method made of the same number, so that a platform can recognise a bank account. */
function fingerprintOf(number: string): string {
  return createHash("sha256")
    .update(`sandbox ${number}`)
    .digest("base64url")
    .replace(/[-_]/g, "x")
    .slice(0, 16);
}

interface Particulars {
  name?: string | undefined;
  email?: string | undefined;
  phone?: string | undefined;
  metadata?: Record<string, string> | undefined;
}

function bare(unit: Unit, { name, email, phone, metadata }: Particulars) {
  return {
    id: unit.id("pm_"),
    object: "payment_method" as const,
    billing_details: { address: null, email: email ?? null, name: name ?? null, phone: phone ?? null },
    created: unit.created,
    customer: null,
    livemode: false as const,
    metadata: merged({}, metadata),
  };
}

function remember(
  unit: Unit,
  method: PaymentMethod,
  behaviour: BankBehaviour | CardBehaviour,
): PaymentMethod {
  unit.put({ id: method.id, object: "test_behaviour", behaviour });
  return unit.put(method);
}

/** A new payment method of a test card. */
export function newCard(
  unit: Unit,
  card: NonNullable<ReturnType<typeof testCard>>,
  given: Particulars = {},
): PaymentMethod {
  const { number, brand, behaviour } = card;
  const shown = {
    brand,
    country: "US" as const,
    exp_month: 12,
    exp_year: unit.now.getUTCFullYear() + 3,
    fingerprint: fingerprintOf(number),
    funding: "credit" as const,
    last4: number.slice(-4),
  };
  return remember(unit, { ...bare(unit, given), type: "card", card: shown }, behaviour);
}

interface BankGiven {
  account_number: string;
  routing_number: string;
  account_holder_type: "company" | "individual";
  account_type?: "checking" | "savings" | undefined;
}

/** A new payment method of a test bank account; other routing and account numbers are refused. */
export function newBank(unit: Unit, bank: BankGiven, given: Particulars = {}): PaymentMethod {
  if (bank.routing_number !== TEST_ROUTING_NUMBER)
    throw invalid("The routing number is not correct.", {
      code: "routing_number_invalid",
      param: "us_bank_account[routing_number]",
    });
  const known = testBank({ account_number: bank.account_number });
  if (!known)
    throw invalid("You must use a test bank account number in test mode.", {
      code: "account_number_invalid",
      param: "us_bank_account[account_number]",
    });
  const shown = {
    account_holder_type: bank.account_holder_type,
    account_type: bank.account_type ?? ("checking" as const),
    bank_name: "STRIPE TEST BANK",
    financial_connections_account: null,
    fingerprint: fingerprintOf(bank.account_number),
    last4: bank.account_number.slice(-4),
    networks: { preferred: "ach" as const, supported: ["ach"] as ["ach"] },
    routing_number: bank.routing_number,
    status_details: null,
  };
  return remember(
    unit,
    { ...bare(unit, given), type: "us_bank_account", us_bank_account: shown },
    known.behaviour,
  );
}
