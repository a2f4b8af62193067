import { addDays, type Day } from "@tributary/contracts/dates";
import { parseCents } from "@tributary/contracts/money";
import { describe, expect, it } from "vitest";
import type { Act } from "../src/demo/acts.ts";
import { percentOn } from "../src/demo/owed.ts";
import { storyFor } from "../src/demo/run-demo.ts";
import type { Story } from "../src/demo/story.ts";

const SIZE = { seed: 7, brands: 3, creators: 6, days: 75 };

const days = ({ prologue, last }: Story): Day[] => {
  const all: Day[] = [];
  for (let day = prologue; day <= last; day = addDays(day, 1)) all.push(day);
  return all;
};
const acts = (story: Story): { day: Day; act: Act }[] =>
  days(story).flatMap((day) => story.on(day).map((act) => ({ day, act })));
const doing = <Kind extends Act["do"]>(story: Story, kind: Kind) =>
  acts(story).filter((one): one is { day: Day; act: Extract<Act, { do: Kind }> } => one.act.do === kind);

describe("the story of the demo", () => {
  it("is the same for the same seed and another for another", () => {
    expect(acts(storyFor(SIZE))).toEqual(acts(storyFor(SIZE)));
    expect(acts(storyFor({ ...SIZE, seed: 8 }))).not.toEqual(acts(storyFor(SIZE)));
  });

  it.each([
    SIZE,
    { ...SIZE, seed: 1, brands: 2, creators: 3 },
    { ...SIZE, seed: 2, brands: 7, creators: 14 },
  ])("has whatever the money rules must show, of any size: %o", (size) => {
    const story = storyFor(size);
    const { cast, first } = story;
    const applications = doing(story, "apply").map(({ act }) => act);
    expect(applications.some(({ brand }) => brand.auto_accept)).toBe(true);
    expect(doing(story, "accept").length).toBe(applications.filter(({ brand }) => !brand.auto_accept).length);
    expect(applications.filter(({ referrer }) => referrer !== null)).toHaveLength(1);
    expect(new Set(cast.creators.map(({ payout }) => payout))).toContain("stripe");
    expect(new Set(cast.creators.map(({ payout }) => payout))).toContain("paypal");

    const changes = doing(story, "fee").filter(({ day }) => day > first);
    const signs = changes.map(({ act }) => Math.sign(act.percent - act.goods.percent));
    expect(signs.sort()).toEqual([-1, 1]);
    for (const { day } of changes) expect(Number(day.slice(8))).toSatisfy((of: number) => of > 5 && of < 25);

    const returned = doing(story, "return");
    const sold = new Map(doing(story, "visit").map(({ day, act }) => [act, day]));
    expect(returned.length).toBeGreaterThan(0);
    for (const { day, act } of returned) expect(sold.get(act.visit)! < day).toBe(true);
    // A sale of January that leaves the report when January has closed.
    expect(returned.some(({ day, act }) => sold.get(act.visit)! < "2026-02-01" && day > "2026-02-03")).toBe(
      true,
    );
  });

  it("leaves one creator below the smallest payout in January, whatever prices are drawn", () => {
    for (let seed = 0; seed < 50; seed++) {
      const story = storyFor({ ...SIZE, seed });
      const small = story.cast.creators[2]!;
      const earned = doing(story, "visit")
        .filter(({ day, act }) => act.link.creator === small && day < "2026-02-01")
        .flatMap(({ act }) =>
          act.buys.map(
            ({ goods, qty }) => parseCents(goods.price)! * BigInt(qty) * BigInt(act.link.goods.percent),
          ),
        )
        .reduce((total, amount) => total + amount, 0n);
      expect(earned).toBeGreaterThan(5000n);
      expect(earned).toBeLessThan(100_000n);
    }
  });

  it("raises from the next day and cuts after fourteen days, for whoever reckons a second time", () => {
    const story = storyFor(SIZE);
    const [host, asking] = story.cast.brands;
    const [raised, cut] = [host!.goods[1]!, asking!.goods[1]!];
    const percents = (brand: typeof host, goods: typeof raised, dates: string[]) =>
      dates.map((date) => percentOn(story, brand!, goods, date as Day) - goods.percent);
    expect(percents(host, raised, ["2026-01-12", "2026-01-13", "2026-03-01"])).toEqual([0, 5, 5]);
    expect(percents(asking, cut, ["2026-01-15", "2026-01-28", "2026-01-29"])).toEqual([0, 0, -5]);
  });
});
