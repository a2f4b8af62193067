import { z } from "zod";

/** A day of the marketplace's calendar, `YYYY-MM-DD`: never shifted to UTC. */
export type Day = string & { readonly unit: "day" };
/** A calendar month, `YYYY-MM`: the period of a billing cycle. */
export type Month = string & { readonly unit: "month" };

/** The zone of all report dates and of everything that is due on a day (US marketplace). */
export const MARKETPLACE_ZONE = "America/Los_Angeles";

const DAY_MS = 86_400_000;
const utc = (day: string): number => Date.parse(`${day}T00:00:00Z`);
const shape = /^(\d{4})-(\d{2})-(\d{2})$/;
const DAYS_IN_MONTH = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

/** Every event of a report passes here, so no Date is made of it. */
function isDay(text: string): boolean {
  const match = shape.exec(text);
  if (!match) return false;
  const [year, month, of] = [Number(match[1]), Number(match[2]), Number(match[3])];
  const leap = month === 2 && year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  return of >= 1 && of <= (DAYS_IN_MONTH[month - 1] ?? 0) + (leap ? 1 : 0);
}

/** Schema of a day; refuses days that no calendar has. */
export const day = z.custom<Day>(
  (text) => typeof text === "string" && isDay(text),
  "must be a date, YYYY-MM-DD",
);
/** Schema of a month. */
export const month = z.custom<Month>(
  (text) => typeof text === "string" && /^\d{4}-(0[1-9]|1[0-2])$/.test(text),
  "must be a month, YYYY-MM",
);

/** Brands text known to be a day; throws on anything else, for that is a defect of the caller. */
export function asDay(text: string): Day {
  if (!isDay(text)) throw new Error(`"${text}" is no date`);
  return text as Day;
}

/** Counts by the calendar, never in hours. */
export const addDays = (from: Day, days: number): Day =>
  new Date(utc(from) + days * DAY_MS).toISOString().slice(0, 10) as Day;

/** Days from one to another, negative when the second comes first. */
export const daysBetween = (from: Day, to: Day): number => (utc(to) - utc(from)) / DAY_MS;

/** The month a day lies in. */
export const monthOf = (of: Day): Month => of.slice(0, 7) as Month;

/** The month so many months later. */
export function addMonths(from: Month, months: number): Month {
  const [year, number] = from.split("-").map(Number) as [number, number];
  return new Date(Date.UTC(year, number - 1 + months, 1)).toISOString().slice(0, 7) as Month;
}

/** First day of a month. */
export const firstDay = (of: Month): Day => `${of}-01` as Day;
/** Last day of a month. */
export const lastDay = (of: Month): Day => addDays(firstDay(addMonths(of, 1)), -1);

const formats = new Map<string, Intl.DateTimeFormat>();
function local(instant: number, zone: string): string {
  let format = formats.get(zone);
  if (!format) {
    format = new Intl.DateTimeFormat("sv-SE", { timeZone: zone, dateStyle: "short", timeStyle: "medium" });
    formats.set(zone, format);
  }
  return format.format(instant).replace(" ", "T");
}

/** The day it is in the zone at an instant (ISO 8601 or milliseconds). */
export const dayAt = (instant: string | number, zone: string = MARKETPLACE_ZONE): Day =>
  local(typeof instant === "number" ? instant : Date.parse(instant), zone).slice(0, 10) as Day;

/**
 * The instant (ISO 8601, UTC) at which the zone's clocks show a time of a day. A time that a spring change skips is the
 * instant of the change; of one that an autumn change repeats, the first.
 */
export function instantOf(on: Day, time = "00:00", zone: string = MARKETPLACE_ZONE): string {
  const wanted = `${on}T${time.length === 5 ? `${time}:00` : time}`;
  const guess = Date.parse(`${wanted}Z`);
  const offsets = [guess - DAY_MS, guess + DAY_MS].map((at) => Date.parse(`${local(at, zone)}Z`) - at);
  const candidates = offsets.map((offset) => guess - offset).sort((a, b) => a - b);
  const exact = candidates.find((at) => local(at, zone) === wanted);
  if (exact !== undefined) return new Date(exact).toISOString();
  let [low, high] = [candidates[0]!, candidates[1]!];
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (local(middle, zone) < wanted) low = middle;
    else high = middle;
  }
  return new Date(high).toISOString();
}
