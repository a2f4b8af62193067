import { as } from "@tributary/runtime/testing/harness";
import { expect, test } from "vitest";
import { acme, brand, decided, details, open, programId } from "./acme.ts";

test("a brand opens one program; opening it again answers the one there is", async () => {
  const app = await acme();
  const first = await app.as(brand).post("/api/affiliate-programs", details);
  expect(first).toMatchObject({
    status: 201,
    body: { id: programId, title: "Acme Affiliate Program", auto_accept_applications: false },
  });
  expect(first.body.page_id).toMatch(/^[A-Za-z0-9]{5}$/);
  expect(await app.as(brand).post("/api/affiliate-programs", { ...details, title: "Other" })).toMatchObject({
    status: 201,
    body: first.body,
  });
  expect((await decided(app)).map(({ type }) => type).sort()).toEqual(["PageClaimed", "ProgramCreated"]);
});

test("two requests at once open one program", async () => {
  const app = await acme();
  const asked = [1, 2, 3, 4].map(() => app.as(brand).post("/api/affiliate-programs", details));
  const pages = new Set((await Promise.all(asked)).map(({ body }) => body.page_id));
  expect(pages.size).toBe(1);
  expect(await decided(app, "ProgramCreated")).toHaveLength(1);
});

test("a wished page id is kept when it is free; a taken one is replaced by another", async () => {
  const app = await acme();
  expect(await app.as(brand).post("/api/affiliate-programs", { ...details, page_id: "acme1" })).toMatchObject(
    { body: { page_id: "acme1" } },
  );
  const other = await app
    .as(as.brand("b2"))
    .post("/api/affiliate-programs", { ...details, brand_id: "b2", page_id: "acme1" });
  expect(other.status).toBe(201);
  expect(other.body.page_id).not.toBe("acme1");
});

test("nobody opens a program for another brand", async () => {
  const app = await acme();
  expect(await app.as(as.brand("b2")).post("/api/affiliate-programs", details)).toMatchObject({
    status: 404,
  });
  expect(await app.as(as.creator("ana")).post("/api/affiliate-programs", details)).toMatchObject({
    status: 403,
  });
});

test("title and description are required, in the words of the form", async () => {
  const app = await acme();
  const refused = await app.as(brand).post("/api/affiliate-programs", { brand_id: "b1", title: "A" });
  expect(refused.body.errors).toEqual([
    { field: "title", message: "Program title is required" },
    { field: "description", message: "Program description is required" },
  ]);
  expect(
    await app.as(brand).post("/api/affiliate-programs", { ...details, description: "<script>x</script>" }),
  ).toMatchObject({ status: 422, body: { message: "Program description is required" } });
});

test("a description keeps its text, lists and links, and loses everything that could run", async () => {
  const app = await acme();
  const description =
    '<h2>Join</h2><ul><li><b>free</b></li></ul><a href="https://acme.example" onclick="x()">us</a>' +
    '<a href="javascript:x()">no</a><script>x()</script><img src=x onerror=x()>';
  const { body } = await app.as(brand).post("/api/affiliate-programs", { ...details, description });
  expect(body.description).toBe(
    '<h2>Join</h2><ul><li><b>free</b></li></ul><a href="https://acme.example" rel="nofollow noopener noreferrer" target="_blank">us</a>' +
      '<a rel="nofollow noopener noreferrer" target="_blank">no</a>',
  );
});

test("everybody reads a program by page or id, hidden ones too, and nothing that is only the brand's", async () => {
  const app = await open({ is_visible: false });
  const nobody = app.as(null);
  const own = (await app.as(brand).get("/api/affiliate-programs/me")).body;
  const { commission_base: _, commission_base_pending: __, product_ids, ...shown } = own;
  expect(product_ids).toEqual(["mug"]);
  expect((await nobody.get(`/api/affiliate-programs/page/${own.page_id}`)).body).toEqual(shown);
  expect((await nobody.get(`/api/affiliate-programs/public?id=${programId}`)).body).toEqual(shown);
  expect((await nobody.get("/api/affiliate-programs/brand/b1")).body).toEqual(shown);
  expect((await nobody.get(`/api/affiliate-programs/${programId}/products`)).body).toEqual(["mug"]);
  expect(await nobody.get("/api/affiliate-programs/page/zzzzz")).toMatchObject({ status: 404 });
  expect(shown.is_visible).toBe(false);
});
