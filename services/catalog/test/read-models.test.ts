import { asDay } from "@tributary/contracts/dates";
import {
  ProductChanged,
  ProductCommissionChangeCancelled,
  ProductCommissionChanged,
  ProductDelisted,
  ProductFavorited,
  ProductListed,
} from "@tributary/contracts/events/catalog";
import { type Story, sameInEveryInterleaving, told } from "@tributary/runtime/testing/interleavings";
import { expect, test } from "vitest";
import { catalog } from "../src/main.ts";
import { mug } from "./shelf.ts";

const story = (product_id: string): Story => {
  const own = { product_id, brand_id: "b1" };
  const [c, set_by] = [asDay("2026-01-10"), "user-b1"];
  return [
    `product/${product_id}`,
    ProductListed({ ...mug, product_id, commission_percent: 20, listed_on: c }),
    ProductFavorited({ ...own, favorite: true }),
    ProductCommissionChanged({
      ...own,
      percent: 15,
      effective_from: asDay("2026-01-24"),
      requested_on: c,
      set_by,
    }),
    ProductCommissionChangeCancelled({ ...own, requested_on: c, set_by }),
    ProductDelisted(own),
    ProductChanged({ ...mug, product_id, title: "Mug, blue" }),
    ProductCommissionChanged({
      ...own,
      percent: 25,
      effective_from: asDay("2026-01-11"),
      requested_on: c,
      set_by,
    }),
  ];
};

test.each(catalog.readModels.map((model) => [model.name, model] as const))(
  "%s is the same in whatever order the streams are heard",
  (_, model) =>
    expect(
      sameInEveryInterleaving(model, told(model, ["mug", "pan", "pot"].map(story))).size,
    ).toBeGreaterThan(0),
);
