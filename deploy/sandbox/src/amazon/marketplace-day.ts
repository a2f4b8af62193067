const FORMAT = new Intl.DateTimeFormat("en-CA", { timeZone: "America/Los_Angeles" });
const HOUR_MS = 3_600_000;
const known = new Map<number, string>();

/** The marketplace's calendar day (America/Los_Angeles) of an instant, as YYYY-MM-DD. */
export function marketplaceDay(at: Date): string {
  // Days begin on a full hour, so one hour has one day; formatting each click anew would take most of a report's time.
  const hour = Math.floor(at.getTime() / HOUR_MS);
  let day = known.get(hour);
  if (day === undefined) {
    day = FORMAT.format(at);
    known.set(hour, day);
  }
  return day;
}

/** A calendar day some days later (or earlier). */
export function addDays(day: string, days: number): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + days * 24 * HOUR_MS).toISOString().slice(0, 10);
}

/** The instant at which a marketplace day begins, daylight saving or not. */
export function startOfDay(day: string): Date {
  const summer = new Date(`${day}T07:00:00Z`);
  return marketplaceDay(summer) === day ? summer : new Date(`${day}T08:00:00Z`);
}
