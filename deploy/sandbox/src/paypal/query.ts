import { z } from "zod";
import { PayPalError } from "./errors.ts";

function number(least: number, most: number) {
  return z
    .string()
    .regex(/^\d{1,6}$/)
    .transform(Number)
    .refine((value) => value >= least && value <= most);
}

const FIELDS = ["batch_header", "items", "links", "total_items", "total_pages"] as const;

/** How a payout is to be shown. */
export const showPayout = z.strictObject({
  fields: z
    .string()
    .transform((text) => text.split(","))
    .pipe(z.array(z.enum(FIELDS)))
    .optional(),
  page: number(1, 1000).optional(),
  page_size: number(1, 1000).optional(),
  total_required: z
    .enum(["true", "false"])
    .transform((text) => text === "true")
    .optional(),
});

/** For addresses that take no query at all. */
export const nothing = z.strictObject({});

/** Which webhooks are to be listed: the application's, or an account's. */
export const listWebhooks = z.strictObject({ anchor_type: z.enum(["APPLICATION", "ACCOUNT"]).optional() });

/** The query, or PayPal's error about its first flaw. */
export function checkQuery<T>(schema: z.ZodType<T>, query: unknown): T {
  const read = schema.safeParse(query);
  if (read.success) return read.data;
  const issue = read.error.issues[0]!;
  const field = issue.code === "unrecognized_keys" ? issue.keys[0]! : String(issue.path[0]);
  const what = issue.code === "unrecognized_keys" ? "Unknown field" : "Value is invalid";
  throw new PayPalError(400, "VALIDATION_ERROR", [{ field, location: "query", issue: what }]);
}
