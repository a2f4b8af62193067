import type { IncomingHttpHeaders } from "node:http";
import { INTERNAL_TOKEN_HEADER, signCaller } from "@tributary/runtime/http/internal-token";
import type { Resolved } from "./callers.ts";
import type { ServiceName } from "./upstream.ts";

/** How long one token is used again: it lives for a minute, and the service may be slow to read it. */
const REUSED_MS = 20_000;

/** Credentials, and what a client may only claim about itself or about the road of its request. */
const DROPPED: readonly string[] = [
  "authorization",
  "cookie",
  "x-user-id",
  "x-user-email",
  "forwarded",
  "x-real-ip",
  "x-forwarded-host",
  "x-forwarded-port",
  "x-forwarded-proto",
  "x-forwarded-prefix",
];
const OURS = "x-tributary-";

/** Vouches for callers towards services, each by its own key; nobody is vouched for as null. */
export class Vouching {
  readonly #keys: Readonly<Record<ServiceName, string>>;
  readonly #now: () => number;
  readonly #nobody: Resolved = { caller: null as never };
  readonly #signed = new WeakMap<Resolved, Map<ServiceName, { token: string; until: number }>>();

  constructor(keys: Readonly<Record<ServiceName, string>>, now: () => number) {
    this.#keys = keys;
    this.#now = now;
  }

  /** The token by which one service knows who is asking. */
  token(service: ServiceName, resolved: Resolved | null): string {
    const whose = resolved ?? this.#nobody;
    let tokens = this.#signed.get(whose);
    if (!tokens) {
      tokens = new Map();
      this.#signed.set(whose, tokens);
    }
    const known = tokens.get(service);
    if (known && known.until > this.#now()) return known.token;
    const token = signCaller(this.#keys[service], service, resolved?.caller ?? null);
    tokens.set(service, { token, until: this.#now() + REUSED_MS });
    return token;
  }

  /** Sets anew everything by which a service knows who asks, in the headers of a request on its way there. */
  stamp(
    headers: IncomingHttpHeaders,
    service: ServiceName,
    resolved: Resolved | null,
    request: { readonly id: string; readonly ip: string },
  ): void {
    for (const name of DROPPED) if (name in headers) delete headers[name];
    for (const name in headers) if (name.startsWith(OURS)) delete headers[name];
    headers[INTERNAL_TOKEN_HEADER] = this.token(service, resolved);
    headers["x-request-id"] = request.id;
    headers["x-forwarded-for"] = request.ip;
  }
}
