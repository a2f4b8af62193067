import { randomUUID } from "node:crypto";
import { asDay } from "@tributary/contracts/dates";
import { LinkClicked } from "@tributary/contracts/events/clicks";
import type { StoredEvent } from "@tributary/runtime/store/unit";

const meta = JSON.stringify({ actor: "bench", correlationid: "2f4a1c1e-6a53-5d0e-9d2e-1b6f2b8f9a01" });

/** An event of the smallest and most frequent kind, in the form that the store takes: for big ones the checks weigh less. */
export function click(link_id: string): StoredEvent {
  const { type, json } = LinkClicked({
    link_id,
    date: asDay("2026-01-05"),
    clicked_at: "2026-01-05T18:00:00.000Z",
    visitor: "Yq3mFz0o1XbN8t2KcL7d4A",
    referrer_host: "www.instagram.com",
  });
  return { id: randomUUID(), type, data: JSON.stringify(json), meta };
}
