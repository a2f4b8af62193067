const zone = "America/Los_Angeles";

const parts = new Intl.DateTimeFormat("en-US", {
  timeZone: zone,
  hourCycle: "h23",
  year: "numeric",
  month: "2-digit",
  day: "2-digit",
  hour: "2-digit",
  minute: "2-digit",
  second: "2-digit",
});

function wallClock(instant: Date): number {
  const read = Object.fromEntries(
    parts.formatToParts(instant).map(({ type, value }) => [type, Number(value)]),
  );
  return Date.UTC(read.year!, read.month! - 1, read.day!, read.hour!, read.minute!, read.second!);
}

/**
 * 03:00 in Los Angeles, `days` calendar days after the day on which `from` falls there: the hour at which banks
 * answer. Counted by the calendar, so a day of 23 or 25 hours is one day.
 */
export function bankMorning(from: Date, days: number): Date {
  const local = new Date(wallClock(from));
  const wanted = Date.UTC(local.getUTCFullYear(), local.getUTCMonth(), local.getUTCDate() + days, 3);
  const guess = wanted + (from.getTime() - wallClock(from));
  return new Date(guess + (wanted - wallClock(new Date(guess))));
}

/** Stripe's time: whole seconds since 1970. */
export function seconds(instant: Date): number {
  return Math.floor(instant.getTime() / 1000);
}
