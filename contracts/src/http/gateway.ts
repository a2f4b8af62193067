// zod/mini, because every public page parses this answer and the whole library would be a fifth of its code.
import * as z from "zod/mini";

/** What GET /api/version answers: the running product's version, shown in the footer of every public page. */
export const Version = z.object({ version: z.string() });
export type Version = z.infer<typeof Version>;
