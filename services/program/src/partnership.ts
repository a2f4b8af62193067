import { type Day, dayAt } from "@tributary/contracts/dates";
import {
  PartnershipActivated,
  PartnershipEnded,
  PartnershipRejected,
  PartnershipRequested,
  ReferralCodeIssued,
} from "@tributary/contracts/events/program";
import type { Partnership } from "@tributary/contracts/http/program";
import { stream, when } from "@tributary/runtime/stream";

/** A partnership, with what only decisions need: the day it was turned down, the code its creator refers others by. */
interface Known extends Partnership {
  readonly rejected_on: Day | null;
  readonly issued_code: string | null;
}
type State = { readonly status: "none" } | Known;
export type PartnershipState = State;

const known = (state: State, change: Partial<Known>): State =>
  state.status === "none" ? state : { ...state, ...change };

/** One creator and one brand, keyed by `partnershipId`: they can never hold two partnerships. */
export const partnership = stream("partnership", { status: "none" } as State, [
  when(PartnershipRequested, (_, { data: { partnership_id: id, ...data } }) => ({
    id,
    ...data,
    status: "pending",
    started_by: "creator",
    started_on: null,
    ended_on: null,
    ended_by: null,
    reason: null,
    rejected_on: null,
    issued_code: null,
  })),
  when(PartnershipActivated, (state, { data: { started_on } }) =>
    known(state, { status: "active", started_on }),
  ),
  when(PartnershipRejected, (state, { data: { reason }, time }) =>
    known(state, { status: "rejected", reason, rejected_on: dayAt(time) }),
  ),
  when(PartnershipEnded, (state, { data: { ended_on, by, reason } }) =>
    known(state, { status: "ended", ended_on, ended_by: by, reason }),
  ),
  when(ReferralCodeIssued, (state, { data: { referral_code } }) =>
    known(state, { issued_code: referral_code }),
  ),
]);

/** The partnership as the wire shows it. */
export function shownPartnership(state: State): Partnership | null {
  if (state.status === "none") return null;
  const { rejected_on: _, issued_code: __, ...shown } = state;
  return shown;
}

/** Who the two are, as every event of a partnership names them. */
export const partiesOf = (state: Known) => ({
  partnership_id: state.id,
  creator_id: state.creator_id,
  brand_id: state.brand_id,
});
