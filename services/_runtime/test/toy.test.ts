import { expect, test } from "vitest";
import { as, given } from "../src/testing/harness.ts";
import { ColourPriced, CupPlaced, count, ShelfOpened, shelf, shelves, toy } from "./toy.ts";

test("what a caller has just done shows in the next answer, and only to its owner", async () => {
  const app = await given(toy);
  const opened = await app.as(as.brand("b1")).post("/api/shelves", { label: "top" });
  expect(opened).toMatchObject({ status: 201, body: { open: true, label: "top" } });
  expect(await app.as(as.brand("b1")).get("/api/shelves")).toMatchObject({
    status: 200,
    body: { items: [{ label: "top", cups: 0 }] },
  });
  expect(await app.as(as.brand("b2")).get("/api/shelves")).toMatchObject({ body: { items: [] } });
  expect(await app.as(as.creator("c1")).get("/api/shelves")).toMatchObject({ status: 403 });
  expect(await app.as(null).get("/api/shelves")).toMatchObject({
    status: 401,
    body: { code: "not_authenticated" },
  });
});

test("a label is claimed once", async () => {
  const app = await given(toy);
  expect(await app.as(as.brand("b1")).post("/api/shelves", { label: "top" })).toMatchObject({ status: 201 });
  expect(await app.as(as.brand("b2")).post("/api/shelves", { label: "top" })).toMatchObject({
    status: 409,
    body: { code: "label_taken" },
  });
});

test("bad input is refused with the field's name, unknown fields too", async () => {
  const app = await given(toy);
  const got = await app.as(as.brand("b1")).post("/api/shelves", { label: "", brand_id: "b2" });
  expect(got.status).toBe(400);
  expect(got.body.errors.map(({ field }: { field: string }) => field).sort()).toEqual(["brand_id", "label"]);
});

test("a stranger's shelf answers 404", async () => {
  const app = await given(toy);
  await app.happened(shelf.at("s1"), ShelfOpened({ shelf_id: "s1", brand_id: "b1", label: "top" }));
  expect(
    await app.as(as.brand("b2")).post("/api/shelves/s1/cups", { colour: "red", count: 1 }),
  ).toMatchObject({ status: 404 });
  expect(
    await app.as(as.brand("b1")).post("/api/shelves/s1/cups", { colour: "red", count: 1 }),
  ).toMatchObject({ status: 200, body: { cups: 1 } });
});

test("an event without its fact waits, its stream behind it, and goes on in order when the fact comes", async () => {
  const app = await given(toy);
  const place = (colour: string, placed: number) =>
    CupPlaced({ shelf_id: "s1", brand_id: "b1", colour, count: placed });
  await app.happened(
    shelf.at("s1"),
    ShelfOpened({ shelf_id: "s1", brand_id: "b1", label: "top" }),
    place("red", 1),
    place("blue", 2),
  );
  await app.hear("colour/blue", ColourPriced({ colour: "blue", price: 7 }));
  await app.settled();
  expect(await app.events()).toEqual([]);
  expect((await app.held()).map(({ cause, tenant }) => ({ cause, tenant }))).toEqual([
    { cause: "no price for red", tenant: "b1" },
    { cause: "waits behind an earlier event of its stream", tenant: "b1" },
  ]);
  await app.hear("colour/red", ColourPriced({ colour: "red", price: 5 }));
  await app.settled();
  expect((await app.events()).map(({ stream, data }) => [stream, data.count, data.price])).toEqual([
    [count.at("blue").id, 2, 7],
    [count.at("red").id, 1, 5],
  ]);
  expect(await app.held()).toEqual([]);
  expect(await app.heardTwiceFromZero()).toMatchObject({ calls: 0 });
});

test("a document that can't be folded is held, its neighbours go on", async () => {
  const app = await given(toy);
  for (const id of ["s1", "s2"])
    await app.happened(shelf.at(id), ShelfOpened({ shelf_id: id, brand_id: "b1", label: id }));
  await app.happened(
    shelf.at("s1"),
    CupPlaced({ shelf_id: "s1", brand_id: "b1", colour: "cursed", count: 1 }),
  );
  await app.happened(shelf.at("s2"), CupPlaced({ shelf_id: "s2", brand_id: "b1", colour: "red", count: 3 }));
  await app.hear(
    "colour/red",
    ColourPriced({ colour: "red", price: 5 }),
    ColourPriced({ colour: "cursed", price: 1 }),
  );
  await app.settled();
  expect(await app.mounted.heldDocuments()).toEqual([
    { readModel: "shelves", id: "s1", cause: "a cursed cup can't be shown" },
  ]);
  expect(await app.documents(shelves).get("s2")).toMatchObject({ cups: 3 });
});

test("one idempotency key, one event and the same answer; another body is refused", async () => {
  const app = await given(toy);
  const post = (label: string) =>
    app.as(as.brand("b1")).post("/api/shelves", { label }, { "idempotency-key": "k1" });
  const [first, second] = await Promise.all([post("top"), post("top")]);
  expect(second.body).toEqual(first.body);
  expect(await app.events()).toHaveLength(2);
  expect(await post("other")).toMatchObject({ status: 409, body: { code: "idempotency_key_reused" } });
});
