import type { ExplainNode, ExplainTree } from "@tributary/contracts/http/explain";
import { unexplainedIn } from "@tributary/contracts/http/unexplained";
import { expect, test } from "vitest";
import { explain } from "../src/explain.ts";
import { known, world } from "./world.ts";

const recorded = { at: "2026-02-03T08:05:00.000Z", by: null, event_id: "e", stream: "s" };

const node = (kind: ExplainNode["kind"], id: string, more: Partial<ExplainNode>): ExplainNode => ({
  kind,
  id,
  title: `${kind} ${id}`,
  amounts: {},
  explains: null,
  formula: null,
  parts: [],
  children: [],
  recorded,
  details: {},
  ...more,
});

/** $200.00 of sales at 15 %, restated to $180.50, paid out with its fraction carried over. */
const books = (): ExplainNode[] => [
  node("payout", "2026-01:b:c", {
    amounts: { amount: "27.0700" },
    explains: "amount",
    children: [{ kind: "statement", id: "2026-01:b:c", value: "total", percent: 100 }],
  }),
  node("statement", "2026-01:b:c", {
    amounts: { total: "27.0700" },
    explains: "total",
    parts: [{ label: "carried over", amount: "-0.0050" }],
    children: [
      { kind: "earning", id: "e1@1", value: "amount", percent: 100 },
      { kind: "earning", id: "e1@2", value: "amount", percent: 100 },
    ],
  }),
  node("earning", "e1@1", {
    amounts: { amount: "30.0000" },
    explains: "amount",
    formula: "sales x 15 %",
    children: [{ kind: "metric", id: "m1@1", value: "total", percent: 15 }],
  }),
  node("earning", "e1@2", {
    amounts: { amount: "-2.9250" },
    explains: "amount",
    children: [
      { kind: "metric", id: "m1@2", value: "total", percent: 15 },
      { kind: "metric", id: "m1@1", value: "total", percent: -15 },
    ],
  }),
  node("metric", "m1@1", { amounts: { total: "200.0000" } }),
  node("metric", "m1@2", { amounts: { total: "180.5000" } }),
];

const told = (nodes: readonly ExplainNode[], asked: string[] = []) => {
  return async (service: string, path: string) => {
    asked.push(`${service} ${decodeURIComponent(path)}`);
    const found = nodes.find(({ kind, id }) => path === `/api/explain/${kind}/${encodeURIComponent(id)}`);
    return found
      ? { status: 200, body: structuredClone(found), headers: {} }
      : { status: 404, body: { code: "not_found", message: "not found", request_id: "r" }, headers: {} };
  };
};

const residuals = (tree: ExplainTree): string[] => [tree.residual, ...tree.inner.flatMap(residuals)];

test("a payout is explained down to what the retailer reported, and nothing is left over", async () => {
  const asked: string[] = [];
  const tree = await explain(told(books(), asked), "payout", "2026-01:b:c");
  expect(new Set(residuals(tree))).toEqual(new Set(["0.0000"]));
  expect(unexplainedIn(tree)).toEqual([]);
  expect(tree.inner[0]!.inner[1]!.inner.map(({ id }) => id)).toEqual(["m1@2", "m1@1"]);
  expect(asked).toEqual([
    "billing /api/explain/payout/2026-01:b:c",
    "billing /api/explain/statement/2026-01:b:c",
    "earnings /api/explain/earning/e1@1",
    "earnings /api/explain/earning/e1@2",
    "attribution /api/explain/metric/m1@1",
    "attribution /api/explain/metric/m1@2",
  ]);
});

test("one leaf changed in a copy shows as a residual, with the path to where it does not add up", async () => {
  const copy = books();
  copy.find(({ id }) => id === "m1@2")!.amounts.total = "180.5100";
  const tree = await explain(told(copy), "payout", "2026-01:b:c");
  expect(unexplainedIn(tree)).toEqual([
    { path: ["payout/2026-01:b:c", "statement/2026-01:b:c", "earning/e1@2"], residual: "-0.0015" },
  ]);
});

test("a fraction of a ten-thousandth is not rounded away", async () => {
  const copy = books();
  copy.find(({ id }) => id === "m1@2")!.amounts.total = "180.5001";
  const tree = await explain(told(copy), "payout", "2026-01:b:c");
  expect(unexplainedIn(tree)).toMatchObject([{ residual: "-0.000015" }]);
});

test("what several levels share is asked for once", async () => {
  const copy = books();
  copy[0]!.parts = [{ label: "sales beside it", amount: "-200.0000" }];
  copy[0]!.children.push({ kind: "metric", id: "m1@1", value: "total", percent: 100 });
  const asked: string[] = [];
  const tree = await explain(told(copy, asked), "payout", "2026-01:b:c");
  expect(unexplainedIn(tree)).toEqual([]);
  expect(asked.filter((one) => one.endsWith("m1@1"))).toHaveLength(1);
});

test("a part that can't be shown yet makes the asker come again, instead of telling half", async () => {
  const nodes = books().filter(({ id }) => id !== "m1@1");
  await expect(explain(told(nodes), "payout", "2026-01:b:c")).rejects.toMatchObject({
    status: 503,
    code: "explanation_incomplete",
  });
});

test("an explanation has bounds", async () => {
  await expect(
    explain(told(books()), "payout", "2026-01:b:c", { levels: 8, nodes: 3 }),
  ).rejects.toMatchObject({
    status: 422,
    code: "explanation_too_wide",
  });
  await expect(explain(told(books()), "payout", "2026-01:b:c", { levels: 3, nodes: 100 })).rejects.toThrow(
    "deeper than 3 levels",
  );
});

test("services are asked in the caller's own name, and strangers are told nothing", async () => {
  const { url, seen, people } = await world({
    services: {
      attribution: (app) => {
        app.get("/api/explain/metric/:id", async () =>
          node("metric", "m1@1", { amounts: { total: "1.0000" } }),
        );
      },
      billing: (app) => {
        app.get("/api/explain/payout/:id", async (_request, reply) =>
          reply.code(404).send({ code: "not_found", message: "Payout not found", request_id: "r" }),
        );
      },
    },
  });
  people.set("ana", known("ana"));
  const ana = { headers: { authorization: "Bearer ana", "x-after": "billing=1:2" } };
  const answer = await fetch(`${url}/api/explain/metric/m1%401`, ana);
  expect(await answer.json()).toMatchObject({ id: "m1@1", residual: "0.0000", inner: [] });
  expect(seen.at(-1)).toMatchObject({
    url: "/api/explain/metric/m1%401",
    caller: { uid: "ana", brand_id: "brand-ana" },
    headers: { "x-after": "billing=1:2" },
  });
  expect((await fetch(`${url}/api/explain/payout/p1`, ana)).status).toBe(404);
  expect((await fetch(`${url}/api/explain/secret/p1`, ana)).status).toBe(404);
  expect((await fetch(`${url}/api/explain/metric/m1%401`)).status).toBe(401);
});
