import { missing } from "./errors.ts";
import { page, within } from "./lists.ts";
import { createdFilter, hash, paging, text } from "./params.ts";
import { route } from "./route.ts";

const retrieve = route("GET /v1/charges/:id", hash({}), ({ unit, path }) => {
  const charge = unit.find("charge", path.id!);
  if (!charge) throw missing("charge", path.id!, "id", 404);
  return charge;
});

const list = route(
  "GET /v1/charges",
  hash({
    ...paging,
    created: createdFilter().optional(),
    customer: text().optional(),
    payment_intent: text().optional(),
  }),
  ({ unit, params: { created, customer, payment_intent, ...paging } }) => {
    const found = unit
      .all("charge")
      .filter((charge) => within(charge.created, created) && (!customer || charge.customer === customer))
      .filter((charge) => !payment_intent || charge.payment_intent === payment_intent);
    return page("/v1/charges", found, paging);
  },
);

/** The attempts to take money: each confirmed payment leaves one, declined ones too. */
export const charges = [list, retrieve];
