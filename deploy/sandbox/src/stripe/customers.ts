import { invalid, missing } from "./errors.ts";
import { page, within } from "./lists.ts";
import type { Customer } from "./objects.ts";
import { createdFilter, hash, merged, metadata, paging, text } from "./params.ts";
import { route } from "./route.ts";
import type { Unit } from "./unit.ts";

const fields = {
  email: text(512).optional(),
  name: text(256).optional(),
  phone: text(20).optional(),
  description: text().optional(),
  metadata: metadata().optional(),
};

/** The customer an id names; `status` is 404 when the address names it. */
export function customerNamed(unit: Unit, id: string, param: string, status: 400 | 404 = 400): Customer {
  const customer = unit.find("customer", id);
  if (!customer) throw missing("customer", id, param, status);
  return customer;
}

const create = route(
  "POST /v1/customers",
  hash({ ...fields, payment_method: text().optional() }),
  ({ unit, params: { metadata, payment_method, ...given } }) => {
    if (payment_method)
      throw invalid("Attach the payment method after creating the customer.", { param: "payment_method" });
    return unit.put({
      id: unit.id("cus_", 14),
      object: "customer",
      balance: 0,
      created: unit.created,
      currency: null,
      default_source: null,
      delinquent: false,
      description: given.description ?? null,
      email: given.email ?? null,
      invoice_settings: { default_payment_method: null },
      livemode: false,
      metadata: merged({}, metadata),
      name: given.name ?? null,
      phone: given.phone ?? null,
    });
  },
);

const retrieve = route("GET /v1/customers/:id", hash({}), ({ unit, path }) =>
  customerNamed(unit, path.id!, "id", 404),
);

const update = route(
  "POST /v1/customers/:id",
  hash({ ...fields, invoice_settings: hash({ default_payment_method: text().optional() }).optional() }),
  ({ unit, path, params: { metadata, invoice_settings, ...given } }) => {
    const customer = customerNamed(unit, path.id!, "id", 404);
    const method = invoice_settings?.default_payment_method;
    if (method && unit.find("payment_method", method)?.customer !== customer.id)
      throw missing("PaymentMethod", method, "invoice_settings[default_payment_method]");
    return unit.put({
      ...customer,
      ...given,
      metadata: merged(customer.metadata, metadata),
      invoice_settings: {
        default_payment_method: method ?? customer.invoice_settings.default_payment_method,
      },
    } as Customer);
  },
);

const list = route(
  "GET /v1/customers",
  hash({ ...paging, created: createdFilter().optional(), email: text().optional() }),
  ({ unit, params: { created, email, ...paging } }) => {
    const found = unit
      .all("customer")
      .filter((c) => within(c.created, created) && (!email || c.email === email));
    return page("/v1/customers", found, paging);
  },
);

/** The brands, as Stripe knows them. */
export const customers = [create, list, retrieve, update];
