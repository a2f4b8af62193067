import type { DataOf } from "@tributary/contracts/event";
import { PerfMetricIngested } from "@tributary/contracts/events/attribution";
import { EarningBooked, StatementIssued } from "@tributary/contracts/events/billing";
import { asCents, asE4, type E4, formatE4, percentOf, sum } from "@tributary/contracts/money";
import { type Accrual, accrualsOf, baseFor } from "./accruals.ts";
import { earningStream } from "./earnings-follow-metrics.ts";
import { streams } from "./events.ts";
import { type Findings, type Place, placeOf } from "./findings.ts";
import type { Ground } from "./ground.ts";
import { progressOf } from "./progress.ts";

interface Entry {
  readonly entry: number;
  readonly revision: number;
  readonly amount: E4;
  readonly place: Place;
}

/** All entries of all months, by earning; tells of what entered a month after its statement had been issued. */
async function entriesOf(ground: Ground, findings: Findings): Promise<Map<string, Entry[]>> {
  const entries = new Map<string, Entry[]>();
  for await (const events of streams(ground, [EarningBooked, StatementIssued])) {
    let issued = false;
    for (const event of events) {
      if (event.type === "StatementIssued") {
        issued = true;
        continue;
      }
      findings.count("entries");
      const { earning_id, entry, revision, amount } = event.data;
      const place = placeOf(event);
      if (issued) findings.found(place, "entered a month after its statement was issued", formatE4(amount));
      const known = entries.get(earning_id);
      const booked = { entry, revision, amount, place };
      if (known) known.push(booked);
      else entries.set(earning_id, [booked]);
    }
  }
  for (const booked of entries.values()) booked.sort((a, b) => a.entry - b.entry);
  return entries;
}

type Metrics = readonly { readonly data: DataOf<typeof PerfMetricIngested> }[];

/** The entry that is not the difference between the revisions it was booked for; the last one if each by itself is. */
function culprit(entries: readonly Entry[], earning: Accrual, revisions: Metrics): Entry {
  let before = 0n;
  for (const entry of entries) {
    const shown = revisions.find(({ data }) => data.revision === entry.revision);
    const base = shown ? baseFor(earning, shown.data) : asCents(0n);
    if (entry.amount !== percentOf(asCents(base - before), earning.accrued.commission_rate)) return entry;
    before = base;
  }
  return entries.at(-1)!;
}

/**
 * I3: what all months together have booked of an earning is the base of the metric's latest accepted revision at the recorded
 * percent; and nothing enters a month once its statement is issued.
 */
export async function restatementsAddUp(ground: Ground, findings: Findings): Promise<void> {
  const accrued = await progressOf(ground, "earnings", "accrue-earnings", "attribution");
  const booked = await progressOf(ground, "billing", "book-earning", "earnings");
  const entries = await entriesOf(ground, findings);
  const accruals = await accrualsOf(ground);
  for await (const revisions of streams(ground, [PerfMetricIngested])) {
    const latest = revisions.at(-1)!;
    const { metric_id } = latest.data;
    const commission = accruals.get(earningStream(metric_id, "commission"));
    for (const type of ["commission", "referral"] as const) {
      const earning = accruals.get(earningStream(metric_id, type));
      if (!earning) continue;
      const { earning_id, commission_rate } = earning.accrued;
      const own = entries.get(earning_id) ?? [];
      entries.delete(earning_id);
      if (!accrued.decided(latest) || !booked.decided(earning.last)) {
        findings.count("earnings not yet booked");
        continue;
      }
      findings.count("earnings");
      const reported = baseFor(earning, latest.data);
      const refused = commission?.refused === reported;
      const owed = percentOf(refused ? earning.base : reported, commission_rate);
      const total = sum(own.map(({ amount }) => amount));
      if (total === owed) continue;
      const place = own.length > 0 ? culprit(own, earning, revisions).place : earning.place;
      const what = `all months together booked ${formatE4(total)} of the ${type} ${earning_id}, the latest revision is worth ${formatE4(owed)}`;
      findings.found(place, what, formatE4(asE4(total - owed)));
    }
  }
  for (const [earning_id, own] of entries)
    for (const { place, amount } of own)
      findings.found(place, `booked of an earning ${earning_id} that nobody has accrued`, formatE4(amount));
}
