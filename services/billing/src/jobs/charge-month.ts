import { month as aMonth } from "@tributary/contracts/dates";
import { CycleCharged } from "@tributary/contracts/events/billing";
import { cycleId } from "@tributary/contracts/ids";
import { to } from "@tributary/runtime/decision";
import { job } from "@tributary/runtime/job";
import { charge } from "../charge.ts";
import { cycle } from "../cycle.ts";
import { rowsOf } from "../facts/roster.ts";
import { platformChargeId } from "../ids.ts";
import { paymentMethods } from "../payment-method.ts";
import { requestPlatformCharge, sharesOf } from "../platform-charge.ts";
import { statement, statementKey } from "../statement.ts";

/** Once all statements of a month are issued, every brand is asked once for what PayPal and Venmo pay its creators. */
export const chargeMonth = job("charge-month", {
  run: async (running) => {
    const { key } = running;
    const month = aMonth.parse(key);
    const { self, rows } = await running.read({ self: cycle.at(month), rows: rowsOf(month) });
    if (self.status !== "totalled") return undefined;
    const listed = rows.flatMap((row) => row?.pairs ?? []);
    let platform_charges = 0;
    for (const brand_id of new Set(listed.map((pair) => pair.brand_id))) {
      const pairs = listed.filter((pair) => pair.brand_id === brand_id);
      const charge_id = platformChargeId(month, brand_id);
      const { reads } = await running.act(
        {
          statements: pairs.map(({ creator_id }) => statement.at(statementKey(month, brand_id, creator_id))),
          wallet: paymentMethods.at(brand_id),
          before: charge.at(charge_id),
        },
        ({ statements, wallet, before }) =>
          requestPlatformCharge({ month, brand_id, close: self, statements, wallet, charge: before }),
      );
      if (sharesOf(reads.statements).length > 0) platform_charges++;
      await running.alive();
    }
    await running.act({ self: cycle.at(month) }, ({ self }) =>
      self.status === "totalled"
        ? [to(cycle.at(month), CycleCharged({ cycle_id: cycleId(month), month, platform_charges }))]
        : [],
    );
    return undefined;
  },
});
