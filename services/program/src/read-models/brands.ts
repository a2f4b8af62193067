import { dayAt } from "@tributary/contracts/dates";
import { BrandLogoSet, BrandRegistered } from "@tributary/contracts/events/identity";
import { ProgramCreated, ProgramEdited, ProgramProductsSet } from "@tributary/contracts/events/program";
import { inForce } from "@tributary/contracts/fees";
import { type DirectoryBrand, DirectoryQuery } from "@tributary/contracts/http/program";
import { readModel, show } from "@tributary/runtime/read-models/read-model";
import { when } from "@tributary/runtime/stream";
import { z } from "zod";
import { partnerships } from "./partnerships.ts";
import { products } from "./products.ts";

/** Name and house are identity's word, `program` and what is sorted by it the program's; either may be heard first. */
const BrandDoc = z.object({
  brand_id: z.string(),
  brand_name: z.string().nullable(),
  website: z.string().nullable(),
  product_category: z.string().nullable(),
  brand_logo_url: z.string().nullable(),
  is_visible: z.boolean(),
  auto_accept_applications: z.boolean(),
  program_created_at: z.string().nullable(),
  program: z
    .object({ program_id: z.string(), page_id: z.string(), logo_url: z.string().nullable() })
    .nullable(),
  product_ids: z.array(z.string()),
});
export type BrandDoc = z.infer<typeof BrandDoc>;

const unknown = (brand_id: string): BrandDoc => ({
  brand_id,
  brand_name: null,
  website: null,
  product_category: null,
  brand_logo_url: null,
  is_visible: false,
  auto_accept_applications: false,
  program_created_at: null,
  program: null,
  product_ids: [],
});

const face = ({
  program_id,
  page_id,
  logo_url,
  is_visible,
  auto_accept_applications,
}: {
  program_id: string;
  page_id: string;
  logo_url: string | null;
  is_visible: boolean;
  auto_accept_applications: boolean;
}) => ({ is_visible, auto_accept_applications, program: { program_id, page_id, logo_url } });

/** The directory in which creators find brands: those with a program that can be seen. */
export const brands = readModel("brands", BrandDoc, {
  on: [
    when(BrandRegistered, (doc, { data: { brand_id, brand_name, website, product_category } }) => ({
      ...(doc ?? unknown(brand_id)),
      brand_name,
      website,
      product_category,
    })),
    when(BrandLogoSet, (doc, { data: { brand_id, logo_url } }) => ({
      ...(doc ?? unknown(brand_id)),
      brand_logo_url: logo_url,
    })),
    when(ProgramCreated, (doc, { data, time }) => ({
      ...(doc ?? unknown(data.brand_id)),
      ...face(data),
      program_created_at: time,
    })),
    when(ProgramEdited, (doc, { data }) => ({ ...(doc ?? unknown(data.brand_id)), ...face(data) })),
    when(ProgramProductsSet, (doc, { data: { brand_id, product_ids } }) => ({
      ...(doc ?? unknown(brand_id)),
      product_ids,
    })),
  ],
  key: ({ data }) => data.brand_id,
  indexes: [
    ["is_visible", "program_created_at"],
    ["is_visible", "brand_name"],
  ],
  routes: {
    "GET /api/brands": show<BrandDoc>()({
      access: { as: ["creator", "admin"] },
      input: DirectoryQuery,
      answer: async (documents, asked, { caller, now, documents: other }) => {
        const page = await documents
          .where({
            is_visible: true,
            brand_name: asked.q ? { contains: asked.q } : undefined,
            product_category: asked.category,
            auto_accept_applications: asked.auto_accept && asked.auto_accept === "true",
          })
          .sort(asked.sort === "name" ? "brand_name" : "-program_created_at")
          .page({ after: asked.after, limit: asked.limit });
        const offered = await other(products).many([
          ...new Set(page.items.flatMap(({ product_ids }) => product_ids)),
        ]);
        const today = dayAt(now);
        const feeOf = new Map(
          offered.map(({ product_id, fees }) => [product_id, inForce(fees, today)?.percent ?? 0]),
        );
        const own = caller?.creator_id
          ? await other(partnerships).where({ creator_id: caller.creator_id }).all(1000)
          : [];
        const relationTo = new Map(own.map(({ brand_id, status }) => [brand_id, status]));
        const items = page.items.map(
          (doc): DirectoryBrand => ({
            id: doc.brand_id,
            brand_name: doc.brand_name ?? "",
            website: doc.website ?? "",
            product_category: doc.product_category ?? "",
            logo_url: doc.program?.logo_url ?? doc.brand_logo_url,
            program_id: doc.program!.program_id,
            page_id: doc.program!.page_id,
            auto_accept_applications: doc.auto_accept_applications,
            product_count: doc.product_ids.length,
            max_fee: doc.product_ids.length
              ? Math.max(...doc.product_ids.map((id) => feeOf.get(id) ?? 0))
              : null,
            relation: relationTo.get(doc.brand_id) ?? null,
          }),
        );
        return { items, next: page.next };
      },
    }),
  },
});
