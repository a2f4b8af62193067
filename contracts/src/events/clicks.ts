import { z } from "zod";
import { day } from "../dates.ts";
import { eventsOf } from "../event.ts";

/** A shopper followed a link. No address is stored; `visitor` is a hash under a salt that is thrown away every day. */
export const LinkClicked = eventsOf("clicks")(
  "LinkClicked",
  z.object({
    link_id: z.string(),
    date: day,
    clicked_at: z.string(),
    visitor: z.string(),
    referrer_host: z.string().nullable(),
  }),
);
