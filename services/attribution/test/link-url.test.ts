import fc from "fast-check";
import { expect, test } from "vitest";
import { atShop, creativeId, isTagId, productPage, taggedUrl } from "../src/link-url.ts";

const ids = {
  aa_campaignid: "tributary-b1-p1",
  aa_adgroupid: "aB3dE5gH7j",
  aa_creativeid: "aB3dE5gH7j-0a1b2c3d",
};
const TAG =
  "?maas=maas_adg_api_1_static_9_129&ref_=aa_maas&tag=maas&aa_campaignid={insertCampaign}&aa_adgroupid={insertAdGroupId}&aa_creativeid={insertCreativeId}";

test("a link leads to the product page with the tag and our three ids", () => {
  expect(taggedUrl(productPage("B00ABC1234"), TAG, ids)).toBe(
    "https://www.amazon.com/dp/B00ABC1234?maas=maas_adg_api_1_static_9_129&ref_=aa_maas&tag=maas" +
      "&aa_campaignid=tributary-b1-p1&aa_adgroupid=aB3dE5gH7j&aa_creativeid=aB3dE5gH7j-0a1b2c3d",
  );
});

test("an associates tag, a ref_ and an earlier attribution tag on the page's address go, everything else stays", () => {
  const page =
    "https://www.amazon.com/dp/B00ABC1234?th=1&tag=somebody-20&ref_=as_li&maas=old&aa_adgroupid=old&psc=1";
  const url = new URL(taggedUrl(page, TAG, ids));

  expect(url.searchParams.getAll("tag")).toEqual(["maas"]);
  expect(url.searchParams.getAll("ref_")).toEqual(["aa_maas"]);
  expect(url.searchParams.getAll("maas")).toEqual(["maas_adg_api_1_static_9_129"]);
  expect(url.searchParams.getAll("aa_adgroupid")).toEqual(["aB3dE5gH7j"]);
  expect([url.searchParams.get("th"), url.searchParams.get("psc")]).toEqual(["1", "1"]);
});

const placeholder = fc.constantFrom(
  "{insertCampaign}",
  "{insertCampaignId}",
  "{campaignId}",
  "{{campaign.id}}",
  "{insertAdiD}",
  "",
);
const extra = fc.stringMatching(/^[a-z_]{1,8}$/).filter((name) => !(name in { tag: 1, ref_: 1, maas: 1 }));
const tagId = fc
  .string({ minLength: 1, maxLength: 255, unit: "grapheme-ascii" })
  .filter((id) => isTagId(id) && !/[{}]/.test(id));

test("however the placeholders are spelled and ordered, each id stands once and no placeholder is left", () => {
  fc.assert(
    fc.property(
      fc.shuffledSubarray(["aa_campaignid", "aa_adgroupid", "aa_creativeid"]),
      fc.array(placeholder, { minLength: 3, maxLength: 3 }),
      extra,
      fc.boolean(),
      tagId,
      (order, spelled, name, question, campaign) => {
        const tag = new URLSearchParams([
          ["maas", "m"],
          ["ref_", "aa_maas"],
          ["tag", "maas"],
          [name, "x"],
        ]).toString();
        const placeholders = order.map((field, index) => `${field}=${spelled[index]}`).join("&");
        const all = { ...ids, aa_campaignid: campaign };
        const url = new URL(
          taggedUrl(productPage("B1"), `${question ? "?" : ""}${tag}&${placeholders}`, all),
        );

        for (const [field, value] of Object.entries(all))
          expect(url.searchParams.getAll(field)).toEqual([value]);
        expect(url.href).not.toMatch(/[{}]|%7B/i);
        expect(url.searchParams.get(name)).toBe("x");
      },
    ),
  );
});

test("an id with a character the retailer forbids never becomes a tag", () => {
  fc.assert(
    fc.property(fc.string(), fc.constantFrom(..."/&=#?+'\"%$"), fc.string(), (before, forbidden, after) => {
      const aa_adgroupid = before + forbidden + after;
      expect(() => taggedUrl(productPage("B1"), TAG, { ...ids, aa_adgroupid })).toThrow("aa_adgroupid");
    }),
  );
  expect(() => taggedUrl(productPage("B1"), TAG, { ...ids, aa_campaignid: "x".repeat(256) })).toThrow(
    "aa_campaignid",
  );
});

test("one tag has one landing page: another page makes another creative id", () => {
  expect(creativeId("aB3dE5gH7j", productPage("B1"))).not.toBe(creativeId("aB3dE5gH7j", productPage("B2")));
  expect(isTagId(creativeId("aB3dE5gH7j", productPage("B1")))).toBe(true);
});

test("beside a sandbox the same link leads to the sandbox's shop", () => {
  expect(atShop("https://www.amazon.com/dp/B1?tag=maas", "http://127.0.0.1:4000/shop")).toBe(
    "http://127.0.0.1:4000/shop/dp/B1?tag=maas",
  );
  expect(atShop("https://www.amazon.com/dp/B1", "https://www.amazon.com")).toBe(
    "https://www.amazon.com/dp/B1",
  );
});
