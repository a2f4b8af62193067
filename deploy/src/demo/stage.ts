import type { Partners } from "../driver/partners.ts";
import { Person } from "../driver/person.ts";
import type { LinkRole } from "./acts.ts";
import type { BrandRole, CreatorRole, Goods } from "./cast.ts";

/** A brand at work: who sits at the browser, and the ids that the product gave. */
export interface BrandOnStage {
  readonly person: Person;
  readonly id: string;
  readonly program_id: string;
  /** Product ids by ASIN. */
  readonly products: ReadonlyMap<string, string>;
}

/** A creator at work. */
export interface CreatorOnStage {
  readonly person: Person;
  readonly id: string;
}

const find = <T>(in_: ReadonlyMap<string, T>, key: string, what: string): T => {
  const found = in_.get(key);
  if (found === undefined) throw new Error(`the story names ${what} ${key} before it is there`);
  return found;
};

/** Where the story plays: the product's address, the partners behind it, and the ids behind the keys of the story. */
export class Stage {
  readonly #brands = new Map<string, BrandOnStage>();
  readonly #creators = new Map<string, CreatorOnStage>();
  /** By creator and brand key: the partnership, and the referral code that the creator got at this brand. */
  readonly #partnerships = new Map<string, string>();
  readonly #codes = new Map<string, string>();
  readonly #links = new Map<string, { readonly role: LinkRole; readonly short_path: string }>();
  readonly #orders = new Map<string, readonly string[]>();

  constructor(
    readonly url: string,
    readonly partners: Partners,
    readonly admin: Person,
  ) {}

  /** Somebody new at a browser, known to the identity provider by the key of their role. */
  somebody = (key: string): Person => new Person(this.url, `${key}@people.example`, `password of ${key}`);

  opened = ({ key }: BrandRole, brand: BrandOnStage): unknown => this.#brands.set(key, brand);
  brand = ({ key }: BrandRole): BrandOnStage => find(this.#brands, key, "the brand");
  product = (brand: BrandRole, { asin }: Goods): string =>
    find(this.brand(brand).products, asin, "the product");

  joined = ({ key }: CreatorRole, creator: CreatorOnStage): unknown => this.#creators.set(key, creator);
  creator = ({ key }: CreatorRole): CreatorOnStage => find(this.#creators, key, "the creator");

  partnered = (creator: CreatorRole, brand: BrandRole, id: string): unknown =>
    this.#partnerships.set(`${creator.key} at ${brand.key}`, id);
  partnership = (creator: CreatorRole, brand: BrandRole): string =>
    find(this.#partnerships, `${creator.key} at ${brand.key}`, "the partnership of");

  referring = (creator: CreatorRole, brand: BrandRole, code: string): unknown =>
    this.#codes.set(`${creator.key} at ${brand.key}`, code);
  code = (creator: CreatorRole, brand: BrandRole): string =>
    find(this.#codes, `${creator.key} at ${brand.key}`, "the referral code of");

  shared = (role: LinkRole, short_path: string): unknown => this.#links.set(role.key, { role, short_path });
  /** Where the link's redirect stands on the product's own address. */
  link = ({ key }: LinkRole): string => find(this.#links, key, "the link").short_path;
  /** The story's link whose random id the retailer reports as its ad group. */
  roleOf = (adgroup_id: string): LinkRole => {
    for (const { role, short_path } of this.#links.values())
      if (short_path.endsWith(`/${adgroup_id}`)) return role;
    throw new Error(`nobody in the story shares a link ${adgroup_id}`);
  };

  bought = (shopper: string, orders: readonly string[]): unknown => this.#orders.set(shopper, orders);
  orders = (shopper: string): readonly string[] => find(this.#orders, shopper, "the purchase of");

  /** The key of a brand's or creator's role by the id that the product gave; what is nobody's id stays as it is. */
  keyOf = (id: string): string => {
    for (const [key, one] of [...this.#brands, ...this.#creators]) if (one.id === id) return key;
    return id;
  };
}
