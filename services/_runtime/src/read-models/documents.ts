/** How one field is asked for: a value, one of several, a range, the beginning of a text or a piece of it. */
export type Condition<V> =
  | V
  | { readonly in: readonly V[] }
  | { readonly gt?: V; readonly gte?: V; readonly lt?: V; readonly lte?: V }
  | { readonly prefix: string }
  | { readonly contains: string };

export type Filter<T> = { readonly [K in keyof T]?: Condition<NonNullable<T[K]>> | null | undefined };

/** One page of a list and the cursor of the next; no cursor, no more. */
export interface Page<T> {
  readonly items: T[];
  readonly next: string | null;
}

/** Sums per group: exact whole numbers, in the unit of each field. */
export interface GroupSums<K extends string> {
  readonly key: string | null;
  readonly count: number;
  readonly sums: Readonly<Record<K, bigint>>;
}

/**
 * The small vocabulary in which read models are asked. Every engine answers it alike, in the same order (texts by code
 * point, nulls and missing fields last). Fields asked or sorted by are top-level; declare an index for them.
 */
export interface Documents<T> {
  get(id: string): Promise<T | null>;
  /** The documents of these ids, by id; those that don't exist are left out. */
  find(ids: readonly string[]): Promise<Map<string, T>>;
  /** The same as a list, in the order of the ids. */
  many(ids: readonly string[]): Promise<T[]>;
  where(filter: Filter<T>): Documents<T>;
  /** Fields in order of weight, `-` before a descending one; ties are broken by id. */
  sort(...fields: ((keyof T & string) | `-${keyof T & string}`)[]): Documents<T>;
  /** A keyset page; 50 unless told, 500 at most. */
  page(at?: {
    readonly after?: string | null | undefined;
    readonly limit?: number | undefined;
  }): Promise<Page<T>>;
  /** Everything that matches, where it is known to be little: throws beyond `limit` (1000 at most) instead of cutting. */
  all(limit?: number): Promise<T[]>;
  count(): Promise<number>;
  sum<K extends keyof T & string>(...fields: K[]): Promise<Record<K, bigint>>;
  groupSum<K extends keyof T & string>(by: keyof T & string, ...fields: K[]): Promise<GroupSums<K>[]>;
}
