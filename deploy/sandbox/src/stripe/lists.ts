import { missing } from "./errors.ts";

interface Paging {
  limit?: number | undefined;
  starting_after?: string | undefined;
  ending_before?: string | undefined;
}

interface Bounds {
  gt?: number | undefined;
  gte?: number | undefined;
  lt?: number | undefined;
  lte?: number | undefined;
}

/** True when a moment (seconds) lies within the bounds of a `created` filter. */
export function within(created: number, { gt, gte, lt, lte }: Bounds = {}): boolean {
  return (
    (gt === undefined || created > gt) &&
    (gte === undefined || created >= gte) &&
    (lt === undefined || created < lt) &&
    (lte === undefined || created <= lte)
  );
}

/** One page of a list that begins with the newest; the page after `starting_after` or before `ending_before`. */
export function page<T extends { id: string; object: string }>(
  url: string,
  newestFirst: T[],
  paging: Paging,
) {
  const { limit = 10, starting_after, ending_before } = paging;
  const cursor = (id: string, param: string) => {
    const index = newestFirst.findIndex((item) => item.id === id);
    if (index < 0) throw missing("object", id, param);
    return index;
  };
  if (ending_before !== undefined) {
    const end = cursor(ending_before, "ending_before");
    const start = Math.max(0, end - limit);
    return { object: "list" as const, url, has_more: start > 0, data: newestFirst.slice(start, end) };
  }
  const start = starting_after === undefined ? 0 : cursor(starting_after, "starting_after") + 1;
  const data = newestFirst.slice(start, start + limit);
  return { object: "list" as const, url, has_more: start + limit < newestFirst.length, data };
}
