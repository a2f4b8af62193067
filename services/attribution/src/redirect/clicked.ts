import { type Day, dayAt } from "@tributary/contracts/dates";
import { LinkClicked } from "@tributary/contracts/events/clicks";
import { type Addressed, anyhow } from "@tributary/runtime/decision";
import { clicksOf } from "../clicks.ts";
import type { Noted } from "./click-recorder.ts";
import type { Visitors } from "./visitors.ts";

/** The events of a batch of clicks, per link and day: no address among them, only the day's hash of it. */
export async function clicked(visitors: Visitors, noted: readonly Noted[]): Promise<Addressed[]> {
  const byStream = new Map<
    string,
    { link_id: string; date: Day; events: ReturnType<typeof LinkClicked>[] }
  >();
  const days = new Map<string, Day>();
  const hosts = new Map<string, string | null>();
  for (const { link_id, at, address, agent, referrer } of noted) {
    const date = once(days, at.slice(0, HOUR), () => dayAt(at));
    const visitor = visitors.hash(await visitors.saltOf(date), address, agent);
    const event = LinkClicked({
      link_id,
      date,
      clicked_at: at,
      visitor,
      referrer_host: once(hosts, referrer, () => hostOf(referrer)),
    });
    const key = `${link_id}:${date}`;
    const same = byStream.get(key);
    if (same) same.events.push(event);
    else byStream.set(key, { link_id, date, events: [event] });
  }
  return [...byStream.values()].map(({ link_id, date, events }) =>
    anyhow(clicksOf(link_id, date), ...events),
  );
}

/** Clicks of one hour lie on one day, for the marketplace's zone is whole hours away; a batch asks the calendar once for each. */
const HOUR = "2026-01-05T18".length;

function once<T>(known: Map<string, T>, key: string, make: () => T): T {
  const made = known.get(key);
  if (made !== undefined) return made;
  const fresh = make();
  known.set(key, fresh);
  return fresh;
}

const hostOf = (referrer: string): string | null =>
  URL.canParse(referrer) ? new URL(referrer).host.slice(0, 255) || null : null;
