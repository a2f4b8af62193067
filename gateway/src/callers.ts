import type { Caller } from "@tributary/runtime/caller";
import {
  AFTER_HEADER,
  BEHIND_HEADER,
  readPositions,
  writePositions,
} from "@tributary/runtime/http/positions";
import { forbidden, tryLater } from "@tributary/runtime/refusal";
import { ExpiringCache } from "./expiring-cache.ts";
import type { Identity } from "./identity-token.ts";
import { KnownCaller, type KnownCallers } from "./known-callers.ts";
import { type Said, unreachable } from "./upstream.ts";

/** Somebody the gateway has resolved; the same object for as long as the answer is believed. */
export interface Resolved {
  readonly caller: Caller;
}

/** Highest sequence per partition of identity's log. */
type Place = ReadonlyMap<number, number>;

interface Believed {
  readonly resolved: Resolved;
  readonly disabled: boolean;
  readonly at: Place;
}

const BELIEVED_MS = 2_000;
const MOST_CALLERS = 10_000;
/** After identity recorded something, for how long it is asked rather than the fold, which may not have heard of it yet. */
const FOLD_LAGS_MS = 10_000;
const NOWHERE: Place = new Map();

const covers = (at: Place, asked: Place): boolean =>
  [...asked].every(([partition, sequence]) => (at.get(partition) ?? -1) >= sequence);

function join(one: Place, other: Place): Place {
  const joined = new Map(one);
  for (const [partition, sequence] of other)
    joined.set(partition, Math.max(sequence, joined.get(partition) ?? sequence));
  return joined;
}

const identityPlace = (header: string | undefined): Place =>
  header?.includes("identity=") ? (readPositions(header).get("identity") ?? NOWHERE) : NOWHERE;

/**
 * Resolves callers: from memory for two seconds, else from the gateway's fold, else by asking identity. What identity recorded
 * through this gateway, or what the client says it has seen (x-after), is never missing from the answer.
 */
export class Callers {
  readonly #believed: ExpiringCache<Believed>;
  readonly #known: KnownCallers;
  readonly #askIdentity: (path: string, headers: Record<string, string>) => Promise<Said>;
  readonly #now: () => number;
  #moved: Place = NOWHERE;
  #movedAt = Number.NEGATIVE_INFINITY;

  constructor(
    known: KnownCallers,
    askIdentity: (path: string, headers: Record<string, string>) => Promise<Said>,
    now: () => number,
  ) {
    this.#believed = new ExpiringCache(MOST_CALLERS, now);
    this.#known = known;
    this.#askIdentity = askIdentity;
    this.#now = now;
  }

  /** Who this is to us. Throws 403 for an account that was disabled, 503 when identity hasn't shown what the client has seen. */
  async resolve(identity: Identity, after: string | undefined): Promise<Resolved> {
    const asked = identityPlace(after);
    const believed = this.#believed.get(identity.uid);
    if (believed && believed.resolved.caller.email === identity.email && covers(believed.at, asked))
      return usable(believed);
    const at = join(this.#moved, asked);
    const recently = this.#now() - this.#movedAt < FOLD_LAGS_MS;
    const folded = recently || asked.size > 0 ? null : await this.#known(identity.uid);
    const known = folded ?? (await this.#ask(identity.uid, at));
    const { disabled, ...rest } = known;
    const found = { resolved: { caller: { ...rest, email: identity.email } }, disabled, at };
    // What identity recorded while this was looked up may be missing from it.
    if (covers(at, this.#moved)) this.#believed.set(identity.uid, found, BELIEVED_MS);
    return usable(found);
  }

  /** Identity recorded something, there: nobody is believed to be who they were. */
  identityMoved(position: string | undefined): void {
    this.#moved = join(this.#moved, identityPlace(position));
    this.#movedAt = this.#now();
    this.#believed.clear();
  }

  async #ask(uid: string, at: Place): Promise<KnownCaller> {
    const after: Record<string, string> =
      at.size === 0 ? {} : { [AFTER_HEADER]: writePositions(new Map([["identity", new Map(at)]])) };
    const { status, body, headers } = await this.#askIdentity(
      `/internal/callers/${encodeURIComponent(uid)}`,
      after,
    );
    if (status === 503 || headers[BEHIND_HEADER] === "behind")
      throw tryLater("behind", "Your last change has not arrived here yet", 1);
    if (status === 404) return stranger(uid);
    if (status !== 200) throw unreachable("identity");
    return KnownCaller.parse(body);
  }
}

/** Somebody who signed in and has no account with us yet. */
const stranger = (uid: string): KnownCaller => ({
  uid,
  user_id: null,
  user_type: null,
  role: "user",
  brand_id: null,
  creator_id: null,
  approved: false,
  disabled: false,
});

function usable({ resolved, disabled }: Believed): Resolved {
  if (disabled) throw forbidden("account_disabled", "User account has been disabled");
  return resolved;
}
