import { z } from "zod";
import { readModel, show } from "../../src/read-models/read-model.ts";
import { service } from "../../src/service.ts";
import { when } from "../../src/stream.ts";
import { CupPlaced, ShelfOpened } from "../toy.ts";

const Shelf = z.object({ shelf_id: z.string(), brand_id: z.string(), cups: z.int() });
const ShelfAnew = Shelf.extend({ largest: z.int() });

/** The cups of every shelf, as it was first shown. */
export const cups = readModel("cups", Shelf, {
  on: [
    when(ShelfOpened, (_, { data: { shelf_id, brand_id } }) => ({ shelf_id, brand_id, cups: 0 })),
    when(CupPlaced, (doc, { data }) => doc && { ...doc, cups: doc.cups + data.count }),
  ],
  key: ({ data }) => data.shelf_id,
  routes: {
    "GET /api/cups": show<z.infer<typeof Shelf>>()({
      access: { as: "brand", owns: "brand_id" },
      input: z.object({}),
      answer: (documents) => documents.sort("shelf_id").page(),
    }),
  },
});

/** The same with one thing more. */
export const cupsAnew = readModel("cups", ShelfAnew, {
  version: 2,
  on: [
    when(ShelfOpened, (_, { data: { shelf_id, brand_id } }) => ({ shelf_id, brand_id, cups: 0, largest: 0 })),
    when(
      CupPlaced,
      (doc, { data }) =>
        doc && { ...doc, cups: doc.cups + data.count, largest: Math.max(doc.largest, data.count) },
    ),
  ],
  key: ({ data }) => data.shelf_id,
  routes: {
    "GET /api/cups": show<z.infer<typeof ShelfAnew>>()({
      access: { as: "brand", owns: "brand_id" },
      input: z.object({}),
      answer: (documents) => documents.sort("shelf_id").page(),
    }),
  },
});

export const pricedShelves = service({ name: "program", readModels: [cups] });
export const pricedShelvesAnew = service({ name: "program", readModels: [cupsAnew] });
