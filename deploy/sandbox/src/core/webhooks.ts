import type { Delivery, WebhookEndpoint, WebhookTarget } from "./partner.ts";
import type { Store } from "./store.ts";

/** Waits between attempts, in milliseconds of virtual time: 1 min, 5 min, 1 h, 3 h, 6 h, 12 h, then daily; then it gives up. */
const RETRY_AFTER_MS = [1, 5, 60, 180, 360, 720, 1440, 1440].map((minutes) => minutes * 60_000);

/** How long a receiver may take to answer, in real milliseconds. */
const PATIENCE_MS = 10_000;

export interface Attempt {
  at: string;
  status: number | null;
  error: string | null;
}

/** One webhook on its way: `due` is null once it was accepted, dropped or given up. */
export interface OutboxEntry {
  id: string;
  to: WebhookTarget;
  type: string;
  body: string;
  enqueued_at: string;
  due: string | null;
  outcome: "waiting" | "delivered" | "dropped" | "given_up";
  attempts: Attempt[];
}

/** How deliveries misbehave: each n times, in an order out of a seed, some types never, badly signed, too old. */
export interface WebhookModes {
  duplicate: number;
  shuffle: number | null;
  drop: string[];
  wrong_secret: boolean;
  stale_timestamp: boolean;
}

const ORDERLY: WebhookModes = {
  duplicate: 1,
  shuffle: null,
  drop: [],
  wrong_secret: false,
  stale_timestamp: false,
};

type Endpoints = Partial<Record<WebhookTarget, WebhookEndpoint>>;

interface State {
  endpoints: Endpoints;
  modes: WebhookModes;
  outbox: Map<string, OutboxEntry>;
  waiting: Set<string>;
  count: number;
}

type Change =
  | { endpoints: Endpoints }
  | { modes: WebhookModes }
  | { enqueued: OutboxEntry }
  | { attempted: string; attempt: Attempt; due: string | null; outcome: OutboxEntry["outcome"] }
  | { again: string; due: string };

function apply(state: State, change: Change): void {
  if ("endpoints" in change) state.endpoints = { ...state.endpoints, ...change.endpoints };
  else if ("modes" in change) state.modes = change.modes;
  else if ("enqueued" in change) {
    state.outbox.set(change.enqueued.id, change.enqueued);
    if (change.enqueued.due) state.waiting.add(change.enqueued.id);
    state.count++;
  } else if ("attempted" in change) {
    const entry = state.outbox.get(change.attempted)!;
    entry.attempts.push(change.attempt);
    entry.due = change.due;
    entry.outcome = change.outcome;
    if (!change.due) state.waiting.delete(entry.id);
  } else {
    const entry = state.outbox.get(change.again)!;
    entry.due = change.due;
    entry.outcome = "waiting";
    state.waiting.add(entry.id);
  }
}

/** A small number that only depends on the seed and the entry, to shuffle by. */
function rank(seed: number, id: string): number {
  let hash = seed | 0;
  for (const c of id) hash = Math.imul(hash ^ c.charCodeAt(0), 0x5bd1e995) ^ (hash >>> 13);
  return hash;
}

function typeOf(body: string): string {
  const event = JSON.parse(body) as { type?: string; event_type?: string };
  return event.type ?? event.event_type ?? "unknown";
}

/** Sends the partners' webhooks: an outbox that survives, real signatures, retries by the virtual clock, a log. */
export class Webhooks {
  private readonly cell;

  constructor(
    store: Store,
    private readonly now: () => Date,
    private readonly sign: (delivery: Delivery) => Promise<Record<string, string>>,
  ) {
    this.cell = store.cell<State, Change>(
      "webhooks",
      () => ({ endpoints: {}, modes: ORDERLY, outbox: new Map(), waiting: new Set(), count: 0 }),
      apply,
    );
  }

  /** Puts a webhook into the outbox; without a registered endpoint it is dropped, as with the real partners. */
  enqueue(to: WebhookTarget, body: string, opts: { at?: Date } = {}): void {
    const { endpoints, modes, count } = this.cell.state();
    const type = typeOf(body);
    const dropped = !endpoints[to] || modes.drop.includes(type);
    const copies = dropped ? 1 : modes.duplicate;
    for (let copy = 0; copy < copies; copy++) {
      this.cell.record({
        enqueued: {
          id: `dlv_${count + copy + 1}`,
          to,
          type,
          body,
          enqueued_at: this.now().toISOString(),
          due: dropped ? null : (opts.at ?? this.now()).toISOString(),
          outcome: dropped ? "dropped" : "waiting",
          attempts: [],
        },
      });
    }
  }

  nextDue(): string | null {
    const { outbox, waiting } = this.cell.state();
    let next: string | null = null;
    for (const id of waiting) {
      const { due } = outbox.get(id)!;
      if (due && (next === null || due < next)) next = due;
    }
    return next;
  }

  /** Sends everything that is due, one after the other, and waits for each answer. */
  async deliverDue(): Promise<void> {
    const { outbox, waiting, modes } = this.cell.state();
    const now = this.now().toISOString();
    const due = [...waiting]
      .map((id) => outbox.get(id)!)
      .filter((entry) => entry.due !== null && entry.due <= now);
    const { shuffle } = modes;
    if (shuffle !== null) due.sort((a, b) => rank(shuffle, a.id) - rank(shuffle, b.id));
    else due.sort((a, b) => (a.due! < b.due! ? -1 : a.due! > b.due! ? 1 : 0));
    for (const entry of due) await this.attempt(entry);
  }

  private async attempt(entry: OutboxEntry): Promise<void> {
    const { endpoints, modes } = this.cell.state();
    const at = this.now();
    const endpoint = endpoints[entry.to];
    const attempt: Attempt = { at: at.toISOString(), status: null, error: null };
    if (!endpoint) attempt.error = "no endpoint is registered";
    else {
      const headers = await this.sign({
        to: entry.to,
        body: entry.body,
        now: modes.stale_timestamp ? new Date(at.getTime() - 600_000) : at,
        endpoint: modes.wrong_secret
          ? {
              url: endpoint.url,
              secret: `${endpoint.secret ?? ""}x`,
              webhook_id: `${endpoint.webhook_id ?? ""}X`,
            }
          : endpoint,
      });
      try {
        const answer = await fetch(endpoint.url, {
          method: "POST",
          body: entry.body,
          headers: { "content-type": "application/json; charset=utf-8", ...headers },
          signal: AbortSignal.timeout(PATIENCE_MS),
          redirect: "manual",
        });
        attempt.status = answer.status;
        await answer.arrayBuffer();
      } catch (error) {
        attempt.error =
          error instanceof Error ? `${error.message} ${String(error.cause ?? "")}`.trim() : String(error);
      }
    }
    const accepted = attempt.status !== null && attempt.status >= 200 && attempt.status < 300;
    const wait = RETRY_AFTER_MS[entry.attempts.length];
    this.cell.record({
      attempted: entry.id,
      attempt,
      due: accepted || wait === undefined ? null : new Date(at.getTime() + wait).toISOString(),
      outcome: accepted ? "delivered" : wait === undefined ? "given_up" : "waiting",
    });
  }

  endpoints(): Endpoints {
    return this.cell.state().endpoints;
  }

  setEndpoints(endpoints: Endpoints): void {
    this.cell.record({ endpoints });
  }

  modes(): WebhookModes {
    return this.cell.state().modes;
  }

  /** Sets the modes named; `{}` brings everything back to order. */
  setModes(modes: Partial<WebhookModes>): void {
    this.cell.record({ modes: { ...ORDERLY, ...modes } });
  }

  deliveries(): OutboxEntry[] {
    return [...this.cell.state().outbox.values()];
  }

  /** Sends one entry again now, whatever became of it; false when there is none. */
  redeliver(id: string): boolean {
    if (!this.cell.state().outbox.has(id)) return false;
    this.cell.record({ again: id, due: this.now().toISOString() });
    return true;
  }
}
