import type { Context } from "../core/partner.ts";
import { seconds } from "./days.ts";
import { type Book, type Movement, movement } from "./ledger.ts";
import type { Event } from "./objects.ts";
import type { Change, Kind, Kinds, State, Stored } from "./state.ts";
import { isWanted } from "./wanted.ts";

/** The request that causes the changes, or null when Stripe acts by itself. */
export interface Cause {
  id: string;
  idempotency_key: string | null;
}

/** The API version that events are written in: the one the genuine SDK asks for. */
export const API_VERSION = "2026-10-28.endive";

/**
 * One unit of work: sees its own changes at once, the world sees them at `commit`, all or none. An object is changed
 * by putting a new one in its place, never in place.
 */
export class Unit {
  private readonly changed = new Map<string, Stored>();
  private readonly dropped = new Map<string, { kind: Kind; id: string }>();
  private readonly movements: Movement[] = [];
  private readonly events: Event[] = [];
  readonly now: Date;

  constructor(
    private readonly ctx: Context<State, Change>,
    readonly cause: Cause | null,
  ) {
    this.now = ctx.now();
  }

  /** Stripe's time of this unit, in seconds. */
  get created(): number {
    return seconds(this.now);
  }

  id(prefix: string, length?: number): string {
    return this.ctx.id(prefix, length);
  }

  origin(): string {
    return this.ctx.origin();
  }

  /** Where a person's browser reaches the pages that the product's gateway forwards. */
  publicOrigin(): string {
    return this.ctx.publicOrigin();
  }

  find<K extends Kind>(kind: K, id: string): Kinds[K] | undefined {
    const changed = this.changed.get(`${kind} ${id}`);
    if (changed) return changed as Kinds[K];
    if (this.dropped.has(`${kind} ${id}`)) return undefined;
    return this.ctx.state.objects[kind].get(id);
  }

  /** The object, which must exist: an id the sandbox itself wrote down. */
  get<K extends Kind>(kind: K, id: string): Kinds[K] {
    const found = this.find(kind, id);
    if (!found) throw new Error(`the sandbox has lost its ${kind} ${id}`);
    return found;
  }

  /** All objects of a kind, the newest first. */
  all<K extends Kind>(kind: K): Kinds[K][] {
    const merged = new Map<string, Kinds[K]>(this.ctx.state.objects[kind]);
    for (const object of this.changed.values())
      if (object.object === kind) merged.set(object.id, object as Kinds[K]);
    for (const gone of this.dropped.values()) if (gone.kind === kind) merged.delete(gone.id);
    return [...merged.values()].reverse();
  }

  put<S extends Stored>(object: S): S {
    this.changed.set(`${object.object} ${object.id}`, object);
    this.dropped.delete(`${object.object} ${object.id}`);
    return object;
  }

  drop(kind: Kind, id: string): void {
    this.changed.delete(`${kind} ${id}`);
    this.dropped.set(`${kind} ${id}`, { kind, id });
  }

  move(from: Book, to: Book, cents: bigint, cause: string): void {
    this.movements.push(movement(from, to, cents, cause));
  }

  /** Tells the platform what happened; with an `account` it is that connected account's event. */
  emit(
    type: string,
    object: unknown,
    about: { account?: string; previous?: Record<string, unknown> } = {},
  ): void {
    const event: Event = {
      id: this.id("evt_"),
      object: "event",
      ...(about.account ? { account: about.account } : {}),
      api_version: API_VERSION,
      created: this.created,
      data: { object, ...(about.previous ? { previous_attributes: about.previous } : {}) },
      livemode: false,
      pending_webhooks: 1,
      request: { id: this.cause?.id ?? null, idempotency_key: this.cause?.idempotency_key ?? null },
      type,
    };
    this.events.push(this.put(event));
  }

  /** Records everything as one change, then hands the events to the webhooks. */
  commit(): void {
    if (this.changed.size + this.dropped.size + this.movements.length === 0) return;
    const drop = [...this.dropped.values()];
    this.ctx.record({
      at: this.now.toISOString(),
      put: [...this.changed.values()],
      drop,
      movements: this.movements,
    });
    const endpoints = this.all("webhook_endpoint");
    for (const event of this.events.filter((event) => isWanted(event, endpoints)))
      this.ctx.webhooks.enqueue(event.account ? "stripe_connect" : "stripe", JSON.stringify(event));
  }
}
