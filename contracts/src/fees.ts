import { z } from "zod";
import { addDays, type Day, day } from "./dates.ts";

/** How long a creator is warned before a fee falls, in days: the attribution window, so that no click made under the old fee is paid the new one. */
export const NOTICE_DAYS = 14;

/** A percent that the brand may set: whole, 1 to 100. */
export const percent = z
  .int("Enter a whole percent")
  .min(1, "A fee is at least 1 percent")
  .max(100, "A fee is at most 100 percent");

/** One version of a fee. The one with which a product is listed has no beginning: it counts on every day before the first change. */
export const FeeVersion = z.object({
  percent: z.int(),
  effective_from: day.nullable(),
  requested_on: day.nullable(),
  set_by: z.string().nullable(),
});
export type FeeVersion = z.infer<typeof FeeVersion>;

/** The version in force on a day: the one that began last, null when none had begun. Works for anything that holds from a day on. */
export function inForce<V extends { readonly effective_from: Day | null }>(
  versions: readonly V[],
  on: Day,
): V | null {
  let found: V | null = null;
  for (const version of versions) {
    const begins = version.effective_from ?? "";
    if (begins <= on && (!found || begins >= (found.effective_from ?? ""))) found = version;
  }
  return found;
}

/** What is left when everything is cancelled that was to begin after the day of a request. */
export const withoutPending = <V extends { readonly effective_from: Day | null }>(
  versions: readonly V[],
  requested_on: Day,
): V[] => versions.filter(({ effective_from }) => effective_from === null || effective_from <= requested_on);

/** The versions after one more was agreed: it takes the place of all that was still to begin on the day it was asked for. */
export const withVersion = <V extends { readonly effective_from: Day | null }>(
  versions: readonly V[],
  agreed: V & { readonly requested_on: Day },
): V[] => [...withoutPending(versions, agreed.requested_on), agreed];

/** What becomes of a request: another version from a day on; only the pending one cancelled; nothing at all. */
export type FeeDecision =
  | { readonly kind: "agreed"; readonly percent: number; readonly effective_from: Day }
  | { readonly kind: "cancelled" }
  | { readonly kind: "unchanged" };

/**
 * The one rule of changing a fee (money rules, 6.6). A request of day c cancels what was to begin after c in its own scope
 * and is compared with what is in force on c: higher begins on c + 1, lower on c + 14, equal begins never. `otherwise` is
 * what counts while no version of the scope is in force: the product's percent, for a private fee.
 */
export function feeAfterRequest(
  versions: readonly FeeVersion[],
  requested_on: Day,
  percent: number,
  otherwise?: number,
): FeeDecision {
  const current = inForce(versions, requested_on)?.percent ?? otherwise;
  if (current === undefined)
    throw new Error(`no fee is in force on ${requested_on}, and none was given instead`);
  const pending = versions.filter(
    ({ effective_from }) => effective_from !== null && effective_from > requested_on,
  );
  if (percent === current) return { kind: pending.length > 0 ? "cancelled" : "unchanged" };
  const effective_from = addDays(requested_on, percent > current ? 1 : NOTICE_DAYS);
  const same = pending.length === 1 && pending[0]?.effective_from === effective_from;
  if (same && pending[0]?.percent === percent) return { kind: "unchanged" };
  return { kind: "agreed", percent, effective_from };
}
