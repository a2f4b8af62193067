import type { Day } from "@tributary/contracts/dates";
import {
  CreatorFeeAgreed,
  CreatorFeeChangeCancelled,
  CreatorProductGranted,
  CreatorProductStatusSet,
} from "@tributary/contracts/events/program";
import { feeAfterRequest, inForce } from "@tributary/contracts/fees";
import { creatorProductId } from "@tributary/contracts/ids";
import { presentDay } from "@tributary/runtime/days";
import { type Addressed, to } from "@tributary/runtime/decision";
import { tryLater } from "@tributary/runtime/refusal";
import { type CreatorProductState, creatorProduct } from "./creator-product.ts";
import { days } from "./day.ts";
import { everyCatalogDay, heardAllOf } from "./facts/catalog-days.ts";
import { type ProductFees, productFees } from "./facts/product-fees.ts";

/** The two whose terms they are. */
export interface Parties {
  readonly partnership_id: string;
  readonly creator_id: string;
  readonly brand_id: string;
}

/** What is asked for one product: a private fee (null: the product's own percent again), another status. */
export interface TermsAsked {
  readonly product_id: string;
  readonly affiliate_fee?: number | null | undefined;
  readonly status?: "active" | "paused" | "removed" | undefined;
}

/** What must be read to decide the terms of these products, each list in the order of the products. */
export function termsReads(partnership_id: string, product_ids: readonly string[]) {
  const granted = product_ids.map((id) => creatorProduct.at(creatorProductId(partnership_id, id)));
  return {
    granted,
    prices: product_ids.map((id) => productFees.at(id)),
    days: granted.map((ref) => days.guard(ref)),
    catalog: everyCatalogDay,
  };
}

/** What `termsReads` brings for one product. */
export interface TermsRead {
  readonly granted: CreatorProductState;
  readonly price: ProductFees;
  readonly day: { readonly date: Day | null };
  readonly catalog: readonly ({ readonly date: Day } | null)[];
}

/** Grants a product to a partner, with a copy of the percent it pays that day. */
export const grantOf = (parties: Parties, product_id: string, price: ProductFees, today: Day) =>
  CreatorProductGranted({
    creator_product_id: creatorProductId(parties.partnership_id, product_id),
    ...parties,
    product_id,
    affiliate_fee: inForce(price.fees, today)!.percent,
  });

/** Takes what was read for the product at one place of the list. */
export function termsAt(
  reads: {
    readonly granted: readonly CreatorProductState[];
    readonly prices: readonly (ProductFees | null)[];
    readonly days: readonly { readonly date: Day | null }[];
    readonly catalog: TermsRead["catalog"];
  },
  index: number,
): TermsRead {
  const [granted, price, day] = [reads.granted[index], reads.prices[index], reads.days[index]];
  if (!granted || !price || !day) throw new Error(`the product at ${index} was chosen but never heard of`);
  return { granted, price, day, catalog: reads.catalog };
}

/**
 * Decides the terms asked for one product. A private fee follows the one rule of fees; while none is in force it is compared
 * with the product's percent, which is known for certain only once catalog has begun the day too: until then it waits.
 */
export function termsOf(
  parties: Parties,
  asked: TermsAsked,
  { granted, price, day, catalog }: TermsRead,
  { today, set_by }: { readonly today: Day; readonly set_by: string },
): Addressed[] {
  const { product_id, status } = asked;
  const at = creatorProduct.at(creatorProductId(parties.partnership_id, product_id));
  const grant = {
    creator_product_id: creatorProductId(parties.partnership_id, product_id),
    ...parties,
    product_id,
  };
  const events = [];
  if (granted.status === "none") events.push(grantOf(parties, product_id, price, today));
  const present = granted.status === "none" ? "active" : granted.status;
  if (status && status !== present) events.push(CreatorProductStatusSet({ ...grant, status, set_by }));
  const fee = feeOf(asked, { granted, price, day, catalog }, today);
  if (fee?.kind === "agreed") {
    const { percent, effective_from, requested_on } = fee;
    events.push(CreatorFeeAgreed({ ...grant, percent, effective_from, requested_on, set_by }));
  }
  if (fee?.kind === "cancelled") {
    events.push(CreatorFeeChangeCancelled({ ...grant, requested_on: fee.requested_on, set_by }));
  }
  return events.length > 0 ? [to(at, ...events)] : [];
}

/** What becomes of the fee asked for, and on which day; null when none was, or when the product's own is all there is. */
function feeOf({ affiliate_fee }: TermsAsked, { granted, price, day, catalog }: TermsRead, today: Day) {
  if (affiliate_fee === undefined) return null;
  if (affiliate_fee === null && granted.fees.length === 0) return null;
  const requested_on = presentDay(day, today);
  if (!heardAllOf(catalog, requested_on)) {
    throw tryLater("fees_not_heard", "Today's product fees are not known yet", 5);
  }
  const own = inForce(price.fees, requested_on)!.percent;
  const decision = feeAfterRequest(granted.fees, requested_on, affiliate_fee ?? own, own);
  return { ...decision, requested_on };
}
