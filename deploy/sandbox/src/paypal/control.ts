import type { FastifyInstance } from "fastify";
import { z } from "zod";
import type { Context } from "../core/partner.ts";
import { check, controlRefusal, json, PartnerError } from "../core/strict.ts";
import { centsOf, decimalOf } from "./ledger.ts";
import type { ItemStatus } from "./objects.ts";
import { become } from "./paying.ts";
import type { Change, State } from "./state.ts";
import { Work } from "./work.ts";

const Balance = z.strictObject({
  value: z.string().refine((value) => centsOf(value) !== null, "must be decimal text such as 12.34"),
});
const Receiver = z.strictObject({
  outcome: z.enum(["BLOCKED", "FAILED", "ONHOLD", "SUCCESS", "UNCLAIMED"]).nullable(),
});
const Named = z.strictObject({ client_id: z.string().min(1), client_secret: z.string().min(1) });

/** What a test can let happen to one payment, and from which statuses. */
const MOVES: Record<string, { from: ItemStatus[]; to: ItemStatus }> = {
  claim: { from: ["UNCLAIMED"], to: "SUCCESS" },
  refund: { from: ["SUCCESS"], to: "REFUNDED" },
  release: { from: ["ONHOLD"], to: "SUCCESS" },
  return: { from: ["BLOCKED", "ONHOLD", "UNCLAIMED"], to: "RETURNED" },
  reverse: { from: ["SUCCESS"], to: "REVERSED" },
};

function ledger({ balances, rows }: State) {
  const items = [...rows.item.values()];
  const paid = items.filter(({ status }) => status === "SUCCESS");
  const sum = (cents: string[]) => decimalOf(cents.reduce((total, one) => total + BigInt(one), 0n));
  return {
    balance: decimalOf(BigInt(balances.balance)),
    books: Object.fromEntries(
      Object.entries(balances).map(([book, cents]) => [book, decimalOf(BigInt(cents))]),
    ),
    sum: sum(Object.values(balances)),
    sums: { value: sum(paid.map(({ cents }) => cents)), fee: sum(paid.map(({ fee_cents }) => fee_cents)) },
    paid: items.map((item) => ({
      sender_batch_id: rows.batch.get(item.batch)!.sent.sender_batch_id ?? null,
      sender_item_id: item.sent.sender_item_id ?? null,
      payout_batch_id: item.batch,
      payout_item_id: item.id,
      receiver: item.sent.receiver,
      value: decimalOf(BigInt(item.cents)),
      fee: decimalOf(BigInt(item.fee_cents)),
      status: item.status,
      created: rows.batch.get(item.batch)!.time_created,
    })),
  };
}

/** What only tests and the demo may ask of the played PayPal: its books, its balance, a receiver's or a payment's fate. */
export function control(app: FastifyInstance, ctx: Context<State, Change>): void {
  app.get("/_sandbox/paypal/ledger", async (request) => {
    check(z.strictObject({}), request.query, controlRefusal);
    return ledger(ctx.state);
  });

  app.put("/_sandbox/paypal/balance", async (request) => {
    const { value } = check(Balance, json(request.body, controlRefusal), controlRefusal);
    const difference = centsOf(value)! - BigInt(ctx.state.balances.balance);
    const work = new Work(ctx);
    if (difference >= 0n) work.move("external", "balance", difference, "funding");
    else work.move("balance", "external", -difference, "withdrawal");
    work.commit();
    return { balance: decimalOf(BigInt(ctx.state.balances.balance)) };
  });

  app.put("/_sandbox/paypal/credentials", async (request) => {
    const named = check(Named, json(request.body, controlRefusal), controlRefusal);
    const work = new Work(ctx);
    work.put({ kind: "credentials", id: "credentials", ...named });
    work.commit();
    return { client_id: named.client_id };
  });

  app.put<{ Params: { receiver: string } }>("/_sandbox/paypal/receivers/:receiver", async (request) => {
    const { outcome } = check(Receiver, json(request.body, controlRefusal), controlRefusal);
    const { receiver: id } = request.params;
    const work = new Work(ctx);
    if (outcome === null) work.drop("receiver", id);
    else work.put({ kind: "receiver", id, outcome });
    work.commit();
    return { receiver: id, outcome };
  });

  app.post<{ Params: { id: string; move: string } }>(
    "/_sandbox/paypal/items/:id/:move",
    async ({ params }) => {
      const move = MOVES[params.move];
      const work = new Work(ctx);
      const item = work.find("item", params.id);
      if (!move || !item)
        throw new PartnerError(404, { error: `No item ${params.id}, or no move ${params.move}` });
      if (!move.from.includes(item.status))
        throw new PartnerError(409, {
          error: `Item ${item.id} is ${item.status}, which does not ${params.move}`,
        });
      const { status } = become(work, item, move.to);
      work.commit();
      return { payout_item_id: item.id, status };
    },
  );
}
