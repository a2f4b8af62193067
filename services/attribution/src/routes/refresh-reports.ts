import { addDays, type Day, day, dayAt } from "@tributary/contracts/dates";
import { type Refreshed, RefreshReports } from "@tributary/contracts/http/attribution";
import { Refusal, unprocessable } from "@tributary/runtime/refusal";
import { type Asking, route } from "@tributary/runtime/route";
import { BROWSER } from "../amazon/asking.ts";
import { accountOf, answering } from "../connection/in-the-brands-name.ts";
import { pullPerformance } from "../pulling/pull-performance.ts";
import { pullProducts } from "../pulling/pull-products.ts";
import { links } from "../read-models/links.ts";
import { sellers } from "../read-models/sellers.ts";
import { syncSettings } from "../settings.ts";
import { activeBrands } from "./active-brands.ts";

type Span = { readonly from: Day; readonly through: Day };
type Brand = Refreshed["brands"][number];

/** A brand's reports are not asked for again for creators within an hour (product specification, resync interval). */
const RESYNC_MS = 3_600_000;

/** Reads a day of the marketplace from a date or an instant. */
function dayIn(text: string, field: string): Day {
  const plain = day.safeParse(text);
  if (plain.success) return plain.data;
  const at = Date.parse(text);
  if (!Number.isNaN(at)) return dayAt(at);
  throw unprocessable("invalid_date", `${field} is no date`, [{ field, message: "must be an ISO date" }]);
}

/** The days asked for, as far as the retailer's reports reach: neither into the future nor behind their oldest day. */
export function spanOf(
  asked: { startDate: string; endDate: string },
  today: Day,
  history_days: number,
): Span {
  const oldest = addDays(today, 1 - history_days);
  const [start, end] = [dayIn(asked.startDate, "startDate"), dayIn(asked.endDate, "endDate")];
  if (start > end)
    throw unprocessable("invalid_range", "startDate lies after endDate", [
      { field: "startDate", message: "lies after endDate" },
    ]);
  if (end < oldest || start > today)
    throw unprocessable("invalid_range", `Amazon's report reaches from ${oldest} to ${today}`, [
      { field: "startDate", message: "outside of the report" },
    ]);
  return { from: start < oldest ? oldest : start, through: end > today ? today : end };
}

async function refresh(
  asking: Asking,
  brand_id: string,
  span: Span,
  pull: typeof pullPerformance,
): Promise<Brand> {
  const account = await accountOf(asking, brand_id);
  const { items } = await asking.documents(links).where({ brand_id }).page({ limit: 1 });
  if (items.length === 0) return skipped(brand_id, span, "no_links");
  const done = await answering(asking, brand_id, () =>
    pull(asking, { account, run: "asked", ...span, patience: BROWSER }),
  );
  return { brand_id, skipped: null, ...span, ...done };
}

const skipped = (brand_id: string, span: Span, why: Brand["skipped"]): Brand => ({
  brand_id,
  skipped: why,
  ...span,
  rows: 0,
  changed: 0,
});

const history = (asking: Asking, pull: typeof pullPerformance): number => {
  const { PERFORMANCE_HISTORY_DAYS, PRODUCTS_HISTORY_DAYS } = asking.use(syncSettings);
  return pull === pullPerformance ? PERFORMANCE_HISTORY_DAYS : PRODUCTS_HISTORY_DAYS;
};

const forBrand = (path: string, pull: typeof pullPerformance) =>
  route(path, {
    access: { as: "brand" },
    input: RefreshReports,
    handle: async (asked, asking): Promise<Refreshed> => {
      const span = spanOf(asked, dayAt(asking.now), history(asking, pull));
      return { brands: [await refresh(asking, asking.caller!.brand_id!, span, pull)] };
    },
  });

/** For a creator every brand they work with is asked, unless it was within the hour; what is wrong with one costs only that one. */
const forCreator = (path: string, pull: typeof pullPerformance) =>
  route(path, {
    access: { as: "approved-creator" },
    input: RefreshReports,
    handle: async (asked, asking): Promise<Refreshed> => {
      const span = spanOf(asked, dayAt(asking.now), history(asking, pull));
      const brands: Brand[] = [];
      for (const brand_id of await activeBrands(asking)) {
        const known = await asking.documents(sellers).get(brand_id);
        if (known?.last_pull && Date.parse(asking.now) - Date.parse(known.last_pull.at) < RESYNC_MS) {
          brands.push(skipped(brand_id, span, "recent"));
          continue;
        }
        try {
          brands.push(await refresh(asking, brand_id, span, pull));
        } catch (error) {
          if (!(error instanceof Refusal)) throw error;
          asking.log.info({ brand_id, code: error.code }, "this brand's reports can't be read at the moment");
          brands.push(skipped(brand_id, span, "not_connected"));
        }
      }
      return { brands };
    },
  });

/** Somebody wants to see the retailer's latest figures now, instead of in the evening. */
export const refreshReports = [
  forBrand("POST /api/amazon/refresh-attribution-performance", pullPerformance),
  forBrand("POST /api/amazon/refresh-attribution-products", pullProducts),
  forCreator("POST /api/amazon/creator/refresh-attribution-performance", pullPerformance),
  forCreator("POST /api/amazon/creator/refresh-attribution-products", pullProducts),
];
