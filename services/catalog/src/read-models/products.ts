import { type Day, dayAt } from "@tributary/contracts/dates";
import {
  ProductChanged,
  ProductCommissionChangeCancelled,
  ProductCommissionChanged,
  ProductDelisted,
  ProductFavorited,
  ProductListed,
} from "@tributary/contracts/events/catalog";
import { FeeVersion, inForce, withoutPending, withVersion } from "@tributary/contracts/fees";
import {
  type Product,
  ProductsQuery,
  type PublicProduct,
  PublicProductsQuery,
} from "@tributary/contracts/http/catalog";
import { listing } from "@tributary/contracts/listing";
import { formatCents, storedCents } from "@tributary/contracts/money";
import { readModel, show } from "@tributary/runtime/read-models/read-model";
import { notFound } from "@tributary/runtime/refusal";
import { when } from "@tributary/runtime/stream";
import { z } from "zod";

/** The order in which products are listed, by the name of the query. */
const SORTS = {
  title: ["title"],
  "-title": ["-title"],
  asin: ["asin"],
  "-asin": ["-asin"],
  price: ["price", "title"],
  "-price": ["-price", "title"],
  rank: ["best_seller_rank", "title"],
  "-rank": ["-best_seller_rank", "title"],
  favorite: ["-favorite", "title"],
  listed: ["listed_at"],
} as const satisfies Record<
  string,
  readonly ((keyof ProductDoc & string) | `-${keyof ProductDoc & string}`)[]
>;

const ProductDoc = z.object({
  product_id: z.string(),
  brand_id: z.string(),
  ...listing,
  price: storedCents.nullable(),
  /** 1 for a favourite, so that favourites can be sorted first. */
  favorite: z.int(),
  delisted: z.boolean(),
  fees: z.array(FeeVersion),
  listed_at: z.string(),
});
export type ProductDoc = z.infer<typeof ProductDoc>;

/** A product as its brand sees it on a day. */
export function shownProduct(doc: Omit<ProductDoc, "listed_at">, today: Day): z.input<typeof Product> {
  const { product_id: id, fees, price, favorite, ...listing } = doc;
  const pending = fees.find(({ effective_from }) => effective_from !== null && effective_from > today);
  return {
    id,
    ...listing,
    price: price === null ? null : formatCents(price),
    favorite: favorite === 1,
    commission_perc: inForce(fees, today)!.percent,
    commission_pending: pending
      ? { percent: pending.percent, effective_from: pending.effective_from! }
      : null,
  };
}

const shown = ({ listed_at: _, ...doc }: ProductDoc, today: Day) => shownProduct(doc, today);

function shownToAll(doc: ProductDoc, today: Day): z.input<typeof PublicProduct> {
  const { id, asin, title, price, commission_perc, image_url, large_image_url } = shown(doc, today);
  return { id, asin, title, price, commission_perc, image_url, large_image_url };
}

/** Products of brands with the percent they pay. */
export const products = readModel("products", ProductDoc, {
  on: [
    when(ProductListed, (_, { data, time }) => {
      const { commission_percent: percent, listed_on: _on, report_version: _report, ...listing } = data;
      return {
        ...listing,
        favorite: 0,
        delisted: false,
        fees: [{ percent, effective_from: null, requested_on: null, set_by: null }],
        listed_at: time,
      };
    }),
    when(
      ProductChanged,
      (doc, { data: { report_version: _, ...listing } }) => doc && { ...doc, ...listing, delisted: false },
    ),
    when(ProductDelisted, (doc) => doc && { ...doc, delisted: true }),
    when(ProductFavorited, (doc, { data: { favorite } }) => doc && { ...doc, favorite: favorite ? 1 : 0 }),
    when(
      ProductCommissionChanged,
      (doc, { data: { percent, effective_from, requested_on, set_by } }) =>
        doc && {
          ...doc,
          fees: withVersion<FeeVersion>(doc.fees, { percent, effective_from, requested_on, set_by }),
        },
    ),
    when(
      ProductCommissionChangeCancelled,
      (doc, { data: { requested_on } }) => doc && { ...doc, fees: withoutPending(doc.fees, requested_on) },
    ),
  ],
  key: ({ data }) => data.product_id,
  indexes: [
    ["brand_id", "favorite", "title"],
    ["brand_id", "title"],
  ],
  routes: {
    "GET /api/products": show<ProductDoc>()({
      access: { as: "brand", owns: "brand_id" },
      input: ProductsQuery,
      answer: async (documents, asked, { now }) => {
        const page = await documents
          .where({
            title: asked.q ? { contains: asked.q } : undefined,
            availability: asked.availability ? { in: [asked.availability].flat() } : undefined,
            category: asked.category,
            subcategory: asked.subcategory,
            group: asked.group,
            favorite: asked.favorite && (asked.favorite === "true" ? 1 : 0),
          })
          .sort(...SORTS[asked.sort ?? "favorite"])
          .page({ after: asked.after, limit: asked.limit });
        return { items: page.items.map((doc) => shown(doc, dayAt(now))), next: page.next };
      },
    }),
    "GET /api/products/:id": show<ProductDoc>()({
      access: { as: "brand", owns: "brand_id" },
      input: z.object({ id: z.string() }),
      answer: async (documents, { id }, { now }) => {
        const doc = await documents.get(id);
        if (!doc) throw notFound("Product");
        return shown(doc, dayAt(now));
      },
    }),
    "GET /public/api/products": show<ProductDoc>()({
      access: {
        as: "public",
        fields: ["id", "asin", "title", "price", "commission_perc", "image_url", "large_image_url"],
      },
      input: PublicProductsQuery,
      answer: async (documents, { id: ids }, { now }) =>
        (await documents.many(ids)).map((doc) => shownToAll(doc, dayAt(now))),
    }),
  },
});
