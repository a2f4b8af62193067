import { expect, test } from "vitest";
import { as, given } from "../src/testing/harness.ts";
import { ShelfOpened, shelf, toy } from "./toy.ts";

test("many who act on one thing at once all get their turn, one after the other", async () => {
  const app = await given(toy);
  await app.happened(shelf.at("s1"), ShelfOpened({ shelf_id: "s1", brand_id: "b1", label: "top" }));
  const answers = await Promise.all(
    Array.from({ length: 80 }, () =>
      app.as(as.brand("b1")).post("/api/shelves/s1/cups", { colour: "red", count: 1 }),
    ),
  );
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
  expect(answers.map(({ body }) => body.cups).sort((a, b) => a - b)).toEqual(answers.map((_, n) => n + 1));
});
