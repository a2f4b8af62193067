import { missing } from "./errors.ts";
import type { Mandate, PaymentMethod } from "./objects.ts";
import { hash, integer, oneOf, text } from "./params.ts";
import { route } from "./route.ts";
import type { Unit } from "./unit.ts";

/** How the customer agreed to be debited. */
export const mandateData = hash({
  customer_acceptance: hash({
    type: oneOf("online", "offline"),
    accepted_at: integer().optional(),
    online: hash({ ip_address: text(), user_agent: text() }).optional(),
    offline: hash({}).optional(),
  }),
});

type Given = ReturnType<typeof mandateData.parse>;

/** Writes the agreement down; it is active at once. */
export function agree(unit: Unit, method: PaymentMethod, { customer_acceptance }: Given): Mandate {
  const { type, online, accepted_at } = customer_acceptance;
  return unit.put({
    id: unit.id("mandate_"),
    object: "mandate",
    customer_acceptance: {
      accepted_at: accepted_at ?? unit.created,
      type,
      ...(type === "online" && online ? { online } : {}),
      ...(type === "offline" ? { offline: {} } : {}),
    },
    livemode: false,
    multi_use: {},
    payment_method: method.id,
    payment_method_details:
      method.type === "card"
        ? { type: "card", card: {} }
        : { type: method.type, us_bank_account: { collection_method: null } },
    status: "active",
    type: "multi_use",
  });
}

/** The agreement in force for a payment method, if there is one. */
export function activeMandate(unit: Unit, method: string): Mandate | undefined {
  return unit
    .all("mandate")
    .find(({ payment_method, status }) => payment_method === method && status === "active");
}

/** Ends every agreement on a payment method: the bank has refused debits for good. */
export function revokeMandates(unit: Unit, method: string): void {
  for (const mandate of unit
    .all("mandate")
    .filter((m) => m.payment_method === method && m.status === "active"))
    unit.emit("mandate.updated", unit.put({ ...mandate, status: "inactive" }), {
      previous: { status: "active" },
    });
}

const retrieve = route("GET /v1/mandates/:id", hash({}), ({ unit, path }) => {
  const mandate = unit.find("mandate", path.id!);
  if (!mandate) throw missing("mandate", path.id!, "mandate", 404);
  return mandate;
});

/** The agreements to debit bank accounts. */
export const mandates = [retrieve];
