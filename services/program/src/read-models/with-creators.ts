import type { Partner } from "@tributary/contracts/http/program";
import type { Page } from "@tributary/runtime/read-models/documents";
import type { Showing } from "@tributary/runtime/read-models/read-model";
import { creators } from "./creators.ts";

/** A page of partnerships with what a brand may know of the creators. */
export async function withCreators<T extends { readonly creator_id: string }>(
  { items, next }: Page<T>,
  documents: Showing["documents"],
): Promise<Page<T & { creator: Partner | null }>> {
  const people = await documents(creators).many([...new Set(items.map(({ creator_id }) => creator_id))]);
  const byId = new Map(people.map((creator) => [creator.creator_id, creator]));
  return { items: items.map((doc) => ({ ...doc, creator: byId.get(doc.creator_id) ?? null })), next };
}
