import { addDays, type Day, dayAt, instantOf, MARKETPLACE_ZONE } from "@tributary/contracts/dates";
import { StripeEventReceived, StripeEventsSwept } from "@tributary/contracts/events/billing";
import { to } from "@tributary/runtime/decision";
import { job } from "@tributary/runtime/job";
import { isHeeded } from "../effects/heed-stripe.ts";
import { stripePartner } from "../stripe/client.ts";
import type { Notice } from "../stripe/partner.ts";
import { stripeSweep } from "../stripe-sweep.ts";
import { stripeEvent } from "../webhook-inbox.ts";

/** Stripe keeps what it told for 30 days (partners, 5.6). */
const KEPT_DAYS = 29;

/** The days to ask about: from the one asked about last, or yesterday, through today. */
function daysToSweep(through: Day | null, today: Day): Day[] {
  const oldest = addDays(today, -KEPT_DAYS);
  const from = through ?? addDays(today, -1);
  const days: Day[] = [];
  for (let day = from > oldest ? from : oldest; day <= today; day = addDays(day, 1)) days.push(day);
  return days;
}

/**
 * Every night Stripe is asked, day by day, for everything it has told: what no webhook has brought is stored and acted upon
 * as if one had, and what one brings later finds itself known.
 */
export const sweepStripe = job("sweep-stripe", {
  cron: { rule: "5 0 * * *", zone: MARKETPLACE_ZONE },
  run: async (running) => {
    const today = dayAt(running.now);
    const sweep = stripeSweep.at("platform");
    const { before } = await running.read({ before: sweep });
    let missed = 0;
    const take = async (notice: Notice) => {
      const inbox = stripeEvent.at(`${notice.environment}:${notice.stripe_event_id}`);
      const { reads } = await running.act({ known: inbox }, ({ known }) =>
        known === "unknown" ? [to(inbox, StripeEventReceived(notice))] : [],
      );
      if (reads.known === "unknown") missed++;
    };
    for (const day of daysToSweep(before.through, today)) {
      const told = await running.use(stripePartner).told(instantOf(day), instantOf(addDays(day, 1)));
      for (const notice of told.filter(({ event_type }) => isHeeded(event_type))) await take(notice);
      await running.alive();
    }
    if (missed > 0) running.log.warn({ missed }, "webhooks of Stripe had been missed");
    await running.act({ now: sweep }, ({ now }) =>
      now.through === today && missed === 0 ? [] : [to(sweep, StripeEventsSwept({ through: today, missed }))],
    );
    return undefined;
  },
});
