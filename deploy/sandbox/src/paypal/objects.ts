/** An amount as PayPal writes it: decimal text with two digits. */
export interface Money {
  currency: "USD";
  value: string;
}

/** What the sender says of a whole payout. */
export interface SenderBatchHeader {
  sender_batch_id?: string;
  recipient_type?: string;
  email_subject?: string;
  email_message?: string;
  note?: string;
}

/** What the sender says of one payment. */
export interface SenderItem {
  recipient_type: string;
  recipient_wallet?: string;
  amount: Money;
  receiver: string;
  sender_item_id?: string;
  note?: string;
  purpose?: string;
  notification_language?: string;
}

/** Where one payment can stand. */
export type ItemStatus =
  | "BLOCKED"
  | "FAILED"
  | "ONHOLD"
  | "PENDING"
  | "REFUNDED"
  | "RETURNED"
  | "REVERSED"
  | "SUCCESS"
  | "UNCLAIMED";

/** Why an item was not paid, in PayPal's words. */
export interface ItemError {
  name: string;
  message: string;
}

/** One payment to one receiver. Amounts are whole cents as decimal text. */
export interface Item {
  id: string;
  kind: "item";
  batch: string;
  transaction_id: string | null;
  status: ItemStatus;
  cents: string;
  fee_cents: string;
  sent: SenderItem;
  error: ItemError | null;
  time_processed: string | null;
}

/** One payout: many items under one sender_batch_id. */
export interface Batch {
  id: string;
  kind: "batch";
  status: "DENIED" | "PENDING" | "PROCESSING" | "SUCCESS";
  sent: SenderBatchHeader;
  items: string[];
  time_created: string;
  time_completed: string | null;
}

/** An access token and the instant it ends. */
export interface Token {
  id: string;
  kind: "token";
  expires_at: string;
}

/** Where events go, and which. */
export interface Webhook {
  id: string;
  kind: "webhook";
  url: string;
  event_types: { name: string }[];
}

/** An event as it was told, for the list of past events. */
export interface Told {
  id: string;
  kind: "told";
  body: string;
}

/** What a test wishes to happen to every payment to one receiver (`id`). */
export interface ReceiverWish {
  id: string;
  kind: "receiver";
  outcome: "BLOCKED" | "FAILED" | "ONHOLD" | "SUCCESS" | "UNCLAIMED";
}

/** The one pair of credentials accepted, once a test has named it. */
export interface Credentials {
  id: "credentials";
  kind: "credentials";
  client_id: string;
  client_secret: string;
}

/** The certificate webhooks are signed with, and its key, both PEM. */
export interface Certificate {
  id: string;
  kind: "certificate";
  certificate: string;
  key: string;
}

/** Something PayPal does by itself at `at`: works through a batch, or returns what nobody claimed. */
export interface Due {
  id: string;
  kind: "due";
  at: string;
  what: "process" | "return";
}

/** Every kind of thing the played PayPal remembers. */
export interface Kinds {
  batch: Batch;
  certificate: Certificate;
  credentials: Credentials;
  due: Due;
  item: Item;
  receiver: ReceiverWish;
  token: Token;
  told: Told;
  webhook: Webhook;
}

/** The name of a kind. */
export type Kind = keyof Kinds;
/** Any one thing remembered. */
export type Stored = Kinds[Kind];
