import { BrandLogoSet } from "@tributary/contracts/events/identity";
import { as } from "@tributary/runtime/testing/harness";
import { expect, test } from "vitest";
import { acme, ana, apply, brand, details, open, percentSet, programId } from "./acme.ts";

test("creators find brands with a program that can be seen, with the highest fee of today and how they stand", async () => {
  const app = await open();
  await app.hear("brand/b1", BrandLogoSet({ brand_id: "b1", logo_url: "https://images.example/acme.png" }));
  await apply(app, "ana");
  await percentSet(app, "mug", 40, "2026-01-10", "2026-01-11");
  const listed = (await app.as(ana).get("/api/brands")).body.items;
  expect(listed).toMatchObject([
    {
      id: "b1",
      brand_name: "Acme",
      website: "https://acme.example",
      logo_url: "https://images.example/acme.png",
      program_id: programId,
      product_count: 1,
      max_fee: 20,
      relation: "pending",
    },
  ]);
  expect((await app.as(as.creator("bo")).get("/api/brands")).body.items).toMatchObject([{ relation: null }]);
  app.clock.set("2026-01-11T20:00:00Z");
  expect((await app.as(ana).get("/api/brands")).body.items).toMatchObject([{ max_fee: 40 }]);
  expect(await app.as(brand).get("/api/brands")).toMatchObject({ status: 403 });
});

test("hidden programs are not in the directory, and the filters narrow it", async () => {
  const app = await acme();
  await app.as(brand).post("/api/affiliate-programs", { ...details, is_visible: false });
  const names = async (query: string) =>
    (await app.as(ana).get(`/api/brands${query}`)).body.items.map(
      ({ brand_name }: { brand_name: string }) => brand_name,
    );
  expect(await names("")).toEqual([]);
  await app.as(brand).patch(`/api/affiliate-programs/${programId}`, { is_visible: true });
  expect(await names("?q=Acm&category=Baby&auto_accept=false&sort=name")).toEqual(["Acme"]);
  expect(await names("?auto_accept=true")).toEqual([]);
});
