import type { Day } from "@tributary/contracts/dates";
import { LinkClicked } from "@tributary/contracts/events/clicks";
import { type StreamRef, stream, when } from "@tributary/runtime/stream";

/** Clicks of one link and day; a log of its own that money never reads. */
export const clicks = stream("clicks", { count: 0 }, [
  when(LinkClicked, ({ count }) => ({ count: count + 1 })),
]);

/** The stream carries the day, so that it ends. */
export const clicksOf = (
  link_id: string,
  date: Day,
): StreamRef<{ count: number }, ReturnType<typeof LinkClicked>> => clicks.at(`${link_id}:${date}`);
