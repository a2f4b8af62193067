import { SellerConnected, SellerDisconnected } from "@tributary/contracts/events/attribution";
import { BrandLogoSet, BrandRegistered } from "@tributary/contracts/events/identity";
import type { OwnBrand, PublicBrand } from "@tributary/contracts/http/identity";
import { readModel, show } from "@tributary/runtime/read-models/read-model";
import { notFound } from "@tributary/runtime/refusal";
import { when } from "@tributary/runtime/stream";
import { z } from "zod";

/** `profile` is the brand's own word, `amazon_connected` the seller connection's; either may be heard first. */
const BrandDoc = z.object({
  brand_id: z.string(),
  profile: z
    .object({
      user_id: z.string(),
      brand_name: z.string(),
      website: z.string(),
      product_category: z.string(),
      logo_url: z.string().nullable(),
    })
    .nullable(),
  amazon_connected: z.boolean(),
});
export type BrandDoc = z.infer<typeof BrandDoc>;

const unknown = (brand_id: string): BrandDoc => ({ brand_id, profile: null, amazon_connected: false });

const own = (doc: BrandDoc | null): OwnBrand => {
  if (!doc?.profile) throw notFound("Brand");
  return { id: doc.brand_id, ...doc.profile, amazon_connected: doc.amazon_connected };
};

const open = (doc: BrandDoc | null): PublicBrand => {
  if (!doc?.profile) throw notFound("Brand");
  const { brand_name: name, website, product_category, logo_url } = doc.profile;
  return { id: doc.brand_id, name, website, product_category, logo_url };
};

/** Brands and whether their seller account is connected. */
export const brands = readModel("brands", BrandDoc, {
  on: [
    when(BrandRegistered, (doc, { data: { brand_id, ...profile } }) => ({
      ...(doc ?? unknown(brand_id)),
      profile: { logo_url: null, ...profile },
    })),
    when(BrandLogoSet, (doc, { data: { brand_id, logo_url } }) => {
      const known = doc ?? unknown(brand_id);
      return { ...known, profile: known.profile && { ...known.profile, logo_url } };
    }),
    when(SellerConnected, (doc, { data }) => ({
      ...(doc ?? unknown(data.brand_id)),
      amazon_connected: true,
    })),
    when(SellerDisconnected, (doc, { data }) => ({
      ...(doc ?? unknown(data.brand_id)),
      amazon_connected: false,
    })),
  ],
  key: ({ data }) => data.brand_id,
  routes: {
    "GET /public/api/brands/:id": show<BrandDoc>()({
      access: { as: "public", fields: ["id", "name", "website", "product_category", "logo_url"] },
      input: z.object({ id: z.string() }),
      answer: async (documents, { id }) => open(await documents.get(id)),
    }),
    /** The brand's part of GET /api/brands/me, which the gateway composes with the seller profiles. */
    "GET /internal/brands/:id": show<BrandDoc>()({
      access: { as: "brand", owns: "brand_id" },
      input: z.object({ id: z.string() }),
      answer: async (documents, { id }) => own(await documents.get(id)),
    }),
  },
});
