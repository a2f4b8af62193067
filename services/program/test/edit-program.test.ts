import { as } from "@tributary/runtime/testing/harness";
import { expect, test } from "vitest";
import { apply, brand, decided, open, programId } from "./acme.ts";

const path = `/api/affiliate-programs/${programId}`;

test("what changes is said whole, what doesn't is not said again", async () => {
  const app = await open();
  expect(await app.as(brand).patch(path, { title: "Acme Mugs", is_visible: false })).toMatchObject({
    status: 200,
    body: { title: "Acme Mugs Affiliate Program", is_visible: false },
  });
  await app.as(brand).patch(path, { is_visible: false });
  expect(await decided(app, "ProgramEdited")).toHaveLength(1);
  expect(await app.as(as.brand("b2")).patch(path, { is_visible: true })).toMatchObject({ status: 404 });
});

test("a new page id leads to the program, and the old one still does; another's is refused", async () => {
  const app = await open();
  const { page_id } = (await app.as(brand).get("/api/affiliate-programs/me")).body;
  await app.as(brand).patch(path, { page_id: "acme2" });
  for (const id of [page_id, "acme2"]) {
    expect((await app.as(null).get(`/api/affiliate-programs/page/${id}`)).body).toMatchObject({
      id: programId,
      page_id: "acme2",
    });
  }
  await app.as(brand).patch(path, { page_id });
  expect((await app.as(brand).get("/api/affiliate-programs/me")).body).toMatchObject({ page_id });
  const other = app.as(as.brand("b2"));
  const theirs = (
    await other.post("/api/affiliate-programs", { brand_id: "b2", title: "Other", description: "Hello" })
  ).body;
  expect(await other.patch(`/api/affiliate-programs/${theirs.id}`, { page_id: "acme2" })).toMatchObject({
    status: 409,
    body: { code: "page_id_taken" },
  });
});

test("another commission base counts from the next day, for partners who join from then on too", async () => {
  const app = await open({ auto_accept_applications: true });
  expect(await app.as(brand).patch(path, { commission_base: "promoted" })).toMatchObject({
    body: {
      commission_base: "total",
      commission_base_pending: { commission_base: "promoted", effective_from: "2026-01-11" },
    },
  });
  await apply(app, "ana");
  app.clock.set("2026-01-11T20:00:00Z");
  await app.settled();
  await apply(app, "bo");
  expect((await decided(app, "PartnershipActivated")).map(({ data }) => data.commission_base)).toEqual([
    "total",
    "promoted",
  ]);
});

test("a base taken back on the same day leaves everything as it was", async () => {
  const app = await open();
  await app.as(brand).patch(path, { commission_base: "promoted" });
  await app.as(brand).patch(path, { commission_base: "total" });
  await app.as(brand).patch(path, { commission_base: "total" });
  expect(
    (await decided(app, "ProgramSettingsChanged")).map(({ data }) => [
      data.commission_base,
      data.effective_from,
    ]),
  ).toEqual([
    ["promoted", "2026-01-11"],
    ["total", "2026-01-11"],
  ]);
  app.clock.set("2026-01-11T20:00:00Z");
  await app.settled();
  expect((await app.as(brand).get("/api/affiliate-programs/me")).body).toMatchObject({
    commission_base: "total",
    commission_base_pending: null,
  });
});

test("a program holds only products of its brand, each once", async () => {
  const app = await open();
  expect(await app.as(brand).put(`${path}/products`, { productIds: ["mug", "foreign"] })).toMatchObject({
    status: 422,
    body: {
      code: "unknown_products",
      errors: [{ field: "productIds", message: "foreign is none of your products" }],
    },
  });
  expect(await app.as(brand).put(`${path}/products`, { productIds: ["pan", "mug", "pan"] })).toMatchObject({
    status: 200,
    body: { id: programId, productIds: ["pan", "mug"] },
  });
  expect((await decided(app, "ProgramProductsSet")).at(-1)).toMatchObject({
    data: { product_ids: ["pan", "mug"], added_product_ids: ["pan"] },
  });
});
