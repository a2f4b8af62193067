import { to } from "@tributary/runtime/decision";
import { job } from "@tributary/runtime/job";
import { charge } from "../charge.ts";
import { methodOf, paymentMethods } from "../payment-method.ts";
import { attemptStarted, RETRY_CHARGE } from "../settle-charge.ts";

/** The next attempt of a failed charge is due: it is made with the backup, or else the method the brand has now. */
export const retryCharge = job(RETRY_CHARGE.name, {
  run: async (running) => {
    const { key } = running;
    const { due } = await running.read({ due: charge.at(key) });
    if (!due) throw new Error(`no charge ${key} to be tried again`);
    await running.act(
      { due: charge.at(key), wallet: paymentMethods.at(due.request.brand_id) },
      ({ due, wallet }) =>
        due?.status === "failed"
          ? [
              to(
                charge.at(key),
                attemptStarted(due.request, due.attempt + 1, methodOf(due.attempt + 1, wallet)),
              ),
            ]
          : [],
    );
    return undefined;
  },
});
