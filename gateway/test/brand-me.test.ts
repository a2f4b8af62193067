import { expect, test } from "vitest";
import { known, world } from "./world.ts";

const brand = {
  id: "brand-ana",
  user_id: "user-ana",
  brand_name: "Anaconda",
  website: "https://ana.example",
  product_category: "Baby",
  logo_url: null,
  amazon_connected: false,
};
const profile = {
  profile_id: "p1",
  merchant_token: "A1",
  country_code: "US",
  marketplace_id: "ATVPDKIKX0DER",
  name: "Ana",
  type: "seller",
  subtype: null,
  last_sync_attrib_perf_min_date: "2026-01-01",
  last_sync_attrib_perf_max_date: null,
  last_sync_attrib_prod_min_date: null,
  last_sync_attrib_prod_max_date: null,
};
const connection = {
  id: "brand-ana",
  amazon_connected: true,
  profile_id: "p1",
  disconnected_because: null,
  profiles: [profile],
};

test("a brand sees itself with its seller profiles, connected as far as the retailer says so", async () => {
  const { url, people, seen } = await world({
    services: {
      identity: (app) => app.get("/internal/brands/:id", async () => brand),
      attribution: (app) => app.get("/internal/seller/:brand_id", async () => connection),
    },
  });
  people.set("ana", known("ana"));
  const answer = await fetch(`${url}/api/brands/me`, { headers: { authorization: "Bearer ana" } });
  expect(answer.status).toBe(200);
  expect(await answer.json()).toEqual({
    ...brand,
    amazon_connected: true,
    profile_id: "p1",
    disconnected_because: null,
    profiles: [profile],
  });
  expect(seen.map(({ service, url }) => `${service} ${url}`).sort()).toEqual([
    "attribution /internal/seller/brand-ana",
    "identity /internal/brands/brand-ana",
  ]);
  expect(seen.every(({ caller }) => caller?.brand_id === "brand-ana")).toBe(true);
});

test("a brand that never connected has no profiles", async () => {
  const { url, people } = await world({
    services: {
      identity: (app) => app.get("/internal/brands/:id", async () => brand),
      attribution: () => undefined,
    },
  });
  people.set("ana", known("ana"));
  const answer = await fetch(`${url}/api/brands/me`, { headers: { authorization: "Bearer ana" } });
  expect(await answer.json()).toMatchObject({ amazon_connected: false, profiles: [] });
});

test("nobody else is a brand", async () => {
  const { url, people } = await world();
  people.set("cleo", known("cleo", { user_type: "creator", brand_id: null, creator_id: "creator-cleo" }));
  expect((await fetch(`${url}/api/brands/me`)).status).toBe(401);
  const answer = await fetch(`${url}/api/brands/me`, { headers: { authorization: "Bearer cleo" } });
  expect(answer.status).toBe(404);
});
