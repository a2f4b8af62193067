import { sellerFrom } from "./sellers.ts";
import type { Seller } from "./state.ts";

const GOODS: [title: string, price: string, category: string][] = [
  ["Stoneware Mug, Speckled Cream, 12 oz", "19.99", "Home & Kitchen"],
  ["Pour-Over Coffee Set with Glass Carafe", "42.50", "Home & Kitchen"],
  ["Linen Apron with Cross Back, Sage", "34.00", "Home & Kitchen"],
  ["Cast Iron Skillet, Pre-Seasoned, 10 in", "39.95", "Home & Kitchen"],
  ["Beeswax Food Wraps, Set of 6", "17.49", "Home & Kitchen"],
  ["Merino Wool Beanie, Charcoal", "28.00", "Clothing"],
  ["Organic Cotton Tee, Relaxed Fit", "24.90", "Clothing"],
  ["Waxed Canvas Tote with Leather Handles", "64.00", "Clothing"],
  ["Vitamin C Serum with Hyaluronic Acid, 1 oz", "22.95", "Beauty"],
  ["Solid Shampoo Bar, Rosemary and Mint", "12.50", "Beauty"],
  ["Shea Body Butter, Unscented, 8 oz", "18.75", "Beauty"],
  ["Natural Rubber Yoga Mat, 5 mm", "72.00", "Sports & Outdoors"],
  ["Insulated Steel Bottle, 24 oz, Ocean Blue", "29.95", "Sports & Outdoors"],
  ["Resistance Bands, Set of 5 with Bag", "21.99", "Sports & Outdoors"],
  ["Packable Rain Jacket for Trails", "89.00", "Sports & Outdoors"],
  ["Wooden Rainbow Stacker, 12 Pieces", "36.50", "Toys & Games"],
  ["Cooperative Card Game for Rainy Days", "15.99", "Toys & Games"],
  ["Grain-Free Dog Treats, Salmon, 12 oz", "13.25", "Pet Supplies"],
  ["Bamboo Desk Organizer with Drawer", "31.90", "Office Products"],
  ["Dotted Notebook, 160 Pages, 120 gsm", "16.00", "Office Products"],
];

const asin = (prefix: string, index: number) =>
  `B0${prefix}${String(index + 1).padStart(8 - prefix.length, "0")}`;

/** Whom a person can log in to Amazon as: one that works, and one for each thing that can be wrong. */
export const personas: Seller[] = [
  sellerFrom({
    key: "ok",
    name: "Cedar & Clay Goods",
    products: GOODS.map(([title, price, category], index) => ({
      asin: asin("CEDAR", index),
      sku: `CC-${String(index + 1).padStart(3, "0")}`,
      title,
      price,
      category,
      availability: index === 14 ? "OUT_OF_STOCK" : index === 8 ? "IN_STOCK_SCARCE" : "IN_STOCK",
    })),
  }),
  sellerFrom({
    key: "no_us_profile",
    name: "Maple Norte",
    profiles: [{ country: "CA" }, { country: "MX" }, { country: "US", sub_type: "KDP_AUTHOR" }],
    products: [{ asin: asin("MAPLE", 0), sku: "MN-001", title: "Maple Serving Board", price: "45.00" }],
  }),
  sellerFrom({ key: "no_products", name: "Empty Shelf Co.", products: [] }),
  sellerFrom({
    key: "revoked_later",
    name: "Second Thoughts Supply",
    revokes_after_days: 7,
    products: [
      { asin: asin("SECND", 0), sku: "ST-001", title: "Desk Lamp, Brushed Brass", price: "58.00" },
      {
        asin: asin("SECND", 1),
        sku: "ST-002",
        title: "Felt Pen Tray",
        price: "14.50",
        category: "Office Products",
      },
    ],
  }),
];
