import type { Context } from "../core/partner.ts";
import type { Book, Movement } from "./ledger.ts";
import type { Kind, Kinds, Stored } from "./objects.ts";
import type { Change, State } from "./state.ts";

/** One unit of work at the played PayPal: recorded as a whole at `commit`, its events told after that. */
export class Work {
  private readonly changed = new Map<string, Stored>();
  private readonly dropped = new Map<string, { kind: Kind; id: string }>();
  private readonly movements: Movement[] = [];
  private readonly events: string[] = [];
  readonly now: Date;

  constructor(private readonly ctx: Context<State, Change>) {
    this.now = ctx.now();
  }

  /** PayPal's way to write a moment: whole seconds, UTC. */
  get time(): string {
    return `${this.now.toISOString().slice(0, 19)}Z`;
  }

  /** An id in PayPal's look: capital letters and digits. */
  id(length: number, prefix = ""): string {
    return prefix + this.ctx.id("", length).toUpperCase();
  }

  /** The address under which callers reach the played PayPal. */
  base(): string {
    return `${this.ctx.origin()}/paypal`;
  }

  find<K extends Kind>(kind: K, id: string): Kinds[K] | undefined {
    const changed = this.changed.get(`${kind} ${id}`);
    if (changed) return changed as Kinds[K];
    return this.dropped.has(`${kind} ${id}`) ? undefined : this.ctx.state.rows[kind].get(id);
  }

  /** The row, which must exist: an id the sandbox itself wrote down. */
  get<K extends Kind>(kind: K, id: string): Kinds[K] {
    const found = this.find(kind, id);
    if (!found) throw new Error(`the sandbox has lost its PayPal ${kind} ${id}`);
    return found;
  }

  put<S extends Stored>(row: S): S {
    this.changed.set(`${row.kind} ${row.id}`, row);
    this.dropped.delete(`${row.kind} ${row.id}`);
    return row;
  }

  drop(kind: Kind, id: string): void {
    this.changed.delete(`${kind} ${id}`);
    this.dropped.set(`${kind} ${id}`, { kind, id });
  }

  move(from: Book, to: Book, cents: bigint, cause: string): void {
    this.movements.push({ from, to, cents: cents.toString(), cause });
  }

  /** Tells the platform of an event, if its webhook wants to hear of it. */
  tell(
    event_type: string,
    resource_type: "payouts" | "payouts_item",
    summary: string,
    resource: object,
  ): void {
    const id = `WH-${this.id(17)}-${this.id(17)}`;
    const links = [
      { href: `${this.base()}/v1/notifications/webhooks-events/${id}`, rel: "self", method: "GET" },
      { href: `${this.base()}/v1/notifications/webhooks-events/${id}/resend`, rel: "resend", method: "POST" },
    ];
    const event = {
      id,
      event_version: "1.0",
      create_time: this.time,
      resource_type,
      event_type,
      summary,
      resource,
      links,
    };
    const body = JSON.stringify(event);
    this.put({ kind: "told", id, body });
    const webhooks = [...this.ctx.state.rows.webhook.values()];
    const isWanted = webhooks.some(({ event_types }) =>
      event_types.some(({ name }) => name === "*" || name === event_type),
    );
    if (webhooks.length === 0 || isWanted) this.events.push(body);
  }

  commit(): void {
    const put = [...this.changed.values()];
    const drop = [...this.dropped.values()];
    if (put.length + drop.length + this.movements.length > 0)
      this.ctx.record({ put, drop, movements: this.movements });
    for (const body of this.events) this.ctx.webhooks.enqueue("paypal", body);
  }
}
