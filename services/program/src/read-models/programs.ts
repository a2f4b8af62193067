import { type Day, day, dayAt } from "@tributary/contracts/dates";
import type { DataOf } from "@tributary/contracts/event";
import {
  CommissionBase,
  ProgramCreated,
  ProgramEdited,
  ProgramProductsSet,
  ProgramSettingsChanged,
} from "@tributary/contracts/events/program";
import { inForce } from "@tributary/contracts/fees";
import type { OwnProgram, Program } from "@tributary/contracts/http/program";
import type { Documents } from "@tributary/runtime/read-models/documents";
import { readModel, show } from "@tributary/runtime/read-models/read-model";
import { notFound } from "@tributary/runtime/refusal";
import { when } from "@tributary/runtime/stream";
import { z } from "zod";
import { type BaseVersion, withBase } from "../program.ts";
import { sanitizeDescription } from "../sanitize-description.ts";

const ProgramDoc = z.object({
  program_id: z.string(),
  brand_id: z.string(),
  title: z.string(),
  description: z.string(),
  is_visible: z.boolean(),
  auto_accept_applications: z.boolean(),
  logo_url: z.string().nullable(),
  page_id: z.string(),
  bases: z.array(z.object({ commission_base: CommissionBase, effective_from: day.nullable() })),
  product_ids: z.array(z.string()),
});
export type ProgramDoc = z.infer<typeof ProgramDoc>;

/** The fields of a program that everybody may see. */
export const PUBLIC_PROGRAM = [
  "id",
  "brand_id",
  "title",
  "description",
  "is_visible",
  "auto_accept_applications",
  "logo_url",
  "page_id",
] as const;

/** A program's public face. It is sanitized once more, whatever was recorded. */
export function shownProgram(face: DataOf<typeof ProgramEdited>): Program {
  const { program_id: id, brand_id, title, is_visible, auto_accept_applications, logo_url, page_id } = face;
  const description = sanitizeDescription(face.description);
  return { id, brand_id, title, description, is_visible, auto_accept_applications, logo_url, page_id };
}

/** A program as its brand sees it on a day. */
export function shownOwnProgram(
  face: DataOf<typeof ProgramEdited>,
  bases: readonly BaseVersion[],
  product_ids: readonly string[],
  today: Day,
): OwnProgram {
  const pending = bases.find(({ effective_from }) => effective_from !== null && effective_from > today);
  return {
    ...shownProgram(face),
    commission_base: inForce(bases, today)!.commission_base,
    commission_base_pending: pending
      ? { commission_base: pending.commission_base, effective_from: pending.effective_from! }
      : null,
    product_ids: [...product_ids],
  };
}

const one = async (documents: Documents<ProgramDoc>, brand_id: string): Promise<ProgramDoc> => {
  const [doc] = await documents.where({ brand_id }).all();
  if (!doc) throw notFound("Program");
  return doc;
};

const found = async (documents: Documents<ProgramDoc>, id: string): Promise<ProgramDoc> => {
  const doc = await documents.get(id);
  if (!doc) throw notFound("Program");
  return doc;
};

/** Programs of brands: what their pages say, and which products are in them. */
export const programs = readModel("programs", ProgramDoc, {
  on: [
    when(ProgramCreated, (_, { data: { commission_base, ...face } }) => ({
      ...face,
      bases: [{ commission_base, effective_from: null }],
      product_ids: [],
    })),
    when(ProgramEdited, (doc, { data: face }) => doc && { ...doc, ...face }),
    when(
      ProgramSettingsChanged,
      (doc, { data: { commission_base, effective_from } }) =>
        doc && { ...doc, bases: withBase(doc.bases, { commission_base, effective_from }) },
    ),
    when(ProgramProductsSet, (doc, { data: { product_ids } }) => doc && { ...doc, product_ids }),
  ],
  key: ({ data }) => data.program_id,
  indexes: [["brand_id"]],
  routes: {
    "GET /api/affiliate-programs/me": show<ProgramDoc>()({
      access: { as: "brand", owns: "brand_id" },
      answer: async (documents, _, { caller, now }) => {
        const doc = await one(documents, caller!.brand_id!);
        return shownOwnProgram(doc, doc.bases, doc.product_ids, dayAt(now));
      },
    }),
    "GET /api/affiliate-programs/public": show<ProgramDoc>()({
      access: { as: "public", fields: PUBLIC_PROGRAM },
      input: z.object({ id: z.string() }),
      answer: async (documents, { id }) => shownProgram(await found(documents, id)),
    }),
    "GET /api/affiliate-programs/brand/:brandId": show<ProgramDoc>()({
      access: { as: "public", fields: PUBLIC_PROGRAM },
      input: z.object({ brandId: z.string() }),
      answer: async (documents, { brandId }) => shownProgram(await one(documents, brandId)),
    }),
    "GET /api/affiliate-programs/:id/products": show<ProgramDoc>()({
      access: { as: "public", fields: [] },
      input: z.object({ id: z.string() }),
      answer: async (documents, { id }) => (await found(documents, id)).product_ids,
    }),
  },
});
