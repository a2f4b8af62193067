import type { Payout } from "../driver/join-creator.ts";
import type { BrandRole, CreatorRole, Goods } from "./cast.ts";

/** A link in the story: who shares which product. `key` names it, for the real one has a random id. */
export interface LinkRole {
  readonly key: string;
  readonly creator: CreatorRole;
  readonly brand: BrandRole;
  readonly goods: Goods;
}

/** One thing that somebody does. */
export type Act =
  | { readonly do: "open"; readonly brand: BrandRole }
  | { readonly do: "join"; readonly creator: CreatorRole; readonly from: BrandRole | null }
  | { readonly do: "approve"; readonly creator: CreatorRole }
  | { readonly do: "payout"; readonly creator: CreatorRole; readonly payout: Payout }
  | {
      readonly do: "refer";
      readonly brand: BrandRole;
      readonly referrer: CreatorRole;
      readonly percent: number;
    }
  | {
      readonly do: "apply";
      readonly creator: CreatorRole;
      readonly brand: BrandRole;
      readonly referrer: CreatorRole | null;
    }
  | { readonly do: "accept"; readonly creator: CreatorRole; readonly brand: BrandRole }
  | { readonly do: "link"; readonly link: LinkRole }
  | { readonly do: "fee"; readonly brand: BrandRole; readonly goods: Goods; readonly percent: number }
  | Visit
  | { readonly do: "return"; readonly visit: Visit };

/** A shopper follows a link; `buys` may be empty, and need not be what the link showed. */
export interface Visit {
  readonly do: "visit";
  readonly shopper: string;
  readonly link: LinkRole;
  readonly buys: readonly { readonly goods: Goods; readonly qty: number }[];
}
