import { eventsOf } from "@tributary/contracts/event";
import { z } from "zod";
import { command } from "../../src/command.ts";
import { facts } from "../../src/facts.ts";
import { readModel, show } from "../../src/read-models/read-model.ts";
import { notFound } from "../../src/refusal.ts";
import { service } from "../../src/service.ts";
import { stream, when } from "../../src/stream.ts";
import { NoteWritten } from "./till.ts";

const Welcomed = eventsOf("landing")("Welcomed", z.object({ note_id: z.string(), brand_id: z.string() }));

const welcomes = stream("welcome", { done: false }, [when(Welcomed, () => ({ done: true }))]);
const known = facts("known-notes", z.object({ brand_id: z.string() }), {
  on: [when(NoteWritten, (_, { data }) => ({ brand_id: data.brand_id }))],
  key: ({ data }) => data.note_id,
});

const Heard = z.object({ note_id: z.string(), brand_id: z.string(), text: z.string() });
const heardNotes = readModel("heard-notes", Heard, {
  on: [when(NoteWritten, (_, { data }) => data)],
  key: ({ data }) => data.note_id,
  indexes: [["brand_id"]],
  routes: {
    "GET /api/heard": show<z.infer<typeof Heard>>()({
      access: { as: "brand", owns: "brand_id" },
      input: z.object({}),
      answer: (documents) => documents.sort("text").page({ limit: 500 }),
    }),
  },
});

const welcomeNote = command({
  route: "POST /api/heard/:note_id/welcome",
  access: { as: "brand" },
  input: z.object({ note_id: z.string() }),
  stream: welcomes,
  id: ({ note_id }) => note_id,
  reads: ({ note_id }) => ({ note: known.at(note_id) }),
  decide: ({ note_id }, _state, { note }) => {
    if (!note) throw notFound("The note");
    return [Welcomed({ note_id, brand_id: note.brand_id })];
  },
});

/** A service that hears of notes written elsewhere: it shows them and decides on them. */
export const welcome = service({
  name: "landing",
  commands: [welcomeNote],
  readModels: [heardNotes],
  facts: [known],
});
