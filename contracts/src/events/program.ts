import { z } from "zod";
import { day } from "../dates.ts";
import { eventsOf } from "../event.ts";

const event = eventsOf("program");

/** `total` pays on promoted and halo sales, `promoted` on the linked product's own. */
export const CommissionBase = z.enum(["total", "promoted"]);
export type CommissionBase = z.infer<typeof CommissionBase>;

const program = {
  program_id: z.string(),
  brand_id: z.string(),
  title: z.string(),
  /** Sanitized HTML. */
  description: z.string(),
  is_visible: z.boolean(),
  auto_accept_applications: z.boolean(),
  logo_url: z.string().nullable(),
  page_id: z.string(),
};

export const ProgramCreated = event(
  "ProgramCreated",
  z.object({ ...program, commission_base: CommissionBase }),
);

/** The program's public face as it is now, whole. */
export const ProgramEdited = event("ProgramEdited", z.object(program));

/** Another commission base, in force from a day on. */
export const ProgramSettingsChanged = event(
  "ProgramSettingsChanged",
  z.object({
    program_id: z.string(),
    brand_id: z.string(),
    commission_base: CommissionBase,
    effective_from: day,
    set_by: z.string(),
  }),
);

export const ProgramProductsSet = event(
  "ProgramProductsSet",
  z.object({
    program_id: z.string(),
    brand_id: z.string(),
    product_ids: z.array(z.string()),
    /** Those that were not in the program before. */
    added_product_ids: z.array(z.string()),
  }),
);

/** A page id belongs to this program for ever: old addresses keep leading to it. */
export const PageClaimed = event("PageClaimed", z.object({ page_id: z.string(), program_id: z.string() }));

const parties = { partnership_id: z.string(), creator_id: z.string(), brand_id: z.string() };

export const PartnershipRequested = event(
  "PartnershipRequested",
  z.object({
    ...parties,
    source_program_id: z.string(),
    referral_code: z.string().nullable(),
    /** Who referred the creator, and at which percent: fixed when the code was used. */
    referrer_creator_id: z.string().nullable(),
    referral_percent: z.int().nullable(),
  }),
);

/** From this marketplace day on the creator earns; everything a listener needs to know of it stands here. */
export const PartnershipActivated = event(
  "PartnershipActivated",
  z.object({
    ...parties,
    started_on: day,
    source_program_id: z.string(),
    commission_base: CommissionBase,
    referrer_creator_id: z.string().nullable(),
    referral_percent: z.int().nullable(),
  }),
);

export const PartnershipRejected = event(
  "PartnershipRejected",
  z.object({ ...parties, reason: z.string().nullable(), by: z.string() }),
);

/** Sales up to 14 days after `ended_on` are still paid (product specification: attribution window). */
export const PartnershipEnded = event(
  "PartnershipEnded",
  z.object({ ...parties, ended_on: day, by: z.enum(["brand", "creator"]), reason: z.string().nullable() }),
);

/** A creator joined those who are granted whatever the program takes up next; stands on the brand's roster. */
export const PartnerEnrolled = event(
  "PartnerEnrolled",
  z.object({
    ...parties,
    /** Version of the program's last choice of products at that moment: only later ones are granted by the roster. */
    products_version: z.int(),
  }),
);

/** A creator left the brand's roster. */
export const PartnerLeft = event("PartnerLeft", z.object(parties));

const grant = { creator_product_id: z.string(), ...parties, product_id: z.string() };

/** The creator may promote the product; `affiliate_fee` is a copy of the percent of that day, for display. */
export const CreatorProductGranted = event(
  "CreatorProductGranted",
  z.object({ ...grant, affiliate_fee: z.int() }),
);

/** A private fee of one creator for one product. Cancels what was to begin after `requested_on`, as with a product's percent. */
export const CreatorFeeAgreed = event(
  "CreatorFeeAgreed",
  z.object({ ...grant, percent: z.int(), effective_from: day, requested_on: day, set_by: z.string() }),
);

/** The fee already in force was asked for: what was to begin after `requested_on` is cancelled, nothing else changes. */
export const CreatorFeeChangeCancelled = event(
  "CreatorFeeChangeCancelled",
  z.object({ ...grant, requested_on: day, set_by: z.string() }),
);

/** Whether the creator may make new links for the product; links already made keep working and earning. */
export const CreatorProductStatusSet = event(
  "CreatorProductStatusSet",
  z.object({ ...grant, status: z.enum(["active", "paused", "removed"]), set_by: z.string() }),
);

/** The one referral code of a partnership, for ever. */
export const ReferralCodeIssued = event(
  "ReferralCodeIssued",
  z.object({ ...parties, referral_code: z.string() }),
);

/** What the brand pays this creator for referring others, in percent of the referred creator's sales. */
export const ReferralSettingsSet = event(
  "ReferralSettingsSet",
  z.object({
    ...parties,
    referral_commission_rate: z.int(),
    is_active: z.boolean(),
    referral_code: z.string(),
  }),
);

/** A creator came by another's code. It informs; what is paid is fixed when the code is used in an application. */
export const CreatorReferred = event(
  "CreatorReferred",
  z.object({
    referred_creator_id: z.string(),
    referrer_creator_id: z.string(),
    brand_id: z.string(),
    referral_code: z.string(),
    referral_commission_rate: z.int(),
  }),
);
