import type { AttributionTags } from "@tributary/contracts/http/attribution";
import { Refusal } from "@tributary/runtime/refusal";
import { type Asking, route } from "@tributary/runtime/route";
import type { z } from "zod";
import { accountOf, answering } from "../connection/in-the-brands-name.ts";
import { learnTags } from "../connection/learn-advertisers.ts";
import { activeBrands } from "./active-brands.ts";

type Tags = z.infer<typeof AttributionTags>["tags"];

async function tagsOf(asking: Asking, brand_id: string, is_macro: boolean): Promise<Tags> {
  const account = await accountOf(asking, brand_id);
  const tags = await answering(asking, brand_id, () => learnTags(asking, account, is_macro));
  return tags.map((tag) => ({ brand_id, is_macro, ...tag }));
}

const brandTags = (path: string, is_macro: boolean) =>
  route(path, {
    access: { as: "brand" },
    handle: async (_, asking) => ({ tags: await tagsOf(asking, asking.caller!.brand_id!, is_macro) }),
  });

/** A brand that is disconnected or unreachable at the moment costs the creator only its own tags. */
const creatorTags = (path: string, is_macro: boolean) =>
  route(path, {
    access: { as: "approved-creator" },
    handle: async (_, asking) => {
      const tags: Tags = [];
      for (const brand_id of await activeBrands(asking)) {
        try {
          tags.push(...(await tagsOf(asking, brand_id, is_macro)));
        } catch (error) {
          if (!(error instanceof Refusal)) throw error;
          asking.log.info({ brand_id, code: error.code }, "no tags of this brand at the moment");
        }
      }
      return { tags };
    },
  });

/** The tags of all publishers, with placeholders the publisher fills (macro) or we do. Asking makes the retailer measure. */
export const getTags = [
  brandTags("GET /api/amazon/attribution-tag-non-macro", false),
  brandTags("GET /api/amazon/attribution-tag-macro", true),
  creatorTags("GET /api/amazon/creator/attribution-tags-non-macro", false),
  creatorTags("GET /api/amazon/creator/attribution-tags-macro", true),
];
