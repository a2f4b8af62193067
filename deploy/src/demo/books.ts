import { Reconciliation } from "@tributary/contracts/http/billing";
import type { PartnerRequest, Partners } from "../driver/partners.ts";
import type { Person } from "../driver/person.ts";
import { owedFor } from "./owed.ts";
import type { Asked, TheirBooks } from "./reconciliation.ts";
import type { Stage } from "./stage.ts";
import type { Story } from "./story.ts";

/** Our own books, as an admin may see them. */
export const ourBooks = async (admin: Person): Promise<Reconciliation> =>
  Reconciliation.parse(await admin.get("/api/billing/reconciliation"));

const accepted = (requests: readonly PartnerRequest[], path: RegExp): PartnerRequest[] =>
  requests.filter(
    (one) => one.method === "POST" && path.test(one.path) && one.status !== null && one.status < 300,
  );

/** An order and its repetitions are one: by the key under which a partner takes them as one. */
const once = <T>(orders: readonly (readonly [key: string, order: T])[]): T[] => [...new Map(orders).values()];

interface PayoutBatch {
  readonly sender_batch_header: { readonly sender_batch_id: string };
  readonly items: readonly { readonly sender_item_id: string; readonly amount: { readonly value: string } }[];
}

/** What the journal of the partners says they were asked for and took on. */
export async function askedOf(partners: Partners): Promise<Asked> {
  const [stripe, paypal] = await Promise.all([
    partners.journal("stripe", "/v1/payment_intents"),
    partners.journal("paypal", "/v1/payments/payouts"),
  ]);
  const charges = accepted(stripe, /\/v1\/payment_intents$/).map(({ body, idempotency_key }) => {
    const form = new URLSearchParams(body);
    const charge_id = form.get("metadata[charge_id]") ?? "unnamed";
    return [idempotency_key ?? charge_id, { charge_id, cents: BigInt(form.get("amount") ?? "0") }] as const;
  });
  const payouts = accepted(paypal, /\/v1\/payments\/payouts$/).flatMap(({ body }) => {
    const { sender_batch_header, items } = JSON.parse(body) as PayoutBatch;
    return items.map(
      ({ sender_item_id: payout_id, amount: { value } }) =>
        [`${sender_batch_header.sender_batch_id} ${payout_id}`, { payout_id, value }] as const,
    );
  });
  return { charges: once(charges), payouts: once(payouts) };
}

/** What the retailer's own sales come to, by the ids that the product gave. */
async function owedIn(story: Story, stage: Stage): Promise<TheirBooks["owed"]> {
  const owed = owedFor(story, await stage.partners.attribution(), stage.roleOf);
  return owed.map(({ brand, creator, amount }) => ({
    brand_id: stage.brand(brand).id,
    creator_id: stage.creator(creator).id,
    amount,
  }));
}

/** The partners' books and journal as they stand now. */
export async function theirBooks(story: Story, stage: Stage, paypal_before: string): Promise<TheirBooks> {
  const { partners } = stage;
  const [owed, stripe, paypal, asked] = await Promise.all([
    owedIn(story, stage),
    partners.stripeLedger(),
    partners.paypalLedger(),
    askedOf(partners),
  ]);
  return { owed, stripe, paypal, paypal_before, asked };
}
