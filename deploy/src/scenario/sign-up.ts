import { formatCents, parseReported } from "@tributary/contracts/money";
import { choosePayout, joinCreator } from "../driver/join-creator.ts";
import { openBrand, openProgram } from "../driver/open-brand.ts";
import type { Partners } from "../driver/partners.ts";
import { Person } from "../driver/person.ts";
import type { BrandOnStage, CreatorOnStage } from "./on-stage.ts";
import { behave, METHODS } from "./retailer-and-banks.ts";
import type { BrandRole, CreatorRole } from "./scenario.ts";

/** The product's address and the partners behind it, for people who come to it. */
export interface Doors {
  readonly url: string;
  readonly partners: Partners;
}

/** People are numbered where case would not tell them apart, and where a brand and a creator may have the same key. */
const somebody = ({ url }: Doors, account: string): Person =>
  new Person(url, `${account}@people.example`, `password of ${account}`);

const asinOf = (brand: number, product: number): string =>
  `B0S${String(brand).padStart(3, "0")}${String(product).padStart(4, "0")}`;

/**
 * A brand signs up, connects its seller account, opens its program, says how it pays, and sets the percents of its products under
 * the ordinary notice rules. `index` tells it from the others of the scenario.
 */
export async function signUpBrand(role: BrandRole, index: number, doors: Doors): Promise<BrandOnStage> {
  const { partners } = doors;
  const account = `brand-${index + 1}`;
  const person = somebody(doors, account);
  const goods = role.products.map((product, at) => ({ ...product, asin: asinOf(index, at) }));
  await partners.seed([
    {
      key: account,
      name: role.key,
      products: goods.map(({ key, price, asin }) => ({
        ...{ asin, title: key, sku: asin, category: "Home & Kitchen" },
        price: formatCents(parseReported(price)!),
      })),
    },
  ]);
  const { id, products } = await openBrand(person, {
    brand_name: `Brand ${role.key}`,
    website: `https://${account}.example`,
    product_category: "Home & Kitchen",
    amazon_account: account,
  });
  const byKey = new Map(goods.map(({ key, asin }) => [key, products.get(asin)!]));
  const program = {
    title: `Brand ${role.key}`,
    description: `<p>${role.key} looks for people who use what it makes.</p>`,
    auto_accept_applications: true,
    commission_base: role.commission_base,
    product_ids: [...byKey.values()],
  };
  const program_id = await openProgram(person, id, program);
  for (const { key, percent } of goods)
    await person.patch(`/api/products/${byKey.get(key)}`, { commission_perc: percent });
  const method = METHODS[role.payment];
  if (method) await addMethod(person, method.token);
  if (method?.script) await behave(partners, id, method.script);
  return { person, id, account, program_id, products: byKey };
}

/** The two small deposits, in cents, by which the played bank verifies an account. */
const DEPOSITS = [32, 45];

/** Says how the brand pays; a bank account is verified at once, for a method named in a scenario is usable at once. */
async function addMethod(person: Person, token: string): Promise<void> {
  await person.post("/api/payment-methods/setup-intent");
  const added = await person.post<{ payment_method_id: string; verification_status: string }>(
    "/api/payment-methods",
    { stripe_payment_method_id: token },
  );
  if (added.verification_status === "verified") return;
  const { verification_status } = await person.post<{ verification_status: string }>(
    `/api/payment-methods/${added.payment_method_id}/verify`,
    { amounts: DEPOSITS },
  );
  if (verification_status !== "verified") throw new Error(`the bank account is ${verification_status}`);
}

/** A creator signs up, is approved by the admin, and says how to be paid. */
export async function signUpCreator(
  { key, payout }: CreatorRole,
  index: number,
  doors: Doors,
  admin: Person,
): Promise<CreatorOnStage> {
  const account = `creator-${index + 1}`;
  const person = somebody(doors, account);
  const id = await joinCreator(person, {
    name: `Creator ${key}`,
    product_categories: ["Home & Kitchen"],
    channels: [{ channel: "YouTube", channel_link: `https://${account}.example` }],
    total_reach: 10_000,
    from_brand: null,
  });
  await admin.post(`/api/admin/creators/${id}/approve`);
  if (payout !== "none") await choosePayout(person, payout, account);
  return { person, id, account };
}
