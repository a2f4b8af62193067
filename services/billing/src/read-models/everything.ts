import type { Documents } from "@tributary/runtime/read-models/documents";

/** All documents, page by page, for whoever must add up a whole. */
export async function everything<T>(documents: Documents<T>): Promise<T[]> {
  const found: T[] = [];
  let after: string | null = null;
  do {
    const { items, next }: { items: T[]; next: string | null } = await documents.page({ after, limit: 500 });
    found.push(...items);
    after = next;
  } while (after);
  return found;
}
