import type { Day } from "@tributary/contracts/dates";
import { LinkUnmasked, PerfMetricIngested } from "@tributary/contracts/events/attribution";
import { metricId } from "@tributary/contracts/ids";
import { type Outcome, to } from "@tributary/runtime/decision";
import {
  addFigures,
  type Figures,
  figuresHash,
  isEmpty,
  type PerformanceLine,
} from "../amazon/report-lines.ts";
import { type LinkState, link, type MadeLink } from "../link.ts";
import { metric, type Revision } from "../metric.ts";

/** A row of the report that belongs to a link of the brand. */
export interface OurRow {
  readonly metric_id: string;
  readonly link: MadeLink;
  readonly date: Day;
  readonly figures: Figures;
}

/** Where and when a page was fetched. */
export interface Fetched {
  readonly report_id: string;
  readonly fetched_at: string;
  readonly synced_on: Day;
}

/**
 * Sorts a page: rows of links of this brand, one per link and day, and the ad groups that are nobody's here. An ad group is
 * known by the link it is named after, never by anything else in the row.
 */
export function ourRows(
  brand_id: string,
  lines: readonly PerformanceLine[],
  links: ReadonlyMap<string, LinkState>,
): { ours: OurRow[]; unknown: Set<string | null> } {
  const rows = new Map<string, OurRow>();
  const unknown = new Set<string | null>();
  for (const { adgroup_id, date, figures } of lines) {
    const state = adgroup_id === null ? undefined : links.get(adgroup_id);
    if (adgroup_id === null || state?.status !== "made" || state.brand_id !== brand_id) {
      unknown.add(adgroup_id);
      continue;
    }
    const metric_id = metricId(adgroup_id, date);
    const same = rows.get(metric_id);
    rows.set(metric_id, {
      metric_id,
      link: state,
      date,
      figures: same ? addFigures(same.figures, figures) : figures,
    });
  }
  return { ours: [...rows.values()], unknown };
}

/** The links of which these rows show something for the first time: from now on their zeros are zeros. */
export const revealedBy = (rows: readonly OurRow[], already: ReadonlySet<string>): MadeLink[] => [
  ...new Map(
    rows
      .filter(({ link, figures }) => !link.unmasked && !already.has(link.link_id) && !isEmpty(figures))
      .map(({ link }) => [link.link_id, link]),
  ).values(),
];

/**
 * Compares each row with the last revision of its metric: the same says nothing, another becomes the next revision, whole.
 * An empty row of a link that has never shown anything is masked: the retailer hides links with fewer than 10 clicks.
 */
export function reviseMetrics(
  rows: readonly OurRow[],
  last: readonly Revision[],
  revealed: ReadonlySet<string>,
  { report_id, fetched_at, synced_on }: Fetched,
): Outcome {
  return rows.flatMap(({ metric_id, link: of, date, figures }, index) => {
    const { revision, row_hash: known_hash, masked: was_masked } = last[index]!;
    const row_hash = figuresHash(figures);
    const masked = isEmpty(figures) && !of.unmasked && !revealed.has(of.link_id);
    if (row_hash === known_hash && masked === was_masked) return [];
    const { link_id, brand_id, creator_id, partnership_id, product_id } = of;
    const parties = { link_id, brand_id, creator_id, partnership_id, product_id };
    return to(
      metric.at(metric_id),
      PerfMetricIngested({
        metric_id,
        ...parties,
        date,
        revision: revision + 1,
        synced_on,
        masked,
        ...figures,
        source: { report_id, fetched_at, row_hash },
      }),
    );
  });
}

/** Says, once per link, that the retailer began to show it. */
export const unmask = (shown: readonly MadeLink[], states: readonly LinkState[]): Outcome =>
  shown.flatMap(({ link_id, brand_id, creator_id }, index) => {
    const state = states[index];
    if (state?.status !== "made" || state.unmasked) return [];
    return to(link.at(link_id), LinkUnmasked({ link_id, brand_id, creator_id }));
  });
