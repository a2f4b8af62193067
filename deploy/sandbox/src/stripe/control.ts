import type { FastifyInstance } from "fastify";
import { z } from "zod";
import type { Context } from "../core/partner.ts";
import { check, controlRefusal, json, PartnerError } from "../core/strict.ts";
import { onWire } from "./balance.ts";
import { sumOf } from "./ledger.ts";
import { move } from "./onboarding.ts";
import type { Change, State } from "./state.ts";
import { Unit } from "./unit.ts";

const Script = z.strictObject({ kind: z.enum(["card_declined_once", "ach_fails"]).nullable() });
const Ceiling = z.strictObject({ most_cents: z.int().min(1) });
const Move = z.strictObject({
  id: z.string(),
  move: z.enum(["complete", "submit", "restrict", "deauthorize"]),
});

function charges({ objects }: State) {
  return [...objects.payment_intent.values()].map((intent) => {
    const charge = intent.latest_charge === null ? undefined : objects.charge.get(intent.latest_charge);
    const line = charge?.balance_transaction
      ? objects.balance_transaction.get(charge.balance_transaction)
      : undefined;
    const transfer = charge?.transfer ? objects.transfer.get(charge.transfer) : undefined;
    const fee = charge?.application_fee ? objects.application_fee.get(charge.application_fee) : undefined;
    const kept = fee ? BigInt(fee.amount) - BigInt(fee.amount_refunded) : 0n;
    const sent = transfer ? BigInt(transfer.amount) - BigInt(transfer.amount_reversed) : 0n;
    return {
      payment_intent: intent.id,
      amount_cents: intent.amount,
      refunded_cents: charge?.amount_refunded ?? 0,
      fee_cents: line?.fee ?? 0,
      application_fee_cents: onWire(kept),
      destination: intent.transfer_data?.destination ?? null,
      transferred_cents: onWire(sent - kept),
      status: intent.status,
      customer: intent.customer,
      metadata: intent.metadata,
      created: intent.created,
    };
  });
}

/** What only tests and the demo may ask of the played Stripe: its books, a customer's script, an account's fate. */
export function control(app: FastifyInstance, ctx: Context<State, Change>): void {
  app.get("/_sandbox/stripe/ledger", async (request) => {
    check(z.strictObject({}), request.query, controlRefusal);
    const { balances } = ctx.state;
    const cents = Object.entries(balances).map(([book, amount]) => [book, onWire(BigInt(amount))]);
    return {
      balances: Object.fromEntries(cents),
      sum: onWire(sumOf(balances)),
      charges: charges(ctx.state),
    };
  });

  app.put<{ Params: { id: string } }>("/_sandbox/stripe/customers/:id/script", async (request) => {
    const { kind } = check(Script, json(request.body, controlRefusal), controlRefusal);
    const { id } = request.params;
    const unit = new Unit(ctx, null);
    if (!unit.find("customer", id)) throw new PartnerError(404, { error: `No customer ${id}` });
    if (kind === null) unit.drop("customer_script", id);
    else unit.put({ id, object: "customer_script", kind, attempted: [] });
    unit.commit();
    return { customer: id, kind };
  });

  app.put("/_sandbox/stripe/ceiling", async (request) => {
    const { most_cents } = check(Ceiling, json(request.body, controlRefusal), controlRefusal);
    const unit = new Unit(ctx, null);
    unit.put({ id: "ceiling", object: "ceiling", most_cents });
    unit.commit();
    return { most_cents };
  });

  app.post("/_sandbox/stripe/accounts/:id/:move", async (request) => {
    const { id, move: name } = check(Move, request.params, controlRefusal);
    const unit = new Unit(ctx, null);
    const account = unit.find("account", id);
    if (!account) throw new PartnerError(404, { error: `No account ${id}` });
    if (name === "deauthorize") {
      unit.emit(
        "account.application.deauthorized",
        { id: "ca_sandbox", object: "application", name: "Tributary" },
        { account: id },
      );
      unit.drop("account", id);
      unit.commit();
      return { id, deauthorized: true };
    }
    const moved = move(
      unit,
      account,
      ({ complete: "complete", submit: "submitted", restrict: "restricted" } as const)[name],
    );
    unit.commit();
    return moved;
  });
}
