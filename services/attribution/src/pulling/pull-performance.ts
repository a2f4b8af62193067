import { addDays, type Day, dayAt, daysBetween } from "@tributary/contracts/dates";
import { ReportPulled } from "@tributary/contracts/events/attribution";
import type { Acting } from "@tributary/runtime/acting";
import { anyhow, type Scheduled, schedule } from "@tributary/runtime/decision";
import { amazon } from "../amazon/amazon.ts";
import type { Patience } from "../amazon/asking.ts";
import { link, type MadeLink } from "../link.ts";
import { metric } from "../metric.ts";
import { syncSettings } from "../settings.ts";
import { sync } from "../sync.ts";
import { advertisersOf, type ConnectedAccount, linksOf } from "./known-to-us.ts";
import { type OurRow, ourRows, revealedBy, reviseMetrics, unmask } from "./revise-metrics.ts";

/** Why and how far a report is read. */
export interface Pull {
  readonly account: ConnectedAccount;
  readonly run: "daily" | "hourly" | "asked" | "backfill";
  readonly from: Day;
  readonly through: Day;
  readonly patience: Patience;
}

export interface Pulled {
  readonly rows: number;
  readonly changed: number;
}

/** The job that reads the past of a link the retailer has begun to show; named here, for it calls this file. */
export const BACKFILL_LINK = { name: "backfill-link" };

/** Rows per unit: their metrics are read in one query and stand or fall together. */
const BATCH = 500;

/**
 * Reads the performance report of these days and records what differs from the last time. A page costs one query for its
 * links and one unit per 500 rows, whether anything changed or not.
 */
export async function pullPerformance(
  acting: Acting,
  { account, run, from, through, patience }: Pull,
): Promise<Pulled> {
  const { brand_id, profile_id } = account;
  const advertiser_ids = await advertisersOf(acting, account, patience);
  const pages = acting.use(amazon).performance({ account, advertiser_ids, from, through, patience });
  const shown = new Set<string>();
  const strangers = new Set<string | null>();
  let [rows, changed, unknown] = [0, 0, 0];

  for await (const { report_id, lines } of pages) {
    const links = await linksOf(acting, lines);
    const sorted = ourRows(brand_id, lines, links);
    for (const stranger of sorted.unknown) strangers.add(stranger);
    rows += lines.length;
    unknown += lines.filter(({ adgroup_id }) => sorted.unknown.has(adgroup_id)).length;
    const fetched = { report_id, fetched_at: acting.now, synced_on: dayAt(acting.now) };
    const revealed = revealedBy(sorted.ours, shown);
    for (const { link_id } of revealed) shown.add(link_id);

    for (let at = 0; at < sorted.ours.length; at += BATCH) {
      const batch = sorted.ours.slice(at, at + BATCH);
      changed += await record(acting, batch, shown, at === 0 ? revealed : [], from, fetched);
    }
  }
  if (unknown > 0)
    acting.log.info(
      { brand_id, unknown, adgroups: [...strangers].slice(0, 20) },
      "the report names ad groups that are no links of ours",
    );
  await acting.act({}, () => [
    anyhow(
      sync.at(brand_id),
      ReportPulled({
        brand_id,
        profile_id,
        report: "performance",
        run,
        from,
        through,
        rows,
        changed,
        unknown,
      }),
    ),
  ]);
  return { rows, changed };
}

/** One unit: the batch's revisions, and with the page's first batch the links it reveals and their past as work for later. */
async function record(
  acting: Acting,
  batch: readonly OurRow[],
  shown: ReadonlySet<string>,
  revealed: readonly MadeLink[],
  from: Day,
  fetched: Parameters<typeof reviseMetrics>[3],
): Promise<number> {
  let changed = 0;
  await acting.act(
    {
      last: batch.map(({ metric_id }) => metric.at(metric_id)),
      states: revealed.map(({ link_id }) => link.at(link_id)),
    },
    ({ last, states }, { now }) => {
      const revisions = reviseMetrics(batch, last, shown, fetched);
      changed = revisions.length;
      return [...revisions, ...unmask(revealed, states), ...pasts(acting, revealed, from, now)];
    },
  );
  return changed;
}

/** Days before the window may turn from nothing to something when a link is shown at last: they are read once, from its creation on. */
function pasts(acting: Acting, revealed: readonly MadeLink[], from: Day, now: string): Scheduled[] {
  const oldest = addDays(dayAt(now), -acting.use(syncSettings).PERFORMANCE_HISTORY_DAYS + 1);
  return revealed.flatMap(({ link_id, brand_id, created_at }) => {
    const created = dayAt(created_at);
    const since = created > oldest ? created : oldest;
    if (daysBetween(since, from) <= 0) return [];
    return [schedule(BACKFILL_LINK, link_id, now, { brand_id, from: since, through: addDays(from, -1) })];
  });
}
