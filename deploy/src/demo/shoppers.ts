import { addDays, type Day } from "@tributary/contracts/dates";
import type { Act, LinkRole, Visit } from "./acts.ts";
import type { Goods } from "./cast.ts";
import type { Draws } from "./draws.ts";

/** Chances in percent. */
const BUYS = 18;
const BUYS_SOMETHING_ELSE = 15;
const RETURNS = 12;

/** Who follows which link when, and what becomes of it; each shopper comes once, by one link. */
export class Shoppers {
  #count = 0;

  constructor(
    private readonly draws: Draws,
    private readonly on: (day: Day, ...acts: Act[]) => void,
    private readonly last: Day,
  ) {}

  /** Strangers find the link every day from then on; some buy, some of those return it within four weeks. */
  browse(link: LinkRole, from: Day): void {
    const chances = this.draws.of(link.key);
    for (let day = from; day <= this.last; day = addDays(day, 1))
      for (let come = chances.between(0, 3); come > 0; come--) {
        if (!chances.chance(BUYS)) {
          this.#visit(link, day, []);
          continue;
        }
        const other = chances.chance(BUYS_SOMETHING_ELSE);
        const goods = other ? chances.between(0, link.brand.goods.length - 1) : null;
        const bought = goods === null ? link.goods : link.brand.goods[goods]!;
        const visit = this.#visit(link, day, [{ goods: bought, qty: chances.between(1, 2) }]);
        if (chances.chance(RETURNS)) this.on(addDays(day, chances.between(1, 26)), { do: "return", visit });
      }
  }

  /** So many come on one day and only look: with ten clicks the retailer begins to show a link's figures. */
  crowd(link: LinkRole, day: Day, shoppers: number): void {
    for (let left = shoppers; left > 0; left--) this.#visit(link, day, []);
  }

  /** Somebody buys what the link shows. */
  sale(link: LinkRole, day: Day, qty: number): void {
    this.#visit(link, day, [{ goods: link.goods, qty }]);
  }

  /** Somebody buys what the link shows, and returns it. */
  regret(link: LinkRole, day: Day, qty: number, returned: Day): void {
    this.on(returned, { do: "return", visit: this.#visit(link, day, [{ goods: link.goods, qty }]) });
  }

  #visit(link: LinkRole, day: Day, buys: readonly { goods: Goods; qty: number }[]): Visit {
    const visit: Visit = { do: "visit", shopper: `shopper-${++this.#count}`, link, buys };
    this.on(day, visit);
    return visit;
  }
}
