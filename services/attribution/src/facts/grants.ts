import { CreatorProductGranted } from "@tributary/contracts/events/program";
import { facts } from "@tributary/runtime/facts";
import { when } from "@tributary/runtime/stream";
import { z } from "zod";

/** Which creator may promote which product. */
export const grants = facts(
  "grants",
  z.object({ brand_id: z.string(), partnership_id: z.string(), creator_product_id: z.string() }),
  {
    on: [
      when(CreatorProductGranted, (_, { data: { brand_id, partnership_id, creator_product_id } }) => ({
        brand_id,
        partnership_id,
        creator_product_id,
      })),
    ],
    key: ({ data }) => grantKey(data.creator_id, data.product_id),
  },
);

/** The key of a grant: the creator and the product. */
export const grantKey = (creator_id: string, product_id: string): string => `${creator_id}:${product_id}`;
