import type { Person } from "../driver/person.ts";

/** A brand that has signed up: who sits at the browser, its account at Amazon, and the ids that the product gave. */
export interface BrandOnStage {
  readonly person: Person;
  readonly id: string;
  readonly account: string;
  readonly program_id: string;
  /** Product ids by the keys of the scenario. */
  readonly products: ReadonlyMap<string, string>;
}

/** A creator who has signed up; `account` names them at PayPal and Venmo. */
export interface CreatorOnStage {
  readonly person: Person;
  readonly id: string;
  readonly account: string;
}

/** A link that somebody shares: the id under which the retailer reports it, and where it leads. */
export interface LinkOnStage {
  readonly id: string;
  readonly url: string;
}

/** What the product made of the names in a scenario, which are found here by their keys. */
export class OnStage {
  readonly brands = new Map<string, BrandOnStage>();
  readonly creators = new Map<string, CreatorOnStage>();
  readonly links = new Map<string, LinkOnStage>();
  readonly #partnerships = new Map<string, string>();

  brand = (key: string): BrandOnStage => found(this.brands, key);
  creator = (key: string): CreatorOnStage => found(this.creators, key);
  link = (key: string): LinkOnStage => found(this.links, key);

  partnered = (brand: string, creator: string, id: string): unknown =>
    this.#partnerships.set(`${brand} ${creator}`, id);
  partnership = (brand: string, creator: string): string => found(this.#partnerships, `${brand} ${creator}`);
}

function found<T>(among: ReadonlyMap<string, T>, key: string): T {
  const one = among.get(key);
  if (one === undefined) throw new Error(`"${key}" is not there yet`);
  return one;
}
