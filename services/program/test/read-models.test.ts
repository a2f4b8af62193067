import { asDay } from "@tributary/contracts/dates";
import { ProductChanged, ProductCommissionChanged } from "@tributary/contracts/events/catalog";
import {
  BrandLogoSet,
  BrandRegistered,
  CreatorChannelAdded,
  CreatorReachSet,
  CreatorRegistered,
} from "@tributary/contracts/events/identity";
import {
  CreatorFeeAgreed,
  CreatorFeeChangeCancelled,
  CreatorProductGranted,
  CreatorProductStatusSet,
  PageClaimed,
  PartnershipActivated,
  PartnershipEnded,
  PartnershipRejected,
  PartnershipRequested,
  ProgramCreated,
  ProgramEdited,
  ProgramProductsSet,
  ProgramSettingsChanged,
  ReferralCodeIssued,
  ReferralSettingsSet,
} from "@tributary/contracts/events/program";
import { type Story, sameInEveryInterleaving, told } from "@tributary/runtime/testing/interleavings";
import { expect, test } from "vitest";
import { program } from "../src/main.ts";
import { listing } from "./acme.ts";

const day = asDay("2026-01-10");
const next = asDay("2026-01-11");

const house = (brand_id: string): Story[] => {
  const face = {
    program_id: `program-${brand_id}`,
    brand_id,
    title: "Acme Affiliate Program",
    description: "Join",
    is_visible: true,
    auto_accept_applications: false,
    logo_url: null,
    page_id: `page-${brand_id}`,
  };
  const { program_id, page_id } = face;
  const { commission_percent: _, listed_on: __, ...unpriced } = listing(brand_id, brand_id, 20).data;
  return [
    [
      `brand/${brand_id}`,
      BrandRegistered({
        brand_id,
        user_id: "u",
        brand_name: brand_id,
        website: "https://acme.example",
        product_category: "Baby",
      }),
      BrandLogoSet({ brand_id, logo_url: "https://images.example/1.png" }),
    ],
    [
      `program/${program_id}`,
      ProgramCreated({ ...face, commission_base: "total" }),
      ProgramProductsSet({ program_id, brand_id, product_ids: ["mug"], added_product_ids: ["mug"] }),
      ProgramEdited({ ...face, is_visible: false, auto_accept_applications: true }),
      ProgramSettingsChanged({
        program_id,
        brand_id,
        commission_base: "promoted",
        effective_from: next,
        set_by: "u",
      }),
      ProgramSettingsChanged({
        program_id,
        brand_id,
        commission_base: "total",
        effective_from: next,
        set_by: "u",
      }),
    ],
    [`page/${page_id}`, PageClaimed({ page_id, program_id })],
    [
      `product/${brand_id}`,
      listing(brand_id, brand_id, 20),
      ProductChanged({ ...unpriced, title: "Mug, blue" }),
      ProductCommissionChanged({
        product_id: brand_id,
        brand_id,
        percent: 30,
        effective_from: next,
        requested_on: day,
        set_by: "u",
      }),
    ],
  ];
};

const pair = (creator_id: string, brand_id: string): Story[] => {
  const parties = { partnership_id: `${creator_id}:${brand_id}`, creator_id, brand_id };
  const came = { ...parties, source_program_id: "p", referrer_creator_id: null, referral_percent: null };
  const grant = { creator_product_id: `grant-${creator_id}-${brand_id}`, ...parties, product_id: "mug" };
  const code = `code-${creator_id}-${brand_id}`;
  return [
    [
      `partnership/${parties.partnership_id}`,
      PartnershipRequested({ ...came, referral_code: null }),
      PartnershipRejected({ ...parties, reason: "later", by: "u" }),
      PartnershipRequested({ ...came, referral_code: null }),
      PartnershipActivated({ ...came, commission_base: "total", started_on: day }),
      ReferralCodeIssued({ ...parties, referral_code: code }),
      PartnershipEnded({ ...parties, ended_on: next, by: "brand", reason: null }),
    ],
    [
      `creator-product/${grant.creator_product_id}`,
      CreatorProductGranted({ ...grant, affiliate_fee: 20 }),
      CreatorFeeAgreed({ ...grant, percent: 30, effective_from: next, requested_on: day, set_by: "u" }),
      CreatorFeeChangeCancelled({ ...grant, requested_on: day, set_by: "u" }),
      CreatorProductStatusSet({ ...grant, status: "paused", set_by: "u" }),
    ],
    [
      `referral/${code}`,
      ReferralSettingsSet({ ...parties, referral_commission_rate: 5, is_active: true, referral_code: code }),
      ReferralSettingsSet({ ...parties, referral_commission_rate: 5, is_active: false, referral_code: code }),
    ],
  ];
};

const creator = (creator_id: string): Story => [
  `creator/${creator_id}`,
  CreatorRegistered({
    creator_id,
    user_id: "u",
    name: creator_id,
    product_categories: ["Baby"],
    approved: true,
    from_program_brand_id: null,
  }),
  CreatorChannelAdded({ creator_id, channel_id: "1", channel: "TikTok", channel_link: "https://t.example" }),
  CreatorReachSet({ creator_id, total_reach: 1000 }),
];

test.each(program.readModels.map((model) => [model.name, model] as const))(
  "%s is the same in whatever order the streams are heard",
  (_, model) =>
    expect(
      sameInEveryInterleaving(
        model,
        told(model, [
          ...house("b1"),
          ...house("b2"),
          ...pair("ana", "b1"),
          ...pair("bo", "b1"),
          creator("ana"),
          creator("bo"),
        ]),
      ).size,
    ).toBeGreaterThan(0),
);
