import { month as aMonth, type Month } from "@tributary/contracts/dates";
import { CycleTotalled } from "@tributary/contracts/events/billing";
import { cycleId } from "@tributary/contracts/ids";
import { schedule, to } from "@tributary/runtime/decision";
import { job, type Running } from "@tributary/runtime/job";
import { progress } from "@tributary/runtime/progress";
import { type Close, cycle } from "../cycle.ts";
import { everyPartition } from "../facts/days-begun.ts";
import { partnershipEnds } from "../facts/partnership-ends.ts";
import { type Pair, rowsOf } from "../facts/roster.ts";
import { paymentMethods } from "../payment-method.ts";
import { payoutDestination } from "../payout-destination.ts";
import { statement, statementKey } from "../statement.ts";
import { totalStatement } from "../total-statement.ts";
import { chargeMonth } from "./charge-month.ts";

/** Statements issued in one unit. */
const CHUNK = 100;

/** Pieces of a list, in order. */
export function* chunks<T>(of: readonly T[], size: number): Generator<readonly T[]> {
  for (let at = 0; at < of.length; at += size) yield of.slice(at, at + size);
}

const inAMinute = (now: string): { again: string } => ({
  again: new Date(Date.parse(now) + 60_000).toISOString(),
});

async function total(running: Running, month: Month, close: Close, pairs: readonly Pair[]): Promise<void> {
  const creators = [...new Set(pairs.map(({ creator_id }) => creator_id))];
  const brands = [...new Set(pairs.map(({ brand_id }) => brand_id))];
  const reads = {
    statements: pairs.map((pair) => statement.at(statementKey(month, pair.brand_id, pair.creator_id))),
    ends: pairs.map(({ brand_id, creator_id }) => partnershipEnds.at(`${brand_id}:${creator_id}`)),
    destinations: creators.map((creator_id) => payoutDestination.at(creator_id)),
    wallets: brands.map((brand_id) => paymentMethods.at(brand_id)),
  };
  await running.act(reads, ({ statements, ends, destinations, wallets }) =>
    pairs.flatMap((pair, at) =>
      totalStatement({
        ...{ month, close, pair, statement: statements[at]! },
        destination: destinations[creators.indexOf(pair.creator_id)]!,
        wallet: wallets[brands.indexOf(pair.brand_id)]!,
        partnership_ended_on: ends[at]?.ended_on ?? null,
      }),
    ),
  );
}

/**
 * Issues the statements of a closed month, some at a time, each from its own stream. Program must have told all it decided
 * before the day of the close, for a partnership that ended until then waives the minimum. Run again it finds them issued.
 */
export const totalMonth = job("total-month", {
  run: async (running) => {
    const month = aMonth.parse(running.key);
    const heads = await running.heads();
    const { self, days, listed, rows } = await running.read({
      self: cycle.at(month),
      days: everyPartition,
      listed: progress.at("roster", "billing"),
      rows: rowsOf(month),
    });
    if (self.status !== "closed") return undefined;
    if (!days.every((day) => day && day.date >= self.closed_on)) return inAMinute(running.now);
    const listing = heads.some((head, partition) => (listed.position[partition] ?? 0) < head);
    if (listing) return { again: running.now };

    const pairs = rows.flatMap((row) => row?.pairs ?? []);
    for (const some of chunks(pairs, CHUNK)) {
      await total(running, month, self, some);
      await running.alive();
    }
    await running.act({ self: cycle.at(month) }, ({ self }) => {
      if (self.status !== "closed") return [];
      const totalled = CycleTotalled({ cycle_id: cycleId(month), month, statements: pairs.length });
      return [to(cycle.at(month), totalled), schedule(chargeMonth, month, running.now)];
    });
    return undefined;
  },
});
