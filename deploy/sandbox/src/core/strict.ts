import type { z } from "zod";

/** An answer a partner gives instead of a success; thrown anywhere in a route, sent as it is. */
export class PartnerError extends Error {
  constructor(
    readonly status: number,
    readonly body: unknown,
    readonly headers: Record<string, string> = {},
  ) {
    super(`partner answers ${status}: ${JSON.stringify(body)}`);
  }
}

/** What is wrong with an input, in a form that every partner can put into its own words. `path` is dotted. */
export interface Flaw {
  kind: "unknown" | "missing" | "invalid";
  path: string;
  message: string;
}

function flawOf(error: z.ZodError, value: unknown): Flaw {
  const issue = error.issues[0]!;
  if (issue.code === "unrecognized_keys") {
    const path = [...issue.path, issue.keys[0]].join(".");
    return { kind: "unknown", path, message: `Unknown parameter: ${path}` };
  }
  const path = issue.path.join(".");
  const at = issue.path.reduce<unknown>(
    (v, key) => (v as Record<PropertyKey, unknown> | undefined)?.[key],
    value,
  );
  return at === undefined
    ? { kind: "missing", path, message: `Missing required parameter: ${path}` }
    : { kind: "invalid", path, message: `Invalid value for ${path}: ${issue.message}` };
}

/** Parses with a strict schema; the first flaw becomes the error that the partner itself would answer. */
export function check<T>(schema: z.ZodType<T>, value: unknown, refuse: (flaw: Flaw) => PartnerError): T {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw refuse(flawOf(parsed.error, value));
}

/** The body as JSON; text that is none is a flaw of the whole body (empty path). */
export function json(body: unknown, refuse: (flaw: Flaw) => PartnerError): unknown {
  try {
    return JSON.parse(String(body ?? ""));
  } catch {
    throw refuse({ kind: "invalid", path: "", message: "The body is not valid JSON" });
  }
}

/** The body of a form as a flat record; a field sent twice is a flaw. */
export function form(body: unknown, refuse: (flaw: Flaw) => PartnerError): Record<string, string> {
  const fields: Record<string, string> = {};
  for (const [name, value] of new URLSearchParams(String(body ?? ""))) {
    if (name in fields) throw refuse({ kind: "invalid", path: name, message: `Repeated parameter: ${name}` });
    fields[name] = value;
  }
  return fields;
}

/** The media type without its parameters, in lower case; empty when there is none. */
export function mediaType(header: string | string[] | undefined): string {
  return (Array.isArray(header) ? header[0] : header)?.split(";")[0]?.trim().toLowerCase() ?? "";
}

/** The sandbox's own control plane answers its mistakes plainly. */
export function controlRefusal({ message }: Flaw): PartnerError {
  return new PartnerError(400, { error: message });
}
