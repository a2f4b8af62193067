import { ReferralSettingsSet } from "@tributary/contracts/events/program";
import type { ReferralSettings } from "@tributary/contracts/http/program";
import { Refusal } from "@tributary/runtime/refusal";
import { stream, when } from "@tributary/runtime/stream";

type State = { readonly status: "none" } | ({ readonly status: "set" } & ReferralSettings);
export type ReferralState = State;

/** A referral code with what it pays, keyed by the code: its first event claims the code, so two can never be alike. */
export const referral = stream("referral", { status: "none" } as State, [
  when(ReferralSettingsSet, (_, { data }) => ({ status: "set", ...data })),
]);

/** The code is not known, not active any more, or another brand's: they look alike on purpose. */
export const referralNotFound = (): Refusal =>
  new Refusal(404, "referral_not_found", "This referral link is invalid or has expired.");
