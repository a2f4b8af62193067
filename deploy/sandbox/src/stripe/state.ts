import { type Movement, post } from "./ledger.ts";
import type { Kinds as Shown } from "./objects.ts";
import type { BankBehaviour, CardBehaviour } from "./test-values.ts";

/** How a test payment method behaves; kept apart from the object so that no answer can betray it. */
export interface Behaviour {
  id: string;
  object: "test_behaviour";
  behaviour: BankBehaviour | CardBehaviour;
}

/** A scenario's wish for all payments of one customer (`id` is the customer's); `attempted` are the charges already declined once. */
export interface Script {
  id: string;
  object: "customer_script";
  kind: "ach_fails" | "card_declined_once";
  attempted: string[];
}

/** The most that one payment may be, in cents, where a test or a scenario lets it be another than Stripe's own. There is one. */
export interface Ceiling {
  id: "ceiling";
  object: "ceiling";
  most_cents: number;
}

/** A single-use address of the onboarding page. */
export interface OnboardingLink {
  id: string;
  object: "onboarding_link";
  account: string;
  refresh_url: string;
  return_url: string;
  expires_at: number;
  visited: boolean;
}

/** Something Stripe will do by itself at `at`: the bank answers, deposits go unverified, a connected account is paid out. */
export interface Due {
  id: string;
  object: "due";
  at: string;
  what:
    | { kind: "ach"; payment_intent: string; failure: AchFailure | null }
    | { kind: "dispute"; charge: string }
    | { kind: "microdeposits_unverified"; setup_intent: string }
    | { kind: "payout"; account: string };
}

/** Why a bank sends a debit back. */
export type AchFailure = "account_closed" | "debit_not_authorized" | "insufficient_funds" | "no_account";

/** How often the deposits of a SetupIntent (`id`) were guessed wrongly, by amounts and by code. */
export interface Guesses {
  id: string;
  object: "microdeposit_guesses";
  amounts: number;
  codes: number;
}

/** An answer kept for an idempotency key (`id`), for 24 hours of virtual time. */
export interface KeptAnswer {
  id: string;
  object: "kept_answer";
  at: string;
  path: string;
  fingerprint: string;
  request_id: string;
  status: number;
  body: string;
}

/** Whose payout (`id`) it is; payouts themselves do not say. */
export interface PayoutOwner {
  id: string;
  object: "payout_owner";
  account: string;
}

interface Hidden {
  payout_owner: PayoutOwner;
  test_behaviour: Behaviour;
  customer_script: Script;
  ceiling: Ceiling;
  onboarding_link: OnboardingLink;
  due: Due;
  microdeposit_guesses: Guesses;
  kept_answer: KeptAnswer;
}

/** Everything the sandbox keeps of Stripe: what it shows, and what it hides. */
export type Kinds = Shown & Hidden;
/** The name of a kind. */
export type Kind = keyof Kinds;
/** Any one thing kept. */
export type Stored = Kinds[Kind];

/** The memory of the played Stripe. */
export interface State {
  objects: { [K in Kind]: Map<string, Kinds[K]> };
  /** Whole cents as decimal text, by book. */
  balances: Record<string, string>;
}

/** Everything one request, or one due moment, changes at once. */
export interface Change {
  at: string;
  put: Stored[];
  drop: { kind: Kind; id: string }[];
  movements: Movement[];
}

const HOURS_24 = 86_400_000;
const DAYS_30 = 30 * HOURS_24;

/** Nobody has signed up yet. */
export function initial(): State {
  const kinds: Record<Kind, true> = {
    account: true,
    application_fee: true,
    balance_transaction: true,
    ceiling: true,
    charge: true,
    customer: true,
    customer_script: true,
    dispute: true,
    due: true,
    event: true,
    kept_answer: true,
    mandate: true,
    microdeposit_guesses: true,
    onboarding_link: true,
    payment_intent: true,
    payment_method: true,
    payout: true,
    payout_owner: true,
    refund: true,
    setup_intent: true,
    test_behaviour: true,
    transfer: true,
    transfer_reversal: true,
    webhook_endpoint: true,
  };
  const objects = Object.fromEntries(Object.keys(kinds).map((kind) => [kind, new Map()]));
  return { objects: objects as unknown as State["objects"], balances: {} };
}

/** True while an answer kept at `at` still stands. */
export function isKept(at: string, now: Date): boolean {
  return now.getTime() - Date.parse(at) < HOURS_24;
}

/** True while an event created at `created` (seconds) can still be fetched: 30 days. */
export function isRetrievable(created: number, now: Date): boolean {
  return now.getTime() - created * 1000 < DAYS_30;
}

function forgetOld({ objects }: State, now: Date): void {
  for (const [key, { at }] of objects.kept_answer) {
    if (isKept(at, now)) break;
    objects.kept_answer.delete(key);
  }
  for (const [id, { created }] of objects.event) {
    if (isRetrievable(created, now)) break;
    objects.event.delete(id);
  }
}

/** Applies a change: objects replace their former selves, money moves, what is too old is forgotten. */
export function apply(state: State, { at, put, drop, movements }: Change): void {
  forgetOld(state, new Date(at));
  for (const object of put) (state.objects[object.object] as Map<string, Stored>).set(object.id, object);
  for (const { kind, id } of drop) state.objects[kind].delete(id);
  for (const movement of movements) post(state.balances, movement);
}
