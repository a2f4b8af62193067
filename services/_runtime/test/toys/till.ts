import { eventsOf } from "@tributary/contracts/event";
import { z } from "zod";
import { client, settings } from "../../src/client.ts";
import { command } from "../../src/command.ts";
import { anyhow, to } from "../../src/decision.ts";
import { effect } from "../../src/effect.ts";
import { reaction } from "../../src/reaction.ts";
import { readModel, show } from "../../src/read-models/read-model.ts";
import { conflict } from "../../src/refusal.ts";
import { type Service, service } from "../../src/service.ts";
import { stream, when } from "../../src/stream.ts";

const event = eventsOf("billing");

/** What is earned is booked once, in its month or, when that has closed, in the next; a closed month is paid by a partner. */
export const Earned = event("Earned", z.object({ earning: z.string(), month: z.int(), cents: z.int() }));
export const Booked = event("Booked", z.object({ earning: z.string(), month: z.int(), cents: z.int() }));
export const Tallied = event("Tallied", z.object({ earning: z.string() }));
export const MonthClosed = event("MonthClosed", z.object({ month: z.int() }));
export const Paid = event("Paid", z.object({ month: z.int(), reference: z.string() }));
export const NoteWritten = event(
  "NoteWritten",
  z.object({ note_id: z.string(), brand_id: z.string(), text: z.string() }),
);
export const NameTaken = event("NameTaken", z.object({ name: z.string(), brand_id: z.string() }));

export const earnings = stream("earning", null, [when(Earned, (state) => state)]);
export const months = stream("month", { closed: false }, [when(MonthClosed, () => ({ closed: true }))]);
export const statements = stream("statement", { cents: 0 }, [
  when(Booked, (state, { data }) => ({ cents: state.cents + data.cents })),
]);
const bookings = stream("booking", { booked: false }, [when(Booked, () => ({ booked: true }))]);
const tallies = stream("tally", null, [when(Tallied, (state) => state)]);
const payouts = stream("payout", { paid: false }, [when(Paid, () => ({ paid: true }))]);
const notes = stream("note", { text: "" }, [when(NoteWritten, (_, { data }) => ({ text: data.text }))]);
const names = stream("name", { taken: false }, [when(NameTaken, () => ({ taken: true }))]);

const book = reaction("book", {
  on: [Earned],
  reads: ({ data: { earning, month } }) => ({
    claim: bookings.at(earning),
    month: months.at(String(month)),
    statement: statements.at(String(month)),
    next: statements.at(String(month + 1)),
  }),
  decide: ({ data: { earning, month: earned, cents } }, { claim, month }) => {
    if (claim.booked) return [];
    const booked = Booked({ earning, month: month.closed ? earned + 1 : earned, cents });
    return [to(statements.at(String(booked.data.month)), booked), to(bookings.at(earning), booked)];
  },
});

/** Counts whatever it hears, however often: only its checkpoint keeps it from counting twice. */
const tally = reaction("tally", {
  on: [Earned],
  decide: ({ data: { earning } }) => [anyhow(tallies.at(earning.slice(0, 1)), Tallied({ earning }))],
});

const partnerSettings = settings(z.object({ PARTNER_URL: z.string() }));
/** Who pays: asked by a natural key, and able to say what it did under it. */
export const partner = client("partner", ({ use, network }) => {
  const url = (key: string) => `${use(partnerSettings).PARTNER_URL}/pay/${key}`;
  return {
    pay: async (key: string): Promise<string> => (await network(url(key), { method: "POST" })).text(),
    find: async (key: string): Promise<string | null> => {
      const answer = await network(url(key));
      return answer.ok ? answer.text() : null;
    },
  };
});

const pay = effect("pay", {
  on: MonthClosed,
  stream: ({ data }) => payouts.at(String(data.month)),
  call: async ({ data: { month } }, { paid }, { use, lookFirst }) => {
    if (paid) return [];
    const key = `month-${month}`;
    const known = lookFirst ? await use(partner).find(key) : null;
    return [Paid({ month, reference: known ?? (await use(partner).pay(key)) })];
  },
});

const writeNote = command({
  route: "POST /api/notes",
  access: { as: "brand" },
  input: z.object({ text: z.string() }),
  stream: notes,
  id: (_input, _caller, drawing) => drawing.id(),
  decide: ({ text }, _state, _reads, { caller, id }) => [
    NoteWritten({ note_id: id(), brand_id: caller!.brand_id!, text }),
  ],
  reply: ({ text }) => ({ text, drawn: text.length }),
  status: 201,
});

const takeName = command({
  route: "PUT /api/names/:name",
  access: { as: "brand" },
  input: z.object({ name: z.string() }),
  stream: names,
  id: ({ name }) => name,
  decide: ({ name }, { taken }, _reads, { caller }) => {
    if (taken) throw conflict("name_taken", "This name is taken");
    return [NameTaken({ name, brand_id: caller!.brand_id! })];
  },
});

const Note = z.object({ note_id: z.string(), brand_id: z.string(), text: z.string() });
export const noteList = readModel("notes", Note, {
  on: [when(NoteWritten, (_, { data }) => data)],
  key: ({ data }) => data.note_id,
  indexes: [["brand_id"]],
  routes: {
    "GET /api/notes": show<z.infer<typeof Note>>()({
      access: { as: "brand", owns: "brand_id" },
      input: z.object({}),
      answer: (documents) => documents.sort("text").page({ limit: 500 }),
    }),
  },
});

/** A service that may hear everything twice. */
export const bookkeeping = service({
  name: "billing",
  commands: [writeNote, takeName],
  readModels: [noteList],
  reactions: [book],
  effects: [pay],
  settings: [partnerSettings],
});

/** The same with a reaction that may not. */
export const till: Service = { ...bookkeeping, reactions: [book, tally] };
