import type { FastifyInstance } from "fastify";
import { z } from "zod";
import { check, json, mediaType } from "../core/strict.ts";
import { requireProfile } from "./ads-access.ts";
import type { AmazonContext } from "./context.ts";
import { adsError, adsFlaw } from "./errors.ts";
import type { Product, Seller } from "./state.ts";

const REQUEST_TYPE = "application/vnd.productmetadatarequest.v1+json";
const RESPONSE_TYPE = "application/vnd.productmetadataresponse.v1+json";
const REACH = 10_000;

const Body = z.strictObject({
  pageIndex: z.int().min(0),
  pageSize: z.int().min(1).max(300),
  asins: z.array(z.string()).max(300).optional(),
  skus: z.array(z.string()).max(300).optional(),
  searchStr: z.string().optional(),
  adType: z.enum(["SP", "SB", "SD"]).optional(),
  checkItemDetails: z.boolean().optional(),
  checkEligibility: z.boolean().optional(),
  sortBy: z.enum(["SUGGESTED", "CREATED_DATE"]).optional(),
  sortOrder: z.enum(["ASC", "DESC"]).optional(),
  locale: z.string().optional(),
  cursorToken: z.string().optional(),
  isGlobalStoreSelection: z.boolean().optional(),
});
type Body = z.infer<typeof Body>;

function contradiction(body: Body): string | null {
  const ways = [body.asins, body.skus, body.searchStr].filter((way) => way !== undefined);
  if (ways.length > 1) return "Only one of asins, skus and searchStr may be given";
  if ((body.pageIndex + 1) * body.pageSize > REACH) return `Pages beyond ${REACH} products are not supported`;
  if (body.checkEligibility && body.adType === undefined) return "adType is required with checkEligibility";
  if (body.sortBy === "SUGGESTED" && body.sortOrder === "ASC")
    return "sortBy SUGGESTED requires sortOrder DESC";
  if (body.cursorToken !== undefined && body.sortBy !== "SUGGESTED")
    return "cursorToken requires sortBy SUGGESTED";
  return null;
}

function wanted(seller: Seller, { asins, skus, searchStr }: Body): Product[] {
  const search = searchStr?.toLowerCase();
  return seller.products
    .filter(({ asin }) => asins === undefined || asins.includes(asin))
    .filter(({ sku }) => skus === undefined || skus.includes(sku))
    .filter(({ title, asin }) => search === undefined || `${title} ${asin}`.toLowerCase().includes(search));
}

function shown(ctx: AmazonContext, seller: Seller, product: Product, rank: number, body: Body): unknown {
  const { asin, sku, title, price, availability, category } = product;
  const image = product.image_url ?? `${ctx.publicOrigin()}/shop/img/${asin}._SS60_.svg`;
  const money = { amount: Number(price), currency: "USD" };
  return {
    asin,
    sku,
    createdDate: "2024-05-01T00:00:00Z",
    ...(body.checkItemDetails && {
      title,
      imageUrl: image,
      brand: seller.name,
      category,
      bestSellerRank: String(rank),
      availability,
      priceToPay: money,
      basisPrice: money,
      variationList: [],
    }),
    ...(body.checkEligibility && {
      eligibilityStatus: availability === "OUT_OF_STOCK" ? "INELIGIBLE" : "ELIGIBLE",
      ineligibilityReasons: availability === "OUT_OF_STOCK" ? ["The product is out of stock"] : [],
      ineligibilityCodes: availability === "OUT_OF_STOCK" ? ["OUT_OF_STOCK"] : [],
    }),
  };
}

/** What a seller sells, page by page; a page shorter than asked is the last. */
export function productMetadata(app: FastifyInstance, ctx: AmazonContext): void {
  app.post("/amazon-ads/product/metadata", async (request, reply) => {
    const { seller, profile } = requireProfile(ctx, request, reply);
    const sent = mediaType(request.headers["content-type"]);
    if (sent !== REQUEST_TYPE)
      throw adsError(ctx, 415, `Unsupported Media Type: Content-Type must be ${REQUEST_TYPE}`);
    if (mediaType(request.headers.accept) !== RESPONSE_TYPE)
      throw adsError(ctx, 406, `Not Acceptable: Accept must be ${RESPONSE_TYPE}`);
    check(z.strictObject({}), request.query, adsFlaw(ctx));
    const body = check(Body, json(request.body, adsFlaw(ctx)), adsFlaw(ctx));
    const wrong = contradiction(body);
    if (wrong) throw adsError(ctx, 400, wrong);
    const from = body.pageIndex * body.pageSize;
    // The inventory seeded is that of the United States; other marketplaces sell nothing here.
    const page = profile.country === "US" ? wanted(seller, body).slice(from, from + body.pageSize) : [];
    reply.type(RESPONSE_TYPE);
    return JSON.stringify({
      ProductMetadataList: page.map((product, index) => shown(ctx, seller, product, from + index + 1, body)),
    });
  });
}
