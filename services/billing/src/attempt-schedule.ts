import { addDays, type Day, instantOf } from "@tributary/contracts/dates";

/** Days after the close on which a charge is attempted, at 03:00 of the marketplace (money rules, 6.13). */
const ATTEMPT_DAYS = [0, 3, 5, 7] as const;

/**
 * When the attempt after `failed_attempt` is made: at 03:00 of its day counted from the close, at once when that has passed
 * (a bank debit fails later than the next attempt was due). Null after the last.
 */
export function nextAttemptAt(failed_attempt: number, closed_on: Day, now: string): string | null {
  const days = ATTEMPT_DAYS[failed_attempt];
  if (days === undefined) return null;
  const due = instantOf(addDays(closed_on, days), "03:00");
  return due > now ? due : now;
}
