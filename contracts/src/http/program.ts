import { z } from "zod";
import { day } from "../dates.ts";
import { CommissionBase } from "../events/program.ts";
import { percent } from "../fees.ts";
import { PendingFee } from "./catalog.ts";
import { webAddress } from "./identity.ts";

/** Every program's title ends with these words; they are put there when they are missing. */
export const TITLE_SUFFIX = " Affiliate Program";

const title = z
  .string("Program title is required")
  .trim()
  .min(2, "Program title is required")
  .max(200, "Please use at most 200 characters");
const description = z
  .string("Program description is required")
  .trim()
  .min(2, "Program description is required")
  .max(20_000, "Please use at most 20000 characters");
const logo_url = webAddress("Please enter a valid URL").nullish();
const page_id = z.string().regex(/^[A-Za-z0-9]{5}$/, "A page id is 5 letters and digits");

/** Form of a program's details. */
export const ProgramDetails = z.object({
  title,
  description,
  is_visible: z.boolean().default(false),
  auto_accept_applications: z.boolean().default(false),
  logo_url,
});

/** POST /api/affiliate-programs. `page_id` is a wish: a free one is kept, otherwise the server finds another. */
export const CreateProgram = ProgramDetails.extend({
  brand_id: z.string().min(1),
  page_id: page_id.nullish().catch(null),
  commission_base: CommissionBase.default("total"),
});

/** PATCH /api/affiliate-programs/{id}. Another commission base counts from the next day. */
export const EditProgram = z.object({
  id: z.string(),
  title: title.optional(),
  description: description.optional(),
  is_visible: z.boolean().optional(),
  auto_accept_applications: z.boolean().optional(),
  logo_url,
  page_id: page_id.optional(),
  commission_base: CommissionBase.optional(),
});

/** PUT /api/affiliate-programs/{id}/products. */
export const SetProgramProducts = z.object({
  id: z.string(),
  productIds: z.array(z.string().min(1)).max(1000, "A program has at most 1000 products"),
});

export const Program = z.object({
  id: z.string(),
  brand_id: z.string(),
  title: z.string(),
  /** Sanitized HTML. */
  description: z.string(),
  is_visible: z.boolean(),
  auto_accept_applications: z.boolean(),
  logo_url: z.string().nullable(),
  page_id: z.string(),
});
export type Program = z.infer<typeof Program>;

/** A program as its brand sees it. */
export const OwnProgram = Program.extend({
  commission_base: CommissionBase,
  commission_base_pending: z.object({ commission_base: CommissionBase, effective_from: day }).nullable(),
  product_ids: z.array(z.string()),
});
export type OwnProgram = z.infer<typeof OwnProgram>;

export const PartnershipStatus = z.enum(["pending", "active", "rejected", "ended"]);
export type PartnershipStatus = z.infer<typeof PartnershipStatus>;

/** POST /api/creator-brand-partnerships. `status` and `started_by` are read by nobody: the server decides them. */
export const ApplyToProgram = z.object({
  creator_id: z.string().min(1),
  brand_id: z.string().min(1),
  source_program_id: z.string().min(1),
  referral_code: z
    .string()
    .trim()
    .transform((code) => code || null)
    .nullish(),
  status: z.string().optional(),
  started_by: z.string().optional(),
});

export const Partnership = z.object({
  id: z.string(),
  creator_id: z.string(),
  brand_id: z.string(),
  status: PartnershipStatus,
  started_by: z.literal("creator"),
  source_program_id: z.string(),
  referral_code: z.string().nullable(),
  referrer_creator_id: z.string().nullable(),
  referral_percent: z.int().nullable(),
  started_on: day.nullable(),
  ended_on: day.nullable(),
  ended_by: z.enum(["brand", "creator"]).nullable(),
  /** Why it was rejected or ended. */
  reason: z.string().nullable(),
});
export type Partnership = z.infer<typeof Partnership>;

const privateFee = z.object({ product_id: z.string().min(1), affiliate_fee: percent });

/** PATCH /api/creator-brand-partnerships/{id}: a brand answers an application, either party ends the partnership. */
export const AnswerPartnership = z.object({
  id: z.string(),
  status: z.enum(["active", "rejected", "ended"]),
  reason: z.string().trim().max(1000, "Please use at most 1000 characters").nullish(),
  product_ids: z.array(z.string().min(1)).max(1000, "At most 1000 products at once").optional(),
  fees: z.array(privateFee).max(100, "At most 100 private fees at once").optional(),
});

export const PartnershipsQuery = z.object({
  status: PartnershipStatus.optional(),
  after: z.string().optional(),
  limit: z.coerce.number().int().min(1).max(500).optional(),
});

/** Who a brand works with, as far as a brand may know. */
export const Partner = z.object({
  creator_id: z.string(),
  name: z.string().nullable(),
  product_categories: z.array(z.string()),
  total_reach: z.int().nullable(),
  channels: z.array(z.object({ channel: z.string(), channel_link: z.string() })),
});
export type Partner = z.infer<typeof Partner>;
export const PartnershipRow = Partnership.extend({
  requested_at: z.string(),
  creator: Partner.nullable(),
  brand_name: z.string().nullable(),
});
export const Partnerships = z.object({ items: z.array(PartnershipRow), next: z.string().nullable() });

export const CreatorProductStatus = z.enum(["active", "paused", "removed"]);

/** One product a creator may promote, with the fee in force for them today. */
export const CreatorProduct = z.object({
  id: z.string(),
  product_id: z.string(),
  affiliate_fee: z.int(),
  is_private: z.boolean(),
  pending: PendingFee.nullable(),
  status: CreatorProductStatus,
  /** The product's own percent today, for all creators. */
  commission_perc: z.int(),
  title: z.string().nullable(),
  asin: z.string().nullable(),
  image_url: z.string().nullable(),
  price: z.string().nullable(),
  availability: z.string().nullable(),
});
export type CreatorProduct = z.infer<typeof CreatorProduct>;

/** GET /api/creator-products/{brandId}, and the same of one partnership for its brand. */
export const CreatorProducts = z.object({
  partnership_id: z.string(),
  status: PartnershipStatus,
  items: z.array(CreatorProduct),
});
export type CreatorProducts = z.infer<typeof CreatorProducts>;

/** PUT /api/creator-products/{partnershipId}. An empty fee asks for the product's own percent. */
export const SetCreatorProducts = z.object({
  partnershipId: z.string(),
  items: z
    .array(
      z.object({
        product_id: z.string().min(1),
        affiliate_fee: percent.nullish(),
        status: CreatorProductStatus.optional(),
      }),
    )
    .min(1, "Name at least one product")
    .max(100, "At most 100 products at once"),
});

/** PUT /api/brand-referral-settings/{partnershipId}. */
export const SetReferralSettings = z.object({
  partnershipId: z.string(),
  referral_commission_rate: percent,
  is_active: z.boolean().default(true),
});
export const ReferralSettings = z.object({
  partnership_id: z.string(),
  brand_id: z.string(),
  creator_id: z.string(),
  referral_commission_rate: z.int(),
  is_active: z.boolean(),
  referral_code: z.string(),
});
export type ReferralSettings = z.infer<typeof ReferralSettings>;

/** GET /api/referrals/info/{code}. */
export const ReferralInfo = z.object({ creator_name: z.string(), referral_commission_rate: z.int() });

/** POST /api/referrals. */
export const ReferCreator = z.object({
  referral_code: z.string().trim().min(1),
  referred_creator_id: z.string().min(1),
});

/** GET /api/brands: the directory for creators. */
export const DirectoryQuery = z.object({
  q: z.string().optional(),
  category: z.string().optional(),
  auto_accept: z.enum(["true", "false"]).optional(),
  sort: z.enum(["newest", "name"]).optional(),
  after: z.string().optional(),
  limit: z.coerce.number().int().min(1).max(100).optional(),
});
export const DirectoryBrand = z.object({
  id: z.string(),
  brand_name: z.string(),
  website: z.string(),
  product_category: z.string(),
  logo_url: z.string().nullable(),
  program_id: z.string(),
  page_id: z.string(),
  auto_accept_applications: z.boolean(),
  product_count: z.int(),
  /** The highest fee among the program's products today; null without products. */
  max_fee: z.int().nullable(),
  relation: PartnershipStatus.nullable(),
});
export type DirectoryBrand = z.infer<typeof DirectoryBrand>;
export const Directory = z.object({ items: z.array(DirectoryBrand), next: z.string().nullable() });
