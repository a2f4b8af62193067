import { createHash } from "node:crypto";
import { z } from "zod";
import type { Product, Profile, Seller } from "./state.ts";

const MARKETPLACES: Record<string, { id: string; currency: string; timezone: string }> = {
  US: { id: "ATVPDKIKX0DER", currency: "USD", timezone: "America/Los_Angeles" },
  CA: { id: "A2EUQ1WTGCTBG2", currency: "CAD", timezone: "America/Los_Angeles" },
  MX: { id: "A1AM78C64UM0Y8", currency: "MXN", timezone: "America/Los_Angeles" },
  BR: { id: "A2Q3Y263D00KWC", currency: "BRL", timezone: "America/Sao_Paulo" },
};

/** Decimal text without sign or exponent, as prices and report amounts are written. */
export const DecimalText = z.string().regex(/^\d+(\.\d+)?$/, "must be decimal text such as 19.99");

const ProfileSeed = z.strictObject({
  country: z.enum(["US", "CA", "MX", "BR"]),
  type: z.enum(["seller", "vendor", "agency"]).default("seller"),
  sub_type: z.enum(["KDP_AUTHOR", "AMAZON_ATTRIBUTION"]).nullable().default(null),
  access: z.enum(["edit", "view"]).default("edit"),
});

/** A product as it is seeded; what is left out gets a sensible value. */
export const ProductSeed = z.strictObject({
  asin: z.string().regex(/^[A-Z0-9]{10}$/, "must be ten capital letters or digits"),
  sku: z.string().min(1).max(40),
  title: z.string().min(1),
  price: DecimalText,
  availability: z
    .enum(["IN_STOCK", "IN_STOCK_SCARCE", "OUT_OF_STOCK", "PREORDER", "LEADTIME", "AVAILABLE_DATE"])
    .default("IN_STOCK"),
  category: z.string().default("Home & Kitchen"),
  image_url: z.string().nullable().default(null),
});

/** A seller as it is seeded: one US profile unless told otherwise. */
export const SellerSeed = z.strictObject({
  key: z.string().regex(/^[a-zA-Z0-9_-]{1,60}$/),
  name: z.string().min(1),
  profiles: z.array(ProfileSeed).default([{ country: "US", type: "seller", sub_type: null, access: "edit" }]),
  products: z.array(ProductSeed),
  brand_bonus: z.boolean().default(true),
  revokes_after_days: z.int().min(1).nullable().default(null),
});
export type SellerSeed = z.input<typeof SellerSeed>;

function digits(text: string, length: number): string {
  const number = BigInt(`0x${createHash("sha256").update(text).digest("hex")}`);
  return `1${(number % 10n ** BigInt(length - 1)).toString().padStart(length - 1, "0")}`;
}

function profile(key: string, seed: z.output<typeof ProfileSeed>, index: number): Profile {
  const { id, currency, timezone } = MARKETPLACES[seed.country]!;
  const token = createHash("sha256").update(`account:${key}`).digest("hex").toUpperCase();
  return {
    profile_id: Number(digits(`profile:${key}:${index}`, 16)),
    advertiser_id: digits(`advertiser:${key}:${index}`, 13),
    country: seed.country,
    currency,
    timezone,
    type: seed.type,
    sub_type: seed.sub_type,
    access: seed.access,
    marketplace_id: id,
    account_id: `A${token.slice(0, 13)}`,
  };
}

/** The seller with the ids Amazon would give it; the same key always gets the same ids. */
export function sellerFrom(seed: SellerSeed): Seller {
  const { profiles, ...seller } = SellerSeed.parse(seed);
  return { ...seller, profiles: profiles.map((wanted, index) => profile(seller.key, wanted, index)) };
}

/** A seeded product, whole. */
export function productFrom(seed: z.input<typeof ProductSeed>): Product {
  return ProductSeed.parse(seed);
}
