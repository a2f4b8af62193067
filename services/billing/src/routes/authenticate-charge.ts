import { conflict, notFound } from "@tributary/runtime/refusal";
import { route } from "@tributary/runtime/route";
import { z } from "zod";
import { charge } from "../charge.ts";
import { publicly } from "../settings.ts";
import { settleCharge, toCharge } from "../settle-charge.ts";
import { stripePartner } from "../stripe/client.ts";

/** The brand's bank wants its card holder: answers the bank's page for the attempt that waits, as often as it is asked. */
export const authenticateCharge = route("POST /api/billing/charges/:id/authenticate", {
  access: { as: "brand" },
  input: z.strictObject({ id: z.string() }),
  handle: async ({ id }, asking) => {
    const ref = charge.at(id);
    const { open } = await asking.read({ open: ref });
    if (open?.request.brand_id !== asking.caller!.brand_id) throw notFound("Charge");
    const { status, attempt, stripe_payment_intent_id: intent, stripe_payment_method_id: method } = open!;
    if (status !== "requires_action" || !intent || !method)
      throw conflict("no_action_required", "Your bank isn't waiting for you");
    const back = `${asking.use(publicly).PUBLIC_URL}/dashboard/billing/${open!.request.cycle_id}?charge=${id}`;
    const { seen, url } = await asking.use(stripePartner).authenticate(intent, method, back);
    await asking.act({ open: ref }, ({ open }) =>
      toCharge(id, settleCharge(open!, attempt, seen, asking.now)),
    );
    const { now } = await asking.read({ now: ref });
    return { url, status: now!.status };
  },
});
