import type { FastifyInstance } from "fastify";
import type { RequestJournal } from "./requests.ts";

/** Where webhooks can go: Stripe's own events, those of connected accounts, PayPal's. */
export type WebhookTarget = "stripe" | "stripe_connect" | "paypal";

/** One registered receiver of webhooks; Stripe's carry a `whsec_` secret, PayPal's the id it was registered under. */
export interface WebhookEndpoint {
  url: string;
  secret?: string;
  webhook_id?: string;
}

/** What a partner sees of the sandbox. Everything it remembers goes through `record`, everything it reads through `state`. */
export interface Context<S, C> {
  /** The partner's memory; only `apply` may change it. */
  readonly state: S;
  /** Writes the change to the journal file, then applies a parsed copy of it. A change must survive JSON. */
  record(change: C): void;
  /** The virtual time. */
  now(): Date;
  /** A new id: the prefix and `length` (24 unless told) letters and digits out of the seed. */
  id(prefix: string, length?: number): string;
  /** A number in [0, 1) out of the seed; the draws go on after a restart where the last recorded change left them. */
  random(): number;
  /** The sandbox's own address, such as http://127.0.0.1:4010, without a trailing slash. */
  origin(): string;
  /** Where a person's browser reaches the sandbox's pages: the product's gateway once it has said so, else origin(). */
  publicOrigin(): string;
  readonly webhooks: { enqueue(to: WebhookTarget, body: string, opts?: { at?: Date }): void };
  readonly mail: { send(mail: { to: string; subject: string; html: string; link?: string }): void };
  /** The requests that partners have received so far, for assertions. */
  readonly journal: RequestJournal;
}

/** What is to be signed: the exact bytes, the moment the signature shall claim, and for whom. */
export interface Delivery {
  to: WebhookTarget;
  body: string;
  now: Date;
  endpoint: WebhookEndpoint;
}

/**
 * One outside company that the sandbox plays: its memory, its routes, and what it does by itself as time passes.
 * Request bodies arrive as raw text whatever their media type; a thrown PartnerError becomes the partner's own answer.
 */
export interface Partner<S, C> {
  name: string;
  /** Path prefixes that belong to this partner; an unknown path below them gets this partner's own error. */
  prefixes: string[];
  initial(): S;
  /** Changes the state in place; deterministic, for it is run again at every start. */
  apply(state: S, change: C): void;
  routes(app: FastifyInstance, ctx: Context<S, C>): void;
  /** ISO instant of the next thing that will happen by itself. */
  nextDue?(state: S): string | null;
  /** Does everything that is due at now(); afterwards nextDue must lie in the future. */
  settle?(ctx: Context<S, C>): void | Promise<void>;
  /** The headers that prove a webhook's origin; asked of the partner named in `signs`. */
  signs?: WebhookTarget[];
  sign?(delivery: Delivery, ctx: Context<S, C>): Record<string, string> | Promise<Record<string, string>>;
  /** The partner's own body for a status the sandbox invents: injected faults, unknown paths, inner failures. */
  errorBody?(status: number, message: string, path: string): unknown;
}

/** A partner as the core holds it, whatever its own state and changes are. */
export type AnyPartner = Partner<unknown, unknown>;

/** Names the types of a partner's state and changes once, so that they need not be repeated. */
export function partner<S, C>(played: Partner<S, C>): Partner<S, C> {
  return played;
}
