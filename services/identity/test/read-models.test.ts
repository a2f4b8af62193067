import { SellerConnected, SellerDisconnected } from "@tributary/contracts/events/attribution";
import {
  BrandLogoSet,
  BrandRegistered,
  CreatorApproved,
  CreatorChannelAdded,
  CreatorReachSet,
  CreatorRegistered,
  CreatorRejected,
  RoleSet,
  UserDisabled,
  UserRegistered,
} from "@tributary/contracts/events/identity";
import { brandId, creatorId } from "@tributary/contracts/ids";
import { type Story, sameInEveryInterleaving, told } from "@tributary/runtime/testing/interleavings";
import { expect, test } from "vitest";
import { identity } from "../src/main.ts";

const user = (name: string, user_type: "brand" | "creator"): Story => [
  `user/${name}`,
  UserRegistered({ user_id: name, firebase_uid: `uid-${name}`, email: `${name}@example.com`, user_type }),
  RoleSet({ user_id: name, role: "admin" }),
  UserDisabled({ user_id: name, reason: "left" }),
];
const brand = (name: string): Story[] => {
  const brand_id = brandId(name);
  return [
    user(name, "brand"),
    [
      `brand/${brand_id}`,
      BrandRegistered({
        brand_id,
        user_id: name,
        brand_name: name,
        website: "https://acme.example",
        product_category: "Baby",
      }),
      BrandLogoSet({ brand_id, logo_url: "https://images.example/1.png" }),
      BrandLogoSet({ brand_id, logo_url: "https://images.example/2.png" }),
    ],
    [
      `seller/${brand_id}`,
      SellerConnected({ brand_id, profile_id: "p", profiles: [], granted_at: "2026-01-01T00:00:00Z" }),
      SellerDisconnected({ brand_id, reason: "revoked" }),
      SellerConnected({ brand_id, profile_id: "p", profiles: [], granted_at: "2026-01-02T00:00:00Z" }),
    ],
  ];
};
const creator = (name: string): Story[] => {
  const creator_id = creatorId(name);
  return [
    user(name, "creator"),
    [
      `creator/${creator_id}`,
      CreatorRegistered({
        creator_id,
        user_id: name,
        name,
        product_categories: ["Baby"],
        approved: false,
        from_program_brand_id: null,
      }),
      CreatorChannelAdded({
        creator_id,
        channel_id: "1",
        channel: "TikTok",
        channel_link: "https://t.example",
      }),
      CreatorRejected({ creator_id, by: "root", reason: "no reach" }),
      CreatorReachSet({ creator_id, total_reach: 1000 }),
      CreatorApproved({ creator_id, by: "root" }),
    ],
  ];
};

test.each(identity.readModels.map((model) => [model.name, model] as const))(
  "%s is the same in whatever order the streams are heard",
  (_, model) =>
    expect(
      sameInEveryInterleaving(
        model,
        told(model, [...brand("acme"), ...brand("bolt"), ...creator("ana"), ...creator("bo")]),
      ).size,
    ).toBeGreaterThan(0),
);
