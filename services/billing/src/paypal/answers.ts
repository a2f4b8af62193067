import { asCents, NO_CENTS, parseCents } from "@tributary/contracts/money";
import { z } from "zod";
import type { SeenItem } from "./partner.ts";

/** What PayPal answers is read loosely: only what is used is named, and unknown states are told as pending. */
export const Token = z.object({ access_token: z.string(), expires_in: z.number() });

const Money = z.object({ value: z.string() });

const Item = z.object({
  payout_item_id: z.string(),
  payout_batch_id: z.string(),
  transaction_status: z.string().optional(),
  payout_item_fee: Money.optional(),
  payout_item: z.object({ sender_item_id: z.string().optional() }),
  errors: z.object({ name: z.string().optional(), message: z.string().optional() }).optional(),
});

export const Batch = z.object({
  batch_header: z.object({ payout_batch_id: z.string(), batch_status: z.string().optional() }),
  items: z.array(Item).default([]),
});

export const Refused = z.object({
  name: z.string(),
  message: z.string().default(""),
  details: z
    .array(
      z.object({
        field: z.string().optional(),
        issue: z.string().optional(),
        link: z.array(z.object({ href: z.string() })).optional(),
      }),
    )
    .default([]),
});

export const Notice = z.object({
  id: z.string(),
  event_type: z.string(),
  resource: z
    .object({
      payout_item_id: z.string().optional(),
      payout_batch_id: z.string().optional(),
      batch_header: z.object({ payout_batch_id: z.string() }).optional(),
    })
    .default({}),
});

const STATES: Record<string, SeenItem["status"]> = {
  SUCCESS: "succeeded",
  UNCLAIMED: "unclaimed",
  FAILED: "failed",
  DENIED: "failed",
  ONHOLD: "on_hold",
  HELD: "on_hold",
  BLOCKED: "blocked",
  RETURNED: "returned",
  CANCELED: "returned",
  CANCELLED: "returned",
  REFUNDED: "refunded",
  REVERSED: "reversed",
};

/** An item in the words of our own states. */
export function seenItem(answered: unknown): SeenItem {
  const item = Item.parse(answered);
  return {
    payout_item_id: item.payout_item_id,
    payout_batch_id: item.payout_batch_id,
    sender_item_id: item.payout_item.sender_item_id ?? "",
    status: STATES[item.transaction_status ?? ""] ?? "pending",
    fee_cents: asCents(parseCents(item.payout_item_fee?.value ?? "0") ?? NO_CENTS),
    reason: item.errors?.name ?? item.transaction_status ?? "PENDING",
  };
}

/** The batch that a refused duplicate names as the original; null when the refusal is of another kind. */
export function originalBatch({ details }: z.infer<typeof Refused>): string | null {
  for (const { field, link } of details) {
    const href = field?.toUpperCase().includes("SENDER_BATCH_ID") ? link?.[0]?.href : undefined;
    if (href) return href.split("/").at(-1) ?? null;
  }
  return null;
}
