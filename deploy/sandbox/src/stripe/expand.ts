import { invalid } from "./errors.ts";
import { page } from "./lists.ts";
import type { Kind } from "./objects.ts";
import type { Unit } from "./unit.ts";

type Json = Record<string, unknown>;

/** Fields that hold the id of another object and can be shown in full, by the object they stand in. */
const EXPANDABLE: Partial<Record<Kind, Record<string, Kind>>> = {
  application_fee: { account: "account", balance_transaction: "balance_transaction", charge: "charge" },
  balance_transaction: {},
  charge: {
    application_fee: "application_fee",
    balance_transaction: "balance_transaction",
    customer: "customer",
    payment_intent: "payment_intent",
    transfer: "transfer",
  },
  customer: {},
  mandate: { payment_method: "payment_method" },
  payment_intent: { customer: "customer", latest_charge: "charge", payment_method: "payment_method" },
  payment_method: { customer: "customer" },
  refund: { balance_transaction: "balance_transaction", charge: "charge", payment_intent: "payment_intent" },
  setup_intent: { customer: "customer", mandate: "mandate", payment_method: "payment_method" },
  transfer: {
    balance_transaction: "balance_transaction",
    destination: "account",
    source_transaction: "charge",
  },
  transfer_reversal: { balance_transaction: "balance_transaction", transfer: "transfer" },
};

function cannot(path: string): Error {
  return invalid(`This property cannot be expanded (${path}).`, { param: "expand" });
}

function expand(unit: Unit, object: Json, [step, ...rest]: string[], path: string): Json {
  if (object.object === "list") {
    if (step !== "data") throw cannot(path);
    return { ...object, data: (object.data as Json[]).map((item) => expand(unit, item, rest, path)) };
  }
  const kind = EXPANDABLE[object.object as Kind]?.[step!];
  if (!kind) throw cannot(path);
  const held = object[step!];
  if (held === null || held === undefined) return object;
  const inner = typeof held === "string" ? present(unit, unit.get(kind, held)) : (held as Json);
  return { ...object, [step!]: rest.length === 0 ? inner : expand(unit, inner, rest, path) };
}

/** The object with the lists that Stripe always shows inside it, and without what it shows only once. */
function present(unit: Unit, given: object): Json {
  const object = given as Json;
  if (object.object === "list")
    return { ...object, data: (object.data as object[]).map((item) => present(unit, item)) };
  if (object.object === "transfer") {
    const reversals = unit.all("transfer_reversal").filter(({ transfer }) => transfer === object.id);
    return { ...object, reversals: page(`/v1/transfers/${object.id}/reversals`, reversals, {}) };
  }
  if (object.object === "application_fee")
    return { ...object, refunds: page(`/v1/application_fees/${object.id}/refunds`, [], {}) };
  return object;
}

/** What the caller gets to see: the object, with the fields named in `expand` shown in full (at most four steps deep). */
export function shown(unit: Unit, object: object, paths: string[]): Json {
  return paths.reduce(
    (answer, path) => {
      const steps = path.split(".");
      if (steps.length > 4)
        throw invalid("You cannot expand more than 4 levels of a property.", { param: "expand" });
      return expand(unit, answer, steps, path);
    },
    present(unit, object),
  );
}
