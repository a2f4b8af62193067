import type { Cents } from "@tributary/contracts/money";

/** One payout to one creator, as PayPal is asked for it: a batch of a single item. */
export interface PayoutOrder {
  /** A batch of the same name is the same payout, whoever sent it. */
  readonly sender_batch_id: string;
  readonly sender_item_id: string;
  readonly amount_cents: Cents;
  readonly wallet: "PAYPAL" | "VENMO";
  readonly receiver: string;
  readonly note: string;
}

/** What PayPal says of an item now, in the words of our own states. */
export interface SeenItem {
  readonly payout_item_id: string;
  readonly payout_batch_id: string;
  readonly sender_item_id: string;
  readonly status:
    | "pending"
    | "unclaimed"
    | "on_hold"
    | "blocked"
    | "succeeded"
    | "failed"
    | "returned"
    | "refunded"
    | "reversed";
  readonly fee_cents: Cents;
  readonly reason: string;
}

/** `refused`: PayPal will never take this order. `short`: our balance there doesn't cover it yet. */
export type Submitted =
  | { readonly status: "submitted"; readonly payout_batch_id: string }
  | { readonly status: "refused"; readonly reason: string }
  | { readonly status: "short"; readonly reason: string };

/** A webhook whose signature is PayPal's; only what it points at is used. */
export interface PaypalNotice {
  readonly paypal_event_id: string;
  readonly event_type: string;
  readonly payout_item_id: string | null;
  readonly payout_batch_id: string | null;
}

/** PayPal, as far as the product needs it. Outages are thrown. */
export interface PaypalPartner {
  /** Sends the payout, or adopts the batch that has been sent before under the same name. */
  submit(order: PayoutOrder): Promise<Submitted>;
  /** The batch's items; empty while PayPal is still looking at it. */
  items(payout_batch_id: string): Promise<SeenItem[]>;
  item(payout_item_id: string): Promise<SeenItem>;
  /** Takes an unclaimed payout back, if it still is, and says what has become of it. */
  takeBack(payout_item_id: string): Promise<SeenItem>;
  /** Null when the signature is not PayPal's. */
  notice(raw: Buffer, headers: Readonly<Record<string, string | undefined>>): Promise<PaypalNotice | null>;
}
