import { z } from "zod";

/**
 * What a process says of itself when asked whether it is quiet: readers at the heads they see, no job due, nothing in flight,
 * nothing held but what is parked with a cause. The heads of its logs and the positions of its readers let whoever joins several
 * reports see that they fit together; two equal rounds prove that nothing moved in between.
 */
export const QuietReport = z.object({
  process: z.string(),
  /** The move of the virtual clock it has followed. */
  clock: z.int(),
  quiet: z.boolean(),
  /** The next moment at which something comes due by itself (ISO 8601), if any. */
  next_due: z.string().nullable(),
  /** What it still waits for, in words. */
  waiting: z.array(z.string()),
  heads: z.record(z.string(), z.array(z.int())),
  /** The lowest position any of its readers has in each source. */
  positions: z.record(z.string(), z.array(z.int())),
});
export type QuietReport = z.infer<typeof QuietReport>;
