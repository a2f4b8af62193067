import {
  ProductCommissionChangeCancelled,
  ProductCommissionChanged,
  ProductListed,
} from "@tributary/contracts/events/catalog";
import { DayBegan } from "@tributary/contracts/events/day";
import {
  CreatorFeeAgreed,
  CreatorFeeChangeCancelled,
  PartnershipActivated,
  PartnershipEnded,
  ProgramSettingsChanged,
} from "@tributary/contracts/events/program";
import { creatorProductId } from "@tributary/contracts/ids";
import { facts } from "@tributary/runtime/facts";
import { when } from "@tributary/runtime/stream";
import { z } from "zod";
import { baseSet, CommissionBases } from "./commission-bases.ts";
import { began, DaysBegun } from "./days-begun.ts";
import { cancelled, changed, Fee, listed } from "./fee.ts";
import { activated, ended, Partnership } from "./partnership.ts";

/** One of the things agreed: a row holds the one that its key names. */
const Agreement = z.object({
  fee: Fee.optional(),
  partnership: Partnership.optional(),
  bases: CommissionBases.optional(),
  days: DaysBegun.optional(),
});

/** The names of rows, by what they hold. */
const key = {
  productFee: (product_id: string) => `product/${product_id}`,
  privateFee: (partnership_id: string, product_id: string) =>
    `private/${creatorProductId(partnership_id, product_id)}`,
  partnership: (partnership_id: string) => `partnership/${partnership_id}`,
  bases: (program_id: string) => `program/${program_id}`,
  days: (source: string) => `days/${source}`,
};

/**
 * All that was agreed and decides what sales earn, with the days that have begun. It is one table with one checkpoint: a day read
 * here as begun in a partition vouches for every agreement of that partition before it, which two tables could not promise.
 */
export const agreements = facts("agreements", Agreement, {
  on: [
    when(ProductListed, (row, { data }) => ({ fee: row?.fee ?? listed(data) })),
    when(ProductCommissionChanged, (row, { data }) => ({ fee: changed(row?.fee, data) })),
    when(ProductCommissionChangeCancelled, (row, { data }) => ({ fee: cancelled(row?.fee, data) })),
    when(CreatorFeeAgreed, (row, { data }) => ({ fee: changed(row?.fee, data) })),
    when(CreatorFeeChangeCancelled, (row, { data }) => ({ fee: cancelled(row?.fee, data) })),
    when(PartnershipActivated, (_, { data }) => ({ partnership: activated(data) })),
    when(PartnershipEnded, (row, { data }) => ({ partnership: ended(row?.partnership, data) })),
    when(ProgramSettingsChanged, (row, { data }) => ({ bases: baseSet(row?.bases, data) })),
    when(DayBegan.catalog, (row, event) => ({ days: began(row?.days, event) })),
    when(DayBegan.program, (row, event) => ({ days: began(row?.days, event) })),
  ],
  key: (event) => {
    switch (event.type) {
      case "DayBegan":
        return key.days(event.source);
      case "PartnershipActivated":
      case "PartnershipEnded":
        return key.partnership(event.data.partnership_id);
      case "ProgramSettingsChanged":
        return key.bases(event.data.program_id);
      case "CreatorFeeAgreed":
      case "CreatorFeeChangeCancelled":
        return key.privateFee(event.data.partnership_id, event.data.product_id);
      default:
        return key.productFee(event.data.product_id);
    }
  },
});

/** A product's percents for all creators. */
export const productFee = (product_id: string) => agreements.at(key.productFee(product_id));
/** The percents agreed with one creator for one product. */
export const privateFee = (partnership_id: string, product_id: string) =>
  agreements.at(key.privateFee(partnership_id, product_id));
/** One creator at one brand. */
export const partnership = (partnership_id: string) => agreements.at(key.partnership(partnership_id));
/** The commission bases of a program. */
export const commissionBases = (program_id: string) => agreements.at(key.bases(program_id));
/** How far the calendar of catalog or program has been heard. */
export const daysBegun = (source: "catalog" | "program") => agreements.at(key.days(source));
