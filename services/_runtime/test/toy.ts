import { eventsOf } from "@tributary/contracts/event";
import { z } from "zod";
import { command } from "../src/command.ts";
import { create, notYet, to } from "../src/decision.ts";
import { facts } from "../src/facts.ts";
import { reaction } from "../src/reaction.ts";
import { readModel, show } from "../src/read-models/read-model.ts";
import { conflict } from "../src/refusal.ts";
import { service } from "../src/service.ts";
import { stream, when } from "../src/stream.ts";

const event = eventsOf("program");

/** A shelf is opened by a brand; cups are put on it, and counted by colour elsewhere. */
export const ShelfOpened = event(
  "ShelfOpened",
  z.object({ shelf_id: z.string(), brand_id: z.string(), label: z.string() }),
);
export const CupPlaced = event(
  "CupPlaced",
  z.object({ shelf_id: z.string(), brand_id: z.string(), colour: z.string(), count: z.int() }),
);
export const CupCounted = event(
  "CupCounted",
  z.object({ colour: z.string(), count: z.int(), price: z.int() }),
);
/** Told by another service: what a cup of a colour costs. */
export const ColourPriced = eventsOf("catalog")(
  "ColourPriced",
  z.object({ colour: z.string(), price: z.int() }),
);

type ShelfState = {
  readonly open: boolean;
  readonly brand_id: string;
  readonly label: string;
  readonly cups: number;
};
export const shelf = stream("shelf", { open: false, brand_id: "", label: "", cups: 0 } as ShelfState, [
  when(ShelfOpened, (_, { data }) => ({ open: true, brand_id: data.brand_id, label: data.label, cups: 0 })),
  when(CupPlaced, (state, { data }) => ({ ...state, cups: state.cups + data.count })),
]);
const label = stream("label", { taken: false } as { readonly taken: boolean }, [
  when(ShelfOpened, () => ({ taken: true })),
]);
export const count = stream("count", { cups: 0 } as { readonly cups: number }, [
  when(CupCounted, (state, { data }) => ({ cups: state.cups + data.count })),
]);

const prices = facts("prices", z.object({ price: z.int() }), {
  on: [when(ColourPriced, (_, { data }) => ({ price: data.price }))],
  key: ({ data }) => data.colour,
});

const Shelf = z.object({ shelf_id: z.string(), brand_id: z.string(), label: z.string(), cups: z.int() });
export const shelves = readModel("shelves", Shelf, {
  on: [
    when(ShelfOpened, (_, { data }) => ({ ...data, cups: 0 })),
    when(CupPlaced, (doc, { data }) => {
      if (data.colour === "cursed") throw new Error("a cursed cup can't be shown");
      return doc && { ...doc, cups: doc.cups + data.count };
    }),
  ],
  key: ({ data }) => data.shelf_id,
  indexes: [["brand_id"]],
  routes: {
    "GET /api/shelves": show<z.infer<typeof Shelf>>()({
      access: { as: "brand", owns: "brand_id" },
      input: z.object({ after: z.string().optional(), limit: z.coerce.number().optional() }),
      answer: (documents, at) => documents.sort("label").page(at),
    }),
  },
});

const openShelf = command({
  route: "POST /api/shelves",
  access: { as: "brand" },
  input: z.object({ label: z.string().min(1) }),
  stream: shelf,
  id: (_input, _caller, drawing) => drawing.id(),
  reads: ({ label: wanted }) => ({ name: label.at(wanted) }),
  decide: ({ label: wanted }, _state, { name }, { caller, id }) => {
    if (name.taken) throw conflict("label_taken", "There is such a shelf already");
    const opened = ShelfOpened({ shelf_id: id(), brand_id: caller!.brand_id!, label: wanted });
    return [opened, create(label.at(wanted), opened)];
  },
  status: 201,
});

const placeCup = command({
  route: "POST /api/shelves/:shelf_id/cups",
  access: { as: "brand", owns: (_input, state) => state.brand_id },
  input: z.object({ shelf_id: z.string(), colour: z.string(), count: z.int().positive() }),
  stream: shelf,
  id: ({ shelf_id }) => shelf_id,
  decide: ({ shelf_id, colour, count: placed }, state) => [
    CupPlaced({ shelf_id, brand_id: state.brand_id, colour, count: placed }),
  ],
});

const countCups = reaction("count-cups", {
  on: [CupPlaced],
  reads: ({ data }) => ({ total: count.at(data.colour), price: prices.at(data.colour) }),
  decide: ({ data }, { price }) => {
    if (data.colour === "broken") throw new Error("a broken cup can't be counted");
    if (!price) return notYet(`no price for ${data.colour}`);
    return [
      to(count.at(data.colour), CupCounted({ colour: data.colour, count: data.count, price: price.price })),
    ];
  },
});

/** A service small enough to see the whole runtime through. */
export const toy = service({
  name: "program",
  commands: [openShelf, placeCup],
  readModels: [shelves],
  facts: [prices],
  reactions: [countCups],
});
