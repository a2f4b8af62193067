import { SellerConnected, SellerDisconnected } from "@tributary/contracts/events/attribution";
import { as, given } from "@tributary/runtime/testing/harness";
import { expect, test } from "vitest";
import { identity } from "../src/main.ts";
import { person } from "./people.ts";

const acme = person("acme", "brand");
const brand_id = acme.caller.brand_id!;
const details = {
  user_id: acme.user_id,
  brand_name: "Acme",
  website: "acme.example/store",
  product_category: "Home & Kitchen",
};
const shown = {
  id: brand_id,
  user_id: acme.user_id,
  brand_name: "Acme",
  website: "https://acme.example/store",
  product_category: "Home & Kitchen",
  logo_url: null,
};

test("a brand account has one brand, however often it is said, and its website gets https://", async () => {
  const app = await given(identity);
  await acme.registered(app);
  const asked = app.as(acme.signedUp);
  expect(await asked.post("/api/brands", details)).toMatchObject({ status: 201, body: shown });
  expect(await asked.post("/api/brands", { ...details, brand_name: "Other" })).toMatchObject({
    status: 201,
    body: shown,
  });
  expect((await app.events()).map(({ type }) => type)).toEqual(["BrandRegistered"]);
});

test("nobody makes a brand for another user, nor with a creator's account", async () => {
  const app = await given(identity);
  const ana = person("ana", "creator");
  await acme.registered(app);
  await ana.registered(app);
  expect(await app.as(ana.signedUp).post("/api/brands", details)).toMatchObject({ status: 404 });
  expect(await app.as(ana.signedUp).post("/api/brands", { ...details, user_id: ana.user_id })).toMatchObject({
    status: 403,
    body: { code: "not_a_brand_account" },
  });
});

test("what is missing is said in the words of the form, field by field", async () => {
  const app = await given(identity);
  await acme.registered(app);
  const refused = await app.as(acme.signedUp).post("/api/brands", {
    user_id: acme.user_id,
    brand_name: "A",
    website: "no address",
    product_category: "",
  });
  expect(refused.body.errors).toEqual([
    { field: "brand_name", message: "Brand name is required" },
    { field: "website", message: "Please enter a valid URL" },
    { field: "product_category", message: "Please select a product category" },
  ]);
});

test("a brand sets its own logo, and nobody else's", async () => {
  const app = await given(identity);
  await acme.registered(app);
  await app.as(acme.signedUp).post("/api/brands", details);
  const logo = { logo_url: "https://images.example/acme.png" };
  expect(await app.as(acme.caller).patch(`/api/brands/${brand_id}/logo`, logo)).toMatchObject({
    status: 200,
    body: { ...shown, ...logo },
  });
  expect(await app.as(as.brand("other")).patch(`/api/brands/${brand_id}/logo`, logo)).toMatchObject({
    status: 404,
  });
  expect(
    await app.as(acme.caller).patch(`/api/brands/${brand_id}/logo`, { logo_url: "javascript:alert(1)" }),
  ).toMatchObject({ status: 400 });
});

test("everybody sees a brand's name and website, and nothing of its account", async () => {
  const app = await given(identity);
  await acme.registered(app);
  await app.as(acme.signedUp).post("/api/brands", details);
  expect((await app.as(null).get(`/public/api/brands/${brand_id}`)).body).toEqual({
    id: brand_id,
    name: "Acme",
    website: "https://acme.example/store",
    product_category: "Home & Kitchen",
    logo_url: null,
  });
  expect(await app.as(null).get("/public/api/brands/unknown")).toMatchObject({ status: 404 });
});

test("a brand is connected from the moment its seller account is, until it is not", async () => {
  const app = await given(identity);
  await acme.registered(app);
  await app.as(acme.signedUp).post("/api/brands", details);
  const connected = async () => {
    await app.settled();
    return (await app.as(acme.caller).get("/api/user-type")).body.amazonConnected;
  };
  expect(await connected()).toBe(false);
  await app.hear(
    "seller/1",
    SellerConnected({ brand_id, profile_id: "p1", profiles: [], granted_at: "2026-01-05T18:00:00Z" }),
  );
  expect(await connected()).toBe(true);
  expect((await app.as(acme.caller).get(`/internal/brands/${brand_id}`)).body).toEqual({
    ...shown,
    amazon_connected: true,
  });
  expect(await app.as(as.brand("other")).get(`/internal/brands/${brand_id}`)).toMatchObject({ status: 404 });
  await app.hear("seller/1", SellerDisconnected({ brand_id, reason: "revoked" }));
  expect(await connected()).toBe(false);
});
