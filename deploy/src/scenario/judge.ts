import { daysBetween } from "@tributary/contracts/dates";
import { parseReported } from "@tributary/contracts/money";
import { type BrandRole, InvalidScenario, type Scenario, type ScenarioEvent } from "./scenario.ts";

/** Who is a partner of whom, event by event. */
interface Standing {
  /** By brand and creator: a pair stays listed when its partnership has ended, for it never begins anew. */
  readonly partnerships: Map<string, "active" | "ended">;
  /** The day on which each link was made. */
  readonly links: Map<string, string>;
  /** Brand, creator and product of every link. */
  readonly linked: Set<string>;
}

const refuse = (where: string, what: string): never => {
  throw new InvalidScenario(`${where}: ${what}`);
};

/** Names are distinguished in this form nowhere but here: two that differ in case only would be one. */
function unique(where: string, keys: readonly string[]): void {
  const seen = new Set<string>();
  keys.forEach((key, index) => {
    const folded = key.toLowerCase();
    if (seen.has(folded)) refuse(`${where}.${index}.key`, `"${key}" is there twice`);
    seen.add(folded);
  });
}

function brandOf({ brands }: Scenario, key: string, where: string): BrandRole {
  return brands.find((brand) => brand.key === key) ?? refuse(where, `there is no brand "${key}"`);
}

function knownCreator({ creators }: Scenario, key: string, where: string): void {
  if (!creators.some((creator) => creator.key === key)) refuse(where, `there is no creator "${key}"`);
}

function knownProduct(brand: BrandRole, key: string, where: string): void {
  if (!brand.products.some((product) => product.key === key))
    refuse(where, `the brand "${brand.key}" has no product "${key}"`);
}

function inTheRun({ start, days }: Scenario, on: string, where: string): void {
  const since = daysBetween(start, on as Scenario["start"]);
  if (since < 0 || since >= days) refuse(where, `${on} does not lie in the run`);
}

function named(scenario: Scenario, event: ScenarioEvent, where: string): void {
  if ("creator" in event && event.creator !== undefined)
    knownCreator(scenario, event.creator, `${where}.creator`);
  if (event.do === "refer") knownCreator(scenario, event.referrer, `${where}.referrer`);
  if (!("brand" in event)) return;
  const brand = brandOf(scenario, event.brand, `${where}.brand`);
  if ("product" in event) knownProduct(brand, event.product, `${where}.product`);
}

function active({ partnerships }: Standing, brand: string, creator: string, where: string): void {
  const standing = partnerships.get(`${brand} ${creator}`);
  if (standing !== "active")
    refuse(
      where,
      `the partnership of "${creator}" at "${brand}" ${standing ? "has ended" : "has not begun"}`,
    );
}

function begin({ partnerships }: Standing, brand: string, creator: string, where: string): void {
  if (partnerships.has(`${brand} ${creator}`))
    refuse(where, `"${creator}" has been a partner of "${brand}" before`);
  partnerships.set(`${brand} ${creator}`, "active");
}

function happen(event: ScenarioEvent, standing: Standing, where: string): void {
  switch (event.do) {
    case "partner":
      begin(standing, event.brand, event.creator, where);
      break;
    case "refer":
      if (event.referrer === event.creator)
        refuse(`${where}.referrer`, `"${event.creator}" cannot refer themselves`);
      active(standing, event.brand, event.referrer, `${where}.referrer`);
      begin(standing, event.brand, event.creator, where);
      break;
    case "link": {
      active(standing, event.brand, event.creator, where);
      const linked = `${event.brand} ${event.creator} ${event.product}`;
      if (standing.linked.has(linked))
        refuse(where, `"${event.creator}" has a link to "${event.product}" of "${event.brand}" already`);
      standing.linked.add(linked);
      standing.links.set(event.key, event.on);
      break;
    }
    case "fee":
      if (event.creator !== undefined) active(standing, event.brand, event.creator, where);
      break;
    case "end":
      active(standing, event.brand, event.creator, where);
      standing.partnerships.set(`${event.brand} ${event.creator}`, "ended");
      break;
    case "payout":
      break;
  }
}

function judgeEvents(scenario: Scenario): Standing {
  const standing: Standing = { partnerships: new Map(), links: new Map(), linked: new Set() };
  const events = scenario.events.map((event, index) => ({ event, where: `events.${index}` }));
  for (const { event, where } of events) {
    inTheRun(scenario, event.on, `${where}.on`);
    named(scenario, event, where);
  }
  const inOrder = events.toSorted((a, b) => (a.event.on < b.event.on ? -1 : a.event.on > b.event.on ? 1 : 0));
  for (const { event, where } of inOrder) happen(event, standing, where);
  return standing;
}

/**
 * Judges what the form alone cannot: that names are unique and defined, that days lie in the run, and that what is done can be done
 * at its moment. Throws InvalidScenario with the first thing that is wrong.
 */
export function judge(scenario: Scenario): void {
  const { brands, creators, events, reports } = scenario;
  const keys = (list: readonly { readonly key: string }[]) => list.map(({ key }) => key);
  unique("brands", keys(brands));
  brands.forEach(({ products }, index) => {
    unique(`brands.${index}.products`, keys(products));
  });
  unique("creators", keys(creators));
  unique(
    "links",
    events.flatMap((event) => (event.do === "link" ? [event.key] : [])),
  );
  const { links } = judgeEvents(scenario);
  reports.forEach(({ on, link, date, promoted, total }, index) => {
    const where = `reports.${index}`;
    inTheRun(scenario, on, `${where}.on`);
    const made = links.get(link) ?? refuse(`${where}.link`, `there is no link "${link}"`);
    if (made > on) refuse(`${where}.on`, `the link "${link}" is made on ${made} only`);
    if (date < scenario.start || date > on)
      refuse(`${where}.date`, `${date} does not lie between the start and ${on}`);
    if (parseReported(promoted)! > parseReported(total)!)
      refuse(`${where}.promoted`, `${promoted} is more than the total of ${total}`);
  });
}
