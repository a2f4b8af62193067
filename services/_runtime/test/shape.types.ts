import { eventsOf } from "@tributary/contracts/event";
import { z } from "zod";
import { command } from "../src/command.ts";
import { create, notYet, to } from "../src/decision.ts";
import { effect } from "../src/effect.ts";
import { facts } from "../src/facts.ts";
import { reaction } from "../src/reaction.ts";
import { readModel, show } from "../src/read-models/read-model.ts";
import { notFound } from "../src/refusal.ts";
import { service } from "../src/service.ts";
import { stream, when } from "../src/stream.ts";

const event = eventsOf("program");
const Opened = event("Opened", z.object({ id: z.string(), brand_id: z.string() }));
const Closed = event("Closed", z.object({ id: z.string(), why: z.string() }));
const Other = event("Other", z.object({ n: z.number() }));
type State = { status: "none" } | { status: "open"; brand_id: string };
const thing = stream("thing", { status: "none" } as State, [
  when(Opened, (_, { data }) => ({ status: "open", brand_id: data.brand_id })),
  when(Closed, () => ({ status: "none" })),
]);
const claim = stream("page", { taken: false } as { taken: boolean }, [when(Opened, () => ({ taken: true }))]);
const fees = facts("fees", z.object({ percent: z.number() }), {
  on: [when(Opened, (row) => ({ percent: (row?.percent ?? 0) + 1 }))],
  key: ({ data }) => data.id,
});
const Doc = z.object({ id: z.string(), brand_id: z.string(), count: z.number() });
const docs = readModel("docs", Doc, {
  on: [when(Opened, (_, { data }) => ({ ...data, count: 1 })), when(Closed, () => null)],
  key: ({ data }) => data.id,
  indexes: [["brand_id"]],
  routes: {
    "GET /api/docs": show<z.infer<typeof Doc>>()({
      access: { as: "brand", owns: "brand_id" },
      input: z.object({ after: z.string().optional() }),
      answer: (documents, { after }) => documents.sort("-count").page({ after }),
    }),
  },
});
export const open = command({
  route: "POST /api/things/:id",
  access: { as: "brand", owns: (_, state) => (state.status === "open" ? state.brand_id : null) },
  input: z.object({ id: z.string() }),
  stream: thing,
  id: ({ id }) => id,
  reads: ({ id }) => ({ fee: fees.at(id), page: claim.at(id), doc: docs.at(id) }),
  decide: ({ id }, state, { fee, page, doc }, { caller }) => {
    if (state.status === "open" || page.taken || !fee) throw notFound("Thing");
    if (fee.percent > 1 && doc?.count) return [];
    const e = Opened({ id, brand_id: caller!.brand_id! });
    return [e, create(claim.at(id), e)];
  },
});
export const r = reaction("r", {
  on: [Opened, Other],
  reads: (heard) => ({
    t: thing.at(heard.type === "Opened" ? heard.data.id : String(heard.data.n)),
    many: [fees.at("a"), fees.at("b")],
  }),
  decide: (heard, { t, many }) => {
    if (t.status === "none" || !many[0]) return notYet("x");
    return [to(thing.at("x"), Closed({ id: heard.id, why: t.brand_id }))];
  },
});
export const e = effect("e", {
  on: Opened,
  stream: ({ data }) => thing.at(data.id),
  call: async ({ data }, state) => (state.status === "open" ? [Closed({ id: data.id, why: "" })] : []),
});
export const s = service({
  name: "program",
  commands: [open],
  readModels: [docs],
  facts: [fees],
  reactions: [r],
  effects: [e],
});
