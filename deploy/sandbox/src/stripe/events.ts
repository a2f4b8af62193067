import { missing } from "./errors.ts";
import { page, within } from "./lists.ts";
import { createdFilter, hash, list as listOf, paging, text } from "./params.ts";
import { route } from "./route.ts";
import { isRetrievable } from "./state.ts";
import type { Unit } from "./unit.ts";

function eventsOf(unit: Unit, account: string | null) {
  return unit
    .all("event")
    .filter((event) => (event.account ?? null) === account && isRetrievable(event.created, unit.now));
}

const list = route(
  "GET /v1/events",
  hash({
    ...paging,
    created: createdFilter().optional(),
    type: text().optional(),
    types: listOf(text()).optional(),
  }),
  ({ unit, account, params: { created, type, types, ...paging } }) => {
    const wanted = type === undefined ? types : [type];
    const found = eventsOf(unit, account).filter(
      (event) =>
        within(event.created, created) && (!wanted || wanted.some((pattern) => matches(pattern, event.type))),
    );
    return page("/v1/events", found, paging);
  },
  { perAccount: true },
);

function matches(pattern: string, type: string): boolean {
  return pattern === type || (pattern.endsWith(".*") && type.startsWith(pattern.slice(0, -1)));
}

const retrieve = route(
  "GET /v1/events/:id",
  hash({}),
  ({ unit, account, path }) => {
    const event = eventsOf(unit, account).find(({ id }) => id === path.id);
    if (!event) throw missing("event", path.id!, "id", 404);
    return event;
  },
  { perAccount: true },
);

/** What happened in the last 30 days, to find what a webhook has missed; a connected account's own only when asked for it. */
export const events = [list, retrieve];
