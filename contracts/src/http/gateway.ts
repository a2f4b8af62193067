import * as z from "zod/mini";

/** What GET /api/version answers: the running product's version, shown in the footer of every public page. */
export const Version = z.object({ version: z.string() });
export type Version = z.infer<typeof Version>;
