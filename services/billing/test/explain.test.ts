import type { ExplainNode } from "@tributary/contracts/http/explain";
import { parseE4 } from "@tributary/contracts/money";
import { type App, as } from "@tributary/runtime/testing/harness";
import { expect, test } from "vitest";
import {
  accrued,
  adjusted,
  comes,
  dayBegins,
  paidByPaypal,
  paidByStripe,
  pays,
  rests,
  story,
  through,
} from "./fixtures/money-story.ts";

/** Two months: c1 by Stripe with a left-over carried, c2 and c3 by PayPal out of one platform charge. */
async function twoMonths(): Promise<App> {
  const { app, stripe } = await story("2026-01-20T20:00:00Z");
  await dayBegins(app, "2026-01-20");
  await pays(app, "b1");
  await paidByStripe(app, stripe, "c1");
  await paidByPaypal(app, "c2");
  await paidByPaypal(app, "c3");
  await app.hear(
    "earning/e1",
    accrued({ earning: "e1", creator: "c1", date: "2026-01-18", amount: "30.1249" }),
  );
  await app.hear(
    "earning/e2",
    accrued({ earning: "e2", creator: "c2", date: "2026-01-18", amount: "41.8850" }),
  );
  await app.hear(
    "earning/e3",
    accrued({ earning: "e3", creator: "c3", date: "2026-01-18", amount: "20.0000" }),
  );
  await app.hear("accrual/b1", through("2026-02-02"));
  await comes(app, "2026-02-03T08:05:00Z");
  await app.hear(
    "earning/e1",
    adjusted({ earning: "e1", creator: "c1", date: "2026-01-18", revision: 2, amount: "-0.1300" }),
  );
  await app.hear(
    "earning/e4",
    accrued({ earning: "e4", creator: "c1", date: "2026-02-08", amount: "25.0000" }),
  );
  await app.hear("accrual/b1", through("2026-03-02"));
  await comes(app, "2026-03-03T08:05:00Z");
  await rests(app);
  return app;
}

const deltas: Record<string, string> = {
  "e1@1": "30.1249",
  "e1@2": "-0.1300",
  "e2@1": "41.8850",
  "e3@1": "20.0000",
  "e4@1": "25.0000",
};

/** What the node leaves unexplained, worked out from its children alone. */
async function residual(
  node: ExplainNode,
  ask: (kind: string, id: string) => Promise<ExplainNode>,
): Promise<bigint> {
  const amount = (text: string | undefined) => parseE4(text!)!;
  let rest: bigint = amount(node.amounts[node.explains!]);
  for (const part of node.parts) rest -= amount(part.amount);
  for (const { kind, id, value, percent } of node.children) {
    const told = kind === "earning" ? deltas[id] : (await ask(kind, id)).amounts[value];
    rest -= (amount(told) * BigInt(percent)) / 100n;
  }
  return rest;
}

test("every payout, charge and statement adds up from the level below, to the ten-thousandth", async () => {
  const app = await twoMonths();
  const ask = async (kind: string, id: string) =>
    (await app.as(as.admin()).get(`/api/explain/${kind}/${id}`)).body as ExplainNode;
  const { body } = await app.as(as.admin()).get("/api/billing/reconciliation");
  const { cycles } = (await app.as(as.admin()).get("/api/billing/result")).body;
  const nodes = [
    ...body.payouts.map(({ payout_id }: { payout_id: string }) => ["payout", payout_id]),
    ...body.charges.map(({ charge_id }: { charge_id: string }) => ["charge", charge_id]),
    ...cycles.flatMap(({ lines }: { lines: { statement_id: string }[] }) =>
      lines.map(({ statement_id }) => ["statement", statement_id]),
    ),
  ];
  expect(nodes).toHaveLength(4 + 3 + 5);
  for (const [kind, id] of nodes) {
    const node = await ask(kind, id);
    expect([kind, node.title, await residual(node, ask)]).toEqual([kind, node.title, 0n]);
  }
});

test("a statement that was changed by a cent no longer adds up", async () => {
  const app = await twoMonths();
  const ask = async (kind: string, id: string) =>
    (await app.as(as.admin()).get(`/api/explain/${kind}/${id}`)).body as ExplainNode;
  const { cycles } = (await app.as(as.admin()).get("/api/billing/result")).body;
  const node = await ask("statement", cycles[1].lines[0].statement_id);
  const forged = { ...node, amounts: { ...node.amounts, charged: "24.8800" } };
  expect(node.amounts.charged).toBe("24.8700");
  expect(await residual(forged, ask)).toBe(100n);
});

test("a creator sees only their own branch of a platform charge, a stranger nothing", async () => {
  const app = await twoMonths();
  const { body } = await app.as(as.admin()).get("/api/billing/reconciliation");
  const platform = body.charges.find(({ creator_id }: { creator_id: string | null }) => creator_id === null);
  const url = `/api/explain/charge/${platform.charge_id}`;
  const own = (await app.as(as.creator("c2")).get(url)).body as ExplainNode;
  expect(own.amounts).toEqual({ "share:c2": "41.8900" });
  expect(own.children).toHaveLength(1);
  expect((await app.as(as.brand("b1")).get(url)).body.amounts).toMatchObject({
    net: "61.8900",
    "share:c3": "20.0000",
  });
  for (const stranger of [as.creator("c9"), as.creator("c1"), as.brand("b9")])
    expect((await app.as(stranger).get(url)).status).toBe(404);

  const paid = body.payouts.find(({ creator_id }: { creator_id: string }) => creator_id === "c2");
  expect((await app.as(as.creator("c3")).get(`/api/explain/payout/${paid.payout_id}`)).status).toBe(404);
  expect((await app.as(as.creator("c3")).get(`/api/explain/statement/${paid.statement_id}`)).status).toBe(
    404,
  );
});
