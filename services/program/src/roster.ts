import { PartnerEnrolled, PartnerLeft } from "@tributary/contracts/events/program";
import { stream, when } from "@tributary/runtime/stream";

/** A partner, and the choice of products that was the program's last when they joined. */
export interface Enrolled {
  readonly partnership_id: string;
  readonly creator_id: string;
  readonly products_version: number;
}
type State = { readonly partners: readonly Enrolled[] };

const without = (partners: readonly Enrolled[], left: string) =>
  partners.filter(({ partnership_id }) => partnership_id !== left);

/**
 * The active partners of a brand, keyed by it. It is written in the unit that activates or ends a partnership, so that
 * whoever grants new products reads it as a guard and misses nobody.
 */
export const roster = stream("roster", { partners: [] } as State, [
  when(PartnerEnrolled, ({ partners }, { data: { brand_id: _, ...partner } }) => ({
    partners: [...without(partners, partner.partnership_id), partner],
  })),
  when(PartnerLeft, ({ partners }, { data }) => ({ partners: without(partners, data.partnership_id) })),
]);
