import { z } from "zod";
import { invalid, type StripeError } from "./errors.ts";
import type { Form } from "./form.ts";

function flaw(ctx: z.RefinementCtx, message: string, code?: string): never {
  ctx.addIssue({ code: "custom", message, params: { code } });
  return z.NEVER;
}

const UNSETTABLE = "parameter_invalid_empty";

/** A text of at most `max` characters; empty is refused, for in Stripe's forms it means "unset". */
export function text(max = 5000) {
  return z.string().transform((value, ctx) => {
    if (value === "")
      return flaw(ctx, "You passed an empty string. Supply a non-empty value or remove it.", UNSETTABLE);
    if (value.length > max)
      return flaw(ctx, `Invalid string: must be at most ${max} characters`, "parameter_invalid_string");
    return value;
  });
}

/** An integer, written in digits; outside `min`..`max` it is refused. */
export function integer({ min = Number.MIN_SAFE_INTEGER, max = Number.MAX_SAFE_INTEGER } = {}) {
  return z.string().transform((value, ctx) => {
    if (value === "")
      return flaw(ctx, "You passed an empty string. Supply a non-empty value or remove it.", UNSETTABLE);
    if (!/^-?\d{1,16}$/.test(value))
      return flaw(ctx, `Invalid integer: ${value}`, "parameter_invalid_integer");
    const number = Number(value);
    if (number < min)
      return flaw(ctx, `Invalid integer: must be at least ${min}`, "parameter_invalid_integer");
    if (number > max)
      return flaw(ctx, `Invalid integer: must be at most ${max}`, "parameter_invalid_integer");
    return number;
  });
}

/** `true` or `false`. */
export function flag() {
  return z.string().transform((value, ctx) => {
    if (value !== "true" && value !== "false")
      return flaw(ctx, `Invalid boolean: ${value}`, "parameter_invalid_boolean");
    return value === "true";
  });
}

/** One of the words named. */
export function oneOf<const W extends string>(...words: W[]) {
  return z.string().transform((value, ctx) => {
    const word = words.find((known) => known === value);
    if (word === undefined) return flaw(ctx, `Invalid value: must be one of ${words.join(", ")}`);
    return word;
  });
}

/** Nested parameters; any other name inside is refused. */
export function hash<S extends z.core.$ZodLooseShape>(shape: S) {
  return z.strictObject(shape);
}

/** Several of the same, written as `a[]=x` or `a[0]=x`. */
export function list<T extends z.ZodType>(item: T) {
  return z.array(item);
}

/** At most 50 pairs, names up to 40 characters, values up to 500; an empty value removes the name. */
export function metadata() {
  const pairs = z.record(z.string(), z.string()).superRefine((pairs, ctx) => {
    if (Object.keys(pairs).length > 50) flaw(ctx, "Metadata can have at most 50 keys");
    for (const [name, value] of Object.entries(pairs)) {
      if (name.length > 40) flaw(ctx, `Metadata keys must be at most 40 characters: ${name}`);
      if (value.length > 500) flaw(ctx, `Metadata values must be at most 500 characters: ${name}`);
    }
  });
  return z.preprocess((given) => (Array.isArray(given) ? { ...given } : given), pairs);
}

/** Metadata as it stands after an update: given names replace, empty values remove. */
export function merged(
  before: Record<string, string>,
  given: Record<string, string> = {},
): Record<string, string> {
  return Object.fromEntries(Object.entries({ ...before, ...given }).filter(([, value]) => value !== ""));
}

/** `created=…` or `created[gte]=…`. */
export function createdFilter() {
  const bounds = hash({
    gt: integer().optional(),
    gte: integer().optional(),
    lt: integer().optional(),
    lte: integer().optional(),
  });
  return z.preprocess((given) => (typeof given === "string" ? { gte: given, lte: given } : given), bounds);
}

/** The parameters every list takes. */
export const paging = {
  limit: integer({ min: 1, max: 100 }).optional(),
  starting_after: text().optional(),
  ending_before: text().optional(),
};

const TYPES: Record<string, [string, string]> = {
  string: ["parameter_invalid_string", "Invalid string"],
  object: ["parameter_invalid_object", "Invalid object"],
  record: ["parameter_invalid_object", "Invalid object"],
  array: ["parameter_invalid_array", "Invalid array"],
};

function nameOf(path: PropertyKey[]): string {
  const [first = "", ...rest] = path.map(String);
  return first + rest.map((step) => `[${step}]`).join("");
}

function refusal(error: z.ZodError, given: unknown): StripeError {
  const unknown = error.issues.find((issue) => issue.code === "unrecognized_keys");
  if (unknown) {
    const names = unknown.keys.map((key) => nameOf([...unknown.path, key]));
    const plural = names.length > 1 ? "s" : "";
    return invalid(`Received unknown parameter${plural}: ${names.join(", ")}`, {
      code: "parameter_unknown",
      param: names[0],
    });
  }
  const issue = error.issues[0]!;
  const param = nameOf(issue.path);
  if (issue.code === "custom") {
    const { code } = issue.params as { code?: string };
    return invalid(`${issue.message} (${param})`, { ...(code ? { code } : {}), param });
  }
  const at = issue.path.reduce<unknown>(
    (value, key) => (value as Record<PropertyKey, unknown> | undefined)?.[key],
    given,
  );
  if (at === undefined)
    return invalid(`Missing required param: ${param}.`, { code: "parameter_missing", param });
  const [code, message] = (issue.code === "invalid_type" && TYPES[issue.expected]) || TYPES.string!;
  return invalid(`${message} (${param})`, { code, param });
}

/** Reads the parameters of one request, or refuses the first flaw as Stripe does. */
export function readParams<T>(schema: z.ZodType<T>, given: Form): T {
  const read = schema.safeParse(given);
  if (read.success) return read.data;
  throw refusal(read.error, given);
}
