import { PageClaimed } from "@tributary/contracts/events/program";
import { readModel, show } from "@tributary/runtime/read-models/read-model";
import { notFound } from "@tributary/runtime/refusal";
import { when } from "@tributary/runtime/stream";
import { z } from "zod";
import { PUBLIC_PROGRAM, programs, shownProgram } from "./programs.ts";

const PageDoc = z.object({ page_id: z.string(), program_id: z.string() });
export type PageDoc = z.infer<typeof PageDoc>;

/** Which program a page id leads to; one that was given up still leads there. */
export const pages = readModel("pages", PageDoc, {
  on: [when(PageClaimed, (_, { data }) => data)],
  key: ({ data }) => data.page_id,
  routes: {
    "GET /api/affiliate-programs/page/:pageId": show<PageDoc>()({
      access: { as: "public", fields: PUBLIC_PROGRAM },
      input: z.object({ pageId: z.string() }),
      answer: async (documents, { pageId }, { documents: other }) => {
        const claimed = await documents.get(pageId);
        const doc = claimed && (await other(programs).get(claimed.program_id));
        if (!doc) throw notFound("Program");
        return shownProgram(doc);
      },
    }),
  },
});
