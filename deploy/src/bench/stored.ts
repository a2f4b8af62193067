import { randomUUID } from "node:crypto";
import { asDay } from "@tributary/contracts/dates";
import type { NewEvent } from "@tributary/contracts/event";
import { LinkClicked } from "@tributary/contracts/events/clicks";
import type { StoredEvent } from "@tributary/runtime/store/unit";

const META = JSON.stringify({ actor: "bench", correlationid: "2f4a1c1e-6a53-5d0e-9d2e-1b6f2b8f9a01" });

/** A fact in the form that the store takes. */
export const stored = ({ type, json }: NewEvent): StoredEvent => ({
  id: randomUUID(),
  type,
  data: JSON.stringify(json),
  meta: META,
});

/** An event of the smallest and most frequent kind, where the checks weigh most beside the writing. */
export const click = (link_id: string): StoredEvent =>
  stored(
    LinkClicked({
      link_id,
      date: asDay("2026-01-05"),
      clicked_at: "2026-01-05T18:00:00.000Z",
      visitor: "Yq3mFz0o1XbN8t2KcL7d4A",
      referrer_host: "www.instagram.com",
    }),
  );
