import type { PaymentIntent } from "./objects.ts";
import type { Unit } from "./unit.ts";

/** What makes several attempts one charge: cycle, brand and creator (or the platform's own); other payments are their own. */
function chargeOf({ id, metadata }: PaymentIntent): string {
  const { cycle_id, brand_id, creator_id = "platform" } = metadata;
  return cycle_id && brand_id ? `${cycle_id} ${brand_id} ${creator_id}` : id;
}

/** True for the first attempt of every charge of a customer whose script says `card_declined_once`; remembers it. */
export function isDeclinedByScript(unit: Unit, intent: PaymentIntent): boolean {
  const script = intent.customer === null ? undefined : unit.find("customer_script", intent.customer);
  const charge = chargeOf(intent);
  if (script?.kind !== "card_declined_once" || script.attempted.includes(charge)) return false;
  unit.put({ ...script, attempted: [...script.attempted, charge] });
  return true;
}

/** True when every debit of this customer fails, as its script says. */
export function failsAtBank(unit: Unit, { customer }: PaymentIntent): boolean {
  return customer !== null && unit.find("customer_script", customer)?.kind === "ach_fails";
}
