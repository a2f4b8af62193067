import { as } from "@tributary/runtime/testing/harness";
import { expect, test } from "vitest";
import { link } from "../src/link.ts";
import { linkCreated } from "./support/links.ts";
import { beside, creator } from "./support/story.ts";

const L1 = "aB3dE5gH7j";
const phone = {
  "user-agent": "Phone",
  "x-forwarded-for": "203.0.113.7",
  referer: "https://www.tiktok.com/@ana/video/1?x=y",
};

async function withLink(more: Record<string, string> = {}) {
  const { app } = await beside(more);
  await app.happened(link.at(L1), linkCreated(L1));
  await app.settled();
  const follow = (path: string, headers: Record<string, string> = phone) =>
    app.as(as.nobody).get(path, headers);
  return { app, follow };
}

test("a shopper is led to the product page and nothing is cached on the way", async () => {
  const { follow } = await withLink();
  const { status, headers } = await follow(`/r/${L1}`);
  expect(status).toBe(302);
  expect(headers).toMatchObject({
    location: `https://www.amazon.com/dp/B00MUG0001?maas=m&aa_adgroupid=${L1}`,
    "cache-control": "no-store",
  });
});

test("beside a sandbox the way leads to its shop", async () => {
  const { follow } = await withLink({ AMAZON_RETAIL_URL: "http://127.0.0.1:4000/shop" });
  expect((await follow(`/r/${L1}`)).headers.location).toBe(
    `http://127.0.0.1:4000/shop/dp/B00MUG0001?maas=m&aa_adgroupid=${L1}`,
  );
});

test("clicks are recorded by link and day, without an address", async () => {
  const { app, follow } = await withLink();
  await follow(`/r/${L1}`);
  await follow(`/r/${L1}`);
  await follow(`/r/${L1}`, { ...phone, "x-forwarded-for": "203.0.113.8", referer: "not a url" });
  await follow(`/r/${L1}?test=1`);
  await app.settled();

  const clicks = await app.events("clicks");
  expect(clicks).toHaveLength(3);
  expect(clicks[0]).toMatchObject({
    type: "LinkClicked",
    stream: `clicks/${L1}:2026-01-05`,
    data: { link_id: L1, date: "2026-01-05", referrer_host: "www.tiktok.com" },
  });
  expect(new Set(clicks.map(({ data }) => data.visitor)).size).toBe(2);
  expect(clicks[2]!.data.referrer_host).toBeNull();
  expect(JSON.stringify(clicks)).not.toContain("203.0.113");
});

test("the same visitor is another one the next day", async () => {
  const { app, follow } = await withLink();
  await follow(`/r/${L1}`);
  await app.settled();
  app.clock.set("2026-01-06T18:00:00Z");
  await follow(`/r/${L1}`);
  await app.settled();

  const clicks = await app.events("clicks");
  expect(clicks.map(({ data }) => data.date)).toEqual(["2026-01-05", "2026-01-06"]);
  expect(clicks[0]!.data.visitor).not.toBe(clicks[1]!.data.visitor);
});

test("an archived link leads on; an unknown one leads to the page that says so and counts nothing", async () => {
  const { app, follow } = await withLink();
  await app.as(creator).patch(`/api/links/${L1}`, { is_archived: true });
  expect((await follow(`/r/${L1}`)).headers.location).toContain("amazon.com");

  for (const unknown of ["zzzzzzzzzz", "x'y"]) {
    const { status, headers } = await follow(`/r/${encodeURIComponent(unknown)}`);
    expect(status).toBe(302);
    expect(headers.location).toBe(
      `/link-redirect-error?${new URLSearchParams({ type: "link_not_found", id: unknown })}`,
    );
  }
  await app.settled();
  expect(await app.events("clicks")).toHaveLength(1);
});
