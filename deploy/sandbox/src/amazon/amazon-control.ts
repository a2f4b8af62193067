import type { FastifyInstance } from "fastify";
import { z } from "zod";
import { controlBody } from "../core/control.ts";
import { controlRefusal, type PartnerError } from "../core/strict.ts";
import { conversions, restatedAt } from "./attribution.ts";
import { readLink, recordClick } from "./clicks.ts";
import { type AmazonContext, byAdvertiser, byAsin } from "./context.ts";
import { DecimalText, ProductSeed, productFrom, SellerSeed, sellerFrom } from "./sellers.ts";
import type { Order, ScriptedRow } from "./state.ts";

const Instant = z.iso.datetime({ offset: true });
const Shopper = z.strictObject({
  shopper: z.string().min(1).max(80),
  clicks: z
    .array(z.strictObject({ url: z.string(), times: z.int().min(1).max(100_000).default(1) }))
    .default([]),
  purchases: z
    .array(
      z.strictObject({
        asin: z.string(),
        qty: z.int().min(1),
        price: DecimalText.optional(),
        at: Instant.optional(),
        return_at: Instant.optional(),
      }),
    )
    .default([]),
});
const Day = z.iso.date();
const ReportRow = z.strictObject({
  adgroup_id: z.string().min(1),
  date: Day,
  clicks: z.int().min(0),
  promoted: DecimalText,
  total: DecimalText,
  url: z.string().optional(),
});

function refused(path: string, message: string): PartnerError {
  return controlRefusal({ kind: "invalid", path, message: `${path}: ${message}` });
}

/** Where an ad group belongs: from its link if one is given, else from what is known of it by clicks or earlier rows. */
function placeOf(
  ctx: AmazonContext,
  row: z.infer<typeof ReportRow>,
  index: number,
): Omit<ScriptedRow, "date"> {
  const amounts = {
    adgroup_id: row.adgroup_id,
    clicks: row.clicks,
    promoted: row.promoted,
    total: row.total,
  };
  if (row.url !== undefined) {
    const link = readLink(row.url);
    if ("problem" in link) throw refused(`rows.${index}.url`, link.problem);
    if (link.adgroup_id !== row.adgroup_id)
      throw refused(`rows.${index}.url`, `leads to ad group ${link.adgroup_id}, not ${row.adgroup_id}`);
    if (!byAdvertiser(ctx.state, link.advertiser_id))
      throw refused(`rows.${index}.url`, `no advertiser ${link.advertiser_id}`);
    const { advertiser_id, campaign_id, creative_id, publisher } = link;
    return { ...amounts, advertiser_id, campaign_id, creative_id, publisher };
  }
  const known =
    [...ctx.state.scripted.values()].find(({ adgroup_id }) => adgroup_id === row.adgroup_id) ??
    [...ctx.state.clicks.values()].flat().find(({ adgroup_id }) => adgroup_id === row.adgroup_id);
  if (!known)
    throw refused(
      `rows.${index}.url`,
      `nothing is known of ad group ${row.adgroup_id} yet: give the link's URL once`,
    );
  const { advertiser_id, campaign_id, creative_id, publisher } = known;
  return { ...amounts, advertiser_id, campaign_id, creative_id, publisher };
}

/** How tests, the demo and seeds make Amazon's world go round: sellers, shoppers, reports, consents. */
export function amazonControl(app: FastifyInstance, ctx: AmazonContext): void {
  app.post("/_sandbox/seed", async (request) => {
    const { sellers } = controlBody(z.strictObject({ sellers: z.array(SellerSeed) }), request.body);
    const made = sellers.map(sellerFrom);
    for (const { key, products } of made)
      for (const { asin } of products) {
        const other =
          byAsin(ctx.state, asin)?.seller ?? made.find((s) => s.products.some((p) => p.asin === asin))!;
        if (other.key !== key) throw refused("sellers", `${asin} is already sold by ${other.key}`);
      }
    ctx.record({ sellers: made });
    return { sellers: made.map(({ key, profiles }) => ({ key, profiles })) };
  });

  app.get("/_sandbox/amazon/sellers", async () => ({ sellers: [...ctx.state.sellers.values()] }));

  app.post("/_sandbox/amazon/products", async (request) => {
    const { seller, products } = controlBody(
      z.strictObject({ seller: z.string(), products: z.array(ProductSeed) }),
      request.body,
    );
    if (!ctx.state.sellers.has(seller)) throw refused("seller", `no seller ${seller}`);
    ctx.record({ of: seller, products: products.map(productFrom) });
    return { products: ctx.state.sellers.get(seller)!.products };
  });

  app.post("/_sandbox/amazon/revoke", async (request) => {
    const { account } = controlBody(z.strictObject({ account: z.string() }), request.body);
    if (!ctx.state.sellers.has(account)) throw refused("account", `no account ${account}`);
    const grants = [...ctx.state.grants.values()].filter(({ seller }) => seller === account);
    for (const { refresh_token } of grants)
      ctx.record({ revoked: refresh_token, at: ctx.now().toISOString() });
    return { revoked: grants.length };
  });

  app.put("/_sandbox/amazon/dialect", async (request) => {
    const { dialect } = controlBody(
      z.strictObject({ dialect: z.enum(["openapi", "recorded"]) }),
      request.body,
    );
    ctx.record({ dialect });
    return { dialect };
  });

  app.put("/_sandbox/amazon/settings", async (request) => {
    const hours = z.number().min(0).optional();
    const settings = controlBody(
      z.strictObject({
        click_lag_hours: hours,
        conversion_lag_hours: hours,
        mask_below: z.int().min(0).optional(),
        history_months: z.int().min(1).optional(),
      }),
      request.body,
    );
    ctx.record({ settings });
    return ctx.state.settings;
  });

  app.post("/_sandbox/shopper", async (request) => {
    const { shopper, clicks, purchases } = controlBody(Shopper, request.body);
    const orders: Order[] = purchases.map(({ asin, qty, price, at, return_at }, index) => {
      const sold = byAsin(ctx.state, asin);
      if (!sold) throw refused(`purchases.${index}.asin`, `nobody sells ${asin}`);
      return {
        id: ctx.id("114-", 14),
        at: new Date(at ?? ctx.now()).toISOString(),
        shopper,
        asin,
        qty,
        price: price ?? sold.product.price,
        return_at: return_at === undefined ? null : new Date(return_at).toISOString(),
      };
    });
    const counted = clicks.map(({ url, times }) => {
      const problem = recordClick(ctx, url, shopper, times);
      return { url, counted: problem === null ? times : 0, problem };
    });
    if (orders.length > 0) ctx.record({ orders });
    return { clicks: counted, orders };
  });

  app.post("/_sandbox/shopper/return", async (request) => {
    const { order, at } = controlBody(
      z.strictObject({ order: z.string(), at: Instant.optional() }),
      request.body,
    );
    if (!ctx.state.orders.has(order)) throw refused("order", `no order ${order}`);
    ctx.record({ returned: order, at: new Date(at ?? ctx.now()).toISOString() });
    return ctx.state.orders.get(order);
  });

  app.post("/_sandbox/report", async (request) => {
    const { rows } = controlBody(z.strictObject({ rows: z.array(ReportRow) }), request.body);
    const scripted = rows.map((row, index) => ({ ...placeOf(ctx, row, index), date: row.date }));
    ctx.record({ scripted });
    return { rows: scripted };
  });

  app.get("/_sandbox/amazon/attribution", async () => ({
    clicks: [...ctx.state.clicks.values()].flat(),
    orders: [...ctx.state.orders.values()],
    conversions: [...ctx.state.sellers.values()].flatMap((seller) =>
      seller.profiles.flatMap((profile) =>
        conversions(ctx.state, seller, profile).map(({ order, click, date, promoted }) => ({
          order: order.id,
          advertiser_id: profile.advertiser_id,
          adgroup_id: click.adgroup_id,
          date,
          promoted,
          restated_at: restatedAt(order)?.toISOString() ?? null,
        })),
      ),
    ),
    problems: ctx.state.problems,
  }));
}
