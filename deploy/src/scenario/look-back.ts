import type { Day } from "@tributary/contracts/dates";
import { BillingResult } from "@tributary/contracts/http/billing";
import { formatE4, sum } from "@tributary/contracts/money";
import { askedOf, ourBooks } from "../demo/books.ts";
import { apart, reconcile } from "../demo/reconciliation.ts";
import type { Partners } from "../driver/partners.ts";
import type { Person } from "../driver/person.ts";
import type { OnStage } from "./on-stage.ts";
import { type Result, type ReviewEntry, resultOf } from "./result.ts";

interface Reviewed {
  readonly items: readonly { readonly link_id: string; readonly date: Day; readonly delta_base: string }[];
  readonly next: string | null;
}

async function reviewOf(stage: OnStage): Promise<ReviewEntry[]> {
  const keys = new Map([...stage.links].map(([key, { id }]) => [id, key]));
  const entries: ReviewEntry[] = [];
  for (const { person } of stage.brands.values())
    for (let after: string | null = ""; after !== null; ) {
      const query: string = after === "" ? "" : `?${new URLSearchParams({ after })}`;
      const page: Reviewed = await person.get<Reviewed>(`/api/restatements/review${query}`);
      for (const { link_id, date, delta_base } of page.items)
        entries.push({ link: keys.get(link_id) ?? link_id, date, delta_base });
      after = page.next;
    }
  return entries;
}

/** How far our books and the partners' lie apart, charge by charge and payout by payout, signs ignored. */
async function differences(admin: Person, partners: Partners): Promise<string> {
  const [ours, stripe, paypal, asked] = await Promise.all([
    ourBooks(admin),
    partners.stripeLedger(),
    partners.paypalLedger(),
    askedOf(partners),
  ]);
  const { compared } = reconcile(ours, { owed: [], stripe, paypal, paypal_before: "0.00", asked });
  return formatE4(sum(compared.filter(({ of }) => of === "charge" || of === "payout").map(apart)));
}

/** Reads what has become of a scenario whose last day is over. */
export async function lookBack(
  stage: OnStage,
  start: Day,
  admin: Person,
  partners: Partners,
): Promise<Result> {
  const [billed, review, apart] = await Promise.all([
    admin.get("/api/billing/result"),
    reviewOf(stage),
    differences(admin, partners),
  ]);
  return resultOf(BillingResult.parse(billed), review, apart, stage, start);
}
