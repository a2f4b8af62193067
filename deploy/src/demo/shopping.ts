import { asCents, type Cents, formatCents, NO_CENTS, parseCents } from "@tributary/contracts/money";
import { followLink } from "../driver/follow-link.ts";
import type { Act, Visit } from "./acts.ts";
import type { Stage } from "./stage.ts";
import { count } from "./telling.ts";

/** So many shoppers are under way at once. */
const ABREAST = 6;

type Shopping = Extract<Act, { do: "visit" | "return" }>;

const paid = ({ buys }: Visit): Cents =>
  asCents(buys.reduce((total, { goods, qty }) => total + parseCents(goods.price)! * BigInt(qty), 0n));

/** Lets a day's shoppers come, look, buy and bring back; answers what there is to tell of it. */
export async function shop(acts: readonly Shopping[], stage: Stage): Promise<string | null> {
  const waiting = acts.filter((act) => act.do === "visit");
  const visits = [...waiting];
  await Promise.all(
    Array.from({ length: ABREAST }, async () => {
      for (let next = waiting.shift(); next; next = waiting.shift()) await visit(next, stage);
    }),
  );
  const returns = acts.filter((act) => act.do === "return");
  for (const { visit } of returns)
    for (const order of stage.orders(visit.shopper)) await stage.partners.giveBack(order);

  if (acts.length === 0) return null;
  const buyers = visits.filter(({ buys }) => buys.length > 0);
  const total = (of: readonly Visit[]): string =>
    formatCents(of.reduce((sum, one) => asCents(sum + paid(one)), NO_CENTS));
  return [
    `${count(visits.length, "shopper")} come`,
    ...(buyers.length > 0 ? [`${buyers.length} buy for ${total(buyers)}`] : []),
    ...(returns.length > 0 ? [`returned: ${total(returns.map(({ visit }) => visit))}`] : []),
  ].join(", ");
}

async function visit({ shopper, link, buys }: Visit, stage: Stage): Promise<void> {
  await followLink(stage.url, stage.link(link), shopper);
  if (buys.length === 0) return;
  const purchases = buys.map(({ goods, qty }) => ({ asin: goods.asin, qty }));
  stage.bought(shopper, await stage.partners.buy(shopper, purchases));
}
