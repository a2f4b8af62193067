import type { z } from "zod";
import type { Acting } from "./acting.ts";
import type { Role } from "./caller.ts";

/** What the handler of a route of its own is handed. */
export interface Asking extends Acting {
  readonly headers: Readonly<Record<string, string | undefined>>;
  /** The body byte for byte, for signatures. */
  readonly raw: Buffer;
  /** The caller's address, to be hashed or dropped, never stored. */
  readonly address: string;
}

/** An answer other than 200 with JSON. */
export interface Answer {
  readonly kind: "answer";
  readonly status: number;
  readonly body: unknown;
  readonly headers: Readonly<Record<string, string>>;
}
export const answer = (
  status: number,
  body: unknown = null,
  headers: Record<string, string> = {},
): Answer => ({
  kind: "answer",
  status,
  body,
  headers,
});

/** A route of its own, its types forgotten. */
export interface Route {
  readonly kind: "route";
  readonly route: string;
  readonly access: { readonly as: Role | readonly Role[] };
  readonly input: z.ZodObject | null;
  /** `raw` hands over any content type unparsed. */
  readonly body: "json" | "raw" | "form";
  readonly handle: (input: never, asking: Asking) => Promise<unknown>;
}

/** Declares a route that is neither a command nor a read model's: a redirect, a webhook, a conversation with a partner. */
export const route = <I extends z.ZodObject>(
  path: string,
  definition: {
    access: Route["access"];
    input?: I;
    body?: Route["body"];
    handle: (input: z.output<I>, asking: Asking) => Promise<unknown>;
  },
): Route => ({
  kind: "route",
  route: path,
  access: definition.access,
  input: definition.input ?? null,
  body: definition.body ?? "json",
  handle: definition.handle as never,
});
