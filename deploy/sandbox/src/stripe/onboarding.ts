import type { Account, Requirements } from "./connect-objects.ts";
import { expectPayout } from "./payouts.ts";
import type { Unit } from "./unit.ts";

/** Where an account can stand on its way to being paid. */
export type Standing = "complete" | "created" | "restricted" | "submitted";

const FIRST_QUESTIONS = [
  "business_profile.url",
  "external_account",
  "individual.dob.day",
  "individual.dob.month",
  "individual.dob.year",
  "individual.first_name",
  "individual.last_name",
  "individual.ssn_last_4",
  "tos_acceptance.date",
  "tos_acceptance.ip",
];
const DOCUMENT = ["individual.verification.document"];

const STANDINGS: Record<
  Standing,
  { capability: "active" | "inactive" | "pending"; requirements: Partial<Requirements> }
> = {
  complete: { capability: "active", requirements: {} },
  created: {
    capability: "inactive",
    requirements: {
      currently_due: FIRST_QUESTIONS,
      eventually_due: FIRST_QUESTIONS,
      past_due: FIRST_QUESTIONS,
      disabled_reason: "requirements.past_due",
    },
  },
  restricted: {
    capability: "inactive",
    requirements: {
      currently_due: DOCUMENT,
      eventually_due: DOCUMENT,
      past_due: DOCUMENT,
      disabled_reason: "requirements.past_due",
    },
  },
  submitted: {
    capability: "pending",
    requirements: { pending_verification: DOCUMENT, disabled_reason: "requirements.pending_verification" },
  },
};

/** The account as it stands then: what is still asked of it, what it may do. */
export function movedTo(standing: Standing, account: Account): Account {
  const { capability, requirements } = STANDINGS[standing];
  const isComplete = standing === "complete";
  return {
    ...account,
    capabilities: Object.fromEntries(Object.keys(account.capabilities).map((name) => [name, capability])),
    charges_enabled: isComplete && "card_payments" in account.capabilities,
    details_submitted: standing !== "created",
    payouts_enabled: isComplete,
    requirements: {
      currently_due: [],
      current_deadline: null,
      disabled_reason: null,
      errors: [],
      eventually_due: [],
      past_due: [],
      pending_verification: [],
      ...requirements,
    },
  };
}

/** Moves the account and tells the platform; the same standing again changes nothing and tells nobody. */
export function move(unit: Unit, account: Account, standing: Standing): Account {
  const moved = movedTo(standing, account);
  if (JSON.stringify(moved) === JSON.stringify(account)) return account;
  const { capabilities, charges_enabled, details_submitted, payouts_enabled, requirements } = account;
  unit.emit("account.updated", unit.put(moved), {
    account: account.id,
    previous: { capabilities, charges_enabled, details_submitted, payouts_enabled, requirements },
  });
  if (moved.payouts_enabled) expectPayout(unit, account.id);
  return moved;
}
