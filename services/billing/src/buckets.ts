/** Facts that must be listed are kept in 256 rows, by the last two hex digits of an id, so that no row grows large. */
export const BUCKETS = Array.from({ length: 256 }, (_, bucket) => bucket.toString(16).padStart(2, "0"));

/** The row a uuid lies in. */
export const bucketOf = (id: string): string => id.slice(-2);
