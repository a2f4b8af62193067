import type { PayoutView } from "@tributary/contracts/http/billing";

const CLAIM_DAYS = 30;

/** What PayPal calls the causes, in words for the creator. */
const CAUSES: Record<string, string> = {
  RECEIVER_UNREGISTERED: "this address has no PayPal account yet",
  RECEIVER_UNCONFIRMED: "this address has not been confirmed at PayPal yet",
  RECEIVER_ACCOUNT_INVALID: "PayPal doesn't know this account",
  RECEIVER_ACCOUNT_LOCKED: "PayPal has locked this account",
};

const said = (reason: string | null): string => (reason && CAUSES[reason]) ?? reason ?? "no reason given";

/** Where a payout waits, on whom and until when: everything between the brand's payment and the creator's account. */
export function waitingOf(of: {
  readonly status: PayoutView["status"];
  readonly since: string;
  readonly failure_reason: string | null;
}): PayoutView["waiting"] {
  const because = said(of.failure_reason);
  const on = (
    who: "us" | "paypal" | "creator",
    cause: string,
    can_resend = false,
    until: string | null = null,
  ) => ({
    on: who,
    cause,
    until,
    can_resend,
  });
  switch (of.status) {
    case "queued":
      return on("us", "It is about to be sent to PayPal");
    case "submitted":
      return on("paypal", "PayPal is working on it");
    case "unclaimed": {
      const until = new Date(Date.parse(of.since) + CLAIM_DAYS * 86_400_000).toISOString();
      return on(
        "creator",
        `Nobody has claimed it: ${because}. Claim it, or correct your address`,
        true,
        until,
      );
    }
    case "on_hold":
      return on("paypal", `PayPal is reviewing it: ${because}`);
    case "blocked":
      return on("paypal", `PayPal has blocked it: ${because}. It can be sent again once it has come back`);
    case "failed":
      return on(
        "creator",
        `PayPal did not pay it: ${because}. Correct your address and have it sent again`,
        true,
      );
    case "returned":
    case "refunded":
    case "reversed":
      return on("creator", `It has come back: ${because}. Correct your address and have it sent again`, true);
    case "succeeded":
      return null;
  }
}
