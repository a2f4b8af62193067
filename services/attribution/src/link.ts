import type { DataOf } from "@tributary/contracts/event";
import {
  LinkArchived,
  LinkCreated,
  LinkRenamed,
  LinkUnarchived,
  LinkUnmasked,
} from "@tributary/contracts/events/attribution";
import { stream, when } from "@tributary/runtime/stream";

/** A creator's link to one product of one brand. Where it leads never changes: one tag, one landing page. */
export type MadeLink = {
  readonly status: "made";
  readonly created_at: string;
  readonly is_archived: boolean;
  readonly unmasked: boolean;
} & DataOf<typeof LinkCreated>;
export type LinkState = { readonly status: "none" } | MadeLink;

const made = (state: LinkState, change: Partial<MadeLink>): LinkState =>
  state.status === "made" ? { ...state, ...change } : state;

/** Keyed by link id, which is also the ad group the retailer reports under. */
export const link = stream("link", { status: "none" } as LinkState, [
  when(LinkCreated, (_, { data, time }) => ({
    ...data,
    status: "made",
    created_at: time,
    is_archived: false,
    unmasked: false,
  })),
  when(LinkArchived, (state) => made(state, { is_archived: true })),
  when(LinkUnarchived, (state) => made(state, { is_archived: false })),
  when(LinkRenamed, (state, { data }) => made(state, { link_name: data.link_name })),
  when(LinkUnmasked, (state) => made(state, { unmasked: true })),
]);
