import { ChargeWrittenOff } from "@tributary/contracts/events/billing";
import { WriteOffCharge } from "@tributary/contracts/http/billing";
import { sum } from "@tributary/contracts/money";
import { command } from "@tributary/runtime/command";
import { conflict, notFound } from "@tributary/runtime/refusal";
import { z } from "zod";
import { charge } from "../charge.ts";
import { identity } from "../settle-charge.ts";

/** The platform gives up what a brand owes: an overdue charge whole, of one that went back what is owed again. */
export const writeOffCharge = command({
  route: "POST /api/billing/charges/:id/write-off",
  access: { as: "admin" },
  input: WriteOffCharge.extend({ id: z.string() }),
  stream: charge,
  id: ({ id }) => id,
  decide: ({ reason }, state) => {
    if (!state) throw notFound("Charge");
    const { request, status, back } = state;
    if (status === "written_off") return [];
    if (status !== "past_due" && status !== "disputed" && status !== "refunded")
      throw conflict("not_owed", "Only an overdue, disputed or refunded charge can be written off");
    if (back.dispute_status === "open")
      throw conflict("dispute_open", "The bank has not decided about this charge yet");
    const owed_cents =
      status === "past_due"
        ? sum(request.breakdown.map(({ net_cents }) => net_cents))
        : back.owed_again_cents;
    return [ChargeWrittenOff({ ...identity(request), owed_cents, reason })];
  },
  reply: (state) => ({ charge_id: state!.request.charge_id, status: state!.status }),
});
