import { type Cents, parseReported } from "@tributary/contracts/money";
import { z } from "zod";
import type { AdsApi } from "./ads-api.ts";
import type { Patience } from "./asking.ts";
import type { Account } from "./tags.ts";

const PAGE = 300;
/** (pageIndex + 1) x pageSize may not pass this. */
const CEILING = 10_000;

const text = z.string().nullish();
const Item = z.object({
  asin: text,
  sku: text,
  title: text,
  imageUrl: text,
  category: text,
  bestSellerRank: z.union([z.string(), z.number()]).nullish(),
  availability: text,
  eligibilityStatus: text,
  ineligibilityCodes: z.array(z.string()).nullish(),
  priceToPay: z.object({ amount: z.union([z.string(), z.number()]).nullish(), currency: text }).nullish(),
  variationList: z.array(z.unknown()).nullish(),
});
const Page = z.object({ ProductMetadataList: z.array(Item).nullish() });

/** A product as the retailer describes it, every field of which may be missing at its source. */
export interface ListedProduct {
  readonly asin: string;
  readonly sku: string | null;
  readonly title: string;
  readonly category: string | null;
  readonly availability: string;
  readonly best_seller_rank: number | null;
  readonly eligibility_status: string | null;
  readonly ineligibility_codes: string[];
  readonly image_url: string | null;
  readonly large_image_url: string | null;
  readonly price: Cents | null;
  readonly price_currency: string;
  readonly variations_list: string[];
}

/** The seller's whole inventory, up to the 10 000 products the retailer lists. */
export async function fetchProducts(
  ask: AdsApi,
  account: Account,
  patience: Patience,
): Promise<ListedProduct[]> {
  const products: ListedProduct[] = [];
  for (let pageIndex = 0; (pageIndex + 1) * PAGE <= CEILING; pageIndex++) {
    const { body } = await ask({
      brand_id: account.brand_id,
      scope: account.profile_id,
      method: "POST",
      path: "/product/metadata",
      media: {
        sends: "application/vnd.productmetadatarequest.v1+json",
        accepts: "application/vnd.productmetadataresponse.v1+json",
      },
      body: { pageIndex, pageSize: PAGE, adType: "SP", checkItemDetails: true, checkEligibility: true },
      patience,
    });
    const items = Page.parse(body).ProductMetadataList ?? [];
    products.push(...items.flatMap(asListed));
    if (items.length < PAGE) break;
  }
  return products;
}

function asListed(item: z.output<typeof Item>): ListedProduct[] {
  const asin = item.asin;
  if (!asin) return [];
  const rank = String(item.bestSellerRank ?? "").replaceAll(",", "");
  return [
    {
      asin,
      sku: item.sku || null,
      title: item.title ?? asin,
      category: item.category ?? null,
      availability: item.availability ?? "UNKNOWN",
      best_seller_rank: /^\d{1,15}$/.test(rank) ? Number(rank) : null,
      eligibility_status: item.eligibilityStatus ?? null,
      ineligibility_codes: item.ineligibilityCodes ?? [],
      image_url: item.imageUrl || null,
      large_image_url: largeImage(item.imageUrl || null),
      price: parseReported(String(item.priceToPay?.amount ?? "")),
      price_currency: item.priceToPay?.currency ?? "USD",
      variations_list: (item.variationList ?? []).map((one) =>
        typeof one === "string" ? one : JSON.stringify(one),
      ),
    },
  ];
}

/** The listed image is a thumbnail of 60 points; without its size modifier (`._SS60_`) the address shows the whole one. */
export const largeImage = (image_url: string | null): string | null =>
  image_url?.replace(/\._[A-Za-z0-9,_-]+_(?=\.[A-Za-z]+$)/, "") ?? null;
