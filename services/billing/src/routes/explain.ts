import type { ExplainNode } from "@tributary/contracts/http/explain";
import { asE4, type Cents, centsToE4, formatE4, NO_CENTS, NO_E4, sum } from "@tributary/contracts/money";
import type { Caller } from "@tributary/runtime/caller";
import { notFound } from "@tributary/runtime/refusal";
import { route } from "@tributary/runtime/route";
import { z } from "zod";
import { type ChargeDocument, charges } from "../read-models/charges.ts";
import { type EntryDocument, earningEntries } from "../read-models/earning-entries.ts";
import { everything } from "../read-models/everything.ts";
import { type PayoutDocument, payouts } from "../read-models/payouts.ts";
import { type StatementDocument, statements } from "../read-models/statements.ts";
import { netOf } from "../statement-line.ts";
import { waitingOf } from "../waiting.ts";

const input = z.object({ id: z.string() });
const dollars = (cents: Cents): string => formatE4(centsToE4(cents));

/** A creator sees what concerns them, a brand all of its own, an admin everything. */
const sees = (caller: Caller, of: { brand_id: string; creator_id: string }): boolean =>
  caller.role === "admin" || of.brand_id === caller.brand_id || of.creator_id === caller.creator_id;

const child = (kind: ExplainNode["kind"], id: string, value: string) => ({ kind, id, value, percent: 100 });

/** What a creator was paid is their share of what the brand was charged. */
export const explainedPayout = (of: PayoutDocument): ExplainNode => ({
  kind: "payout",
  id: of.payout_id,
  title: `Payout of ${dollars(of.amount_cents)} for ${of.month}`,
  amounts: { amount: dollars(of.amount_cents) },
  explains: "amount",
  formula: "the creator's share of the brand's charge",
  parts: [],
  children: [child("charge", of.charge_id, `share:${of.creator_id}`)],
  recorded: of.recorded,
  details: {
    ...{ rail: of.rail, status: of.status, month: of.month, brand_id: of.brand_id },
    waiting: waitingOf(of)?.cause ?? null,
  },
});

/** What the brand was charged is what its statements say, and the cost of processing and of payouts. */
export function explainedCharge(of: ChargeDocument, only: string | null): ExplainNode {
  const shares = of.breakdown.filter(({ creator_id }) => only === null || creator_id === only);
  const net = sum(of.breakdown.map(({ net_cents }) => net_cents));
  const payoutFees = sum(of.breakdown.map(({ payout_fee_cents }) => payout_fee_cents));
  const processing = asE4(centsToE4(of.amount_grossed_cents) - centsToE4(net) - centsToE4(payoutFees));
  const own = Object.fromEntries(
    shares.map(({ creator_id, net_cents }) => [`share:${creator_id}`, dollars(net_cents)]),
  );
  const whole = { gross: dollars(of.amount_grossed_cents), net: dollars(net) };
  return {
    kind: "charge",
    id: of.charge_id,
    title: `Charge of ${of.month} to the brand`,
    amounts: only === null ? { ...whole, ...own } : own,
    explains: only === null ? "gross" : `share:${only}`,
    formula: only === null ? "what the statements say + processing + payout fees" : "what the statement says",
    parts:
      only === null
        ? [
            { label: "processing", amount: formatE4(processing) },
            { label: "payout fees", amount: dollars(payoutFees) },
          ]
        : [],
    children: shares.map(({ statement_id }) => child("statement", statement_id, "charged")),
    recorded: of.recorded,
    details: {
      status: of.status,
      kind: of.kind,
      pm_type: of.pm_type,
      month: of.month,
      brand_id: of.brand_id,
    },
  };
}

/** What a statement charges is what was earned in its month, what came from the month before, and less what it passes on. */
export function explainedStatement(of: StatementDocument, entries: readonly EntryDocument[]): ExplainNode {
  const pays = of.charged > 0n;
  const passed = asE4(of.carried_out === 0n ? 0n : -of.carried_out);
  const rest = of.issued
    ? [{ label: pays ? "rounding" : "carried to the next month", amount: formatE4(passed) }]
    : [];
  return {
    kind: "statement",
    id: of.statement_id,
    title: `Statement of ${of.month}`,
    amounts: {
      charged: dollars(of.issued ? of.charged : NO_CENTS),
      net: formatE4(netOf(of)),
      carried_in: formatE4(of.carried_in),
      carried_out: formatE4(of.issued ? of.carried_out : NO_E4),
      rounding: formatE4(of.rounding),
    },
    explains: of.issued ? "charged" : "net",
    formula: of.issued
      ? "earned in the month + carried in - carried out"
      : "earned in the month + carried in, still open",
    parts: rest,
    children: [
      ...entries.map(({ entry_id }) => child("earning", entry_id, "delta")),
      ...(of.carried_from && of.carried_in !== 0n
        ? [child("statement", of.carried_from, "carried_out")]
        : []),
    ],
    recorded: of.recorded,
    details: {
      ...{ month: of.month, brand_id: of.brand_id, creator_id: of.creator_id },
      ...{ issued: of.issued, rail: of.rail, carried_reason: of.carried_reason },
    },
  };
}

export const explainPayout = route("GET /api/explain/payout/:id", {
  access: { as: "user" },
  input,
  handle: async ({ id }, asking) => {
    const of = await asking.documents(payouts).get(id);
    if (!of || !sees(asking.caller!, of)) throw notFound("Payout");
    return explainedPayout(of);
  },
});

export const explainCharge = route("GET /api/explain/charge/:id", {
  access: { as: "user" },
  input,
  handle: async ({ id }, asking) => {
    const of = await asking.documents(charges).get(id);
    const { role, brand_id, creator_id } = asking.caller!;
    if (of && (role === "admin" || of.brand_id === brand_id)) return explainedCharge(of, null);
    if (!of?.breakdown.some((share) => share.creator_id === creator_id)) throw notFound("Charge");
    return explainedCharge(of, creator_id);
  },
});

export const explainStatement = route("GET /api/explain/statement/:id", {
  access: { as: "user" },
  input,
  handle: async ({ id }, asking) => {
    const of = await asking.documents(statements).get(id);
    if (!of || !sees(asking.caller!, of)) throw notFound("Statement");
    const entries = await everything(asking.documents(earningEntries).where({ statement_id: id }));
    return explainedStatement(of, entries);
  },
});
