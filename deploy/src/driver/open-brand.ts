import type { Person } from "./person.ts";
import { until } from "./until.ts";

/** What somebody types into the sign-up form of a brand, and the Amazon account they then log in to. */
export interface BrandForm {
  readonly brand_name: string;
  readonly website: string;
  readonly product_category: string;
  readonly amazon_account: string;
}

/** A brand whose seller account is connected and whose products are listed. */
export interface OpenedBrand {
  readonly id: string;
  /** Product ids by ASIN. */
  readonly products: ReadonlyMap<string, string>;
}

/** /signup/brand, then /signup/brand/connect and /signup/loading, call by call (product specification, section 4). */
export async function openBrand(person: Person, form: BrandForm): Promise<OpenedBrand> {
  await person.signUp();
  const { amazon_account, ...brand } = form;
  const user = await person.post<{ id: string }>("/api/users", {
    email: person.email,
    firebase_uid: person.uid,
    user_type: "brand",
  });
  const { id } = await person.post<{ id: string }>("/api/brands", { user_id: user.id, ...brand });
  await connectAmazon(person, amazon_account);
  await person.patch(`/api/brands/${id}/connect`, { connected: true });
  await person.get("/api/amazon/get-profiles");
  await person.get("/api/amazon/get-advertisers");
  const listed = await person.get<unknown[]>("/api/amazon/get-products");
  await person.get("/api/amazon/attribution-tag-non-macro");
  await person.get("/api/amazon/attribution-tag-macro");
  const { imageUrl } = await person.post<{ imageUrl: string | null }>("/api/amazon/search-brand-logo");
  if (imageUrl) await person.patch(`/api/brands/${id}/logo`, { logo_url: imageUrl });
  const products = await until(`the products of ${form.brand_name}`, async () => {
    const { items } = await person.get<{ items: { id: string; asin: string }[] }>("/api/products?limit=500");
    return items.length === listed.length ? items : null;
  });
  return { id, products: new Map(products.map((product) => [product.asin, product.id])) };
}

/** The consent page of Login with Amazon, approved at once, and the way back with what it gave. */
export async function connectAmazon(person: Person, account: string): Promise<void> {
  const consent = new URL((await person.get<{ url: string }>("/api/amazon/auth-url")).url);
  consent.searchParams.set("auto", "approve");
  consent.searchParams.set("account", account);
  const answer = await fetch(consent, { redirect: "manual" });
  const back = answer.headers.get("location");
  if (!back) throw new Error(`no way back from ${consent.pathname}: ${answer.status} ${await answer.text()}`);
  const given = new URL(back).searchParams;
  await person.post("/api/amazon/callback", { code: given.get("code"), state: given.get("state") });
}

/** What a program page says, and which of the brand's products it offers. */
export interface ProgramForm {
  readonly title: string;
  readonly description: string;
  readonly auto_accept_applications: boolean;
  readonly product_ids: readonly string[];
}

/** Opens the brand's program, visible to everybody, and puts its products in. Answers the program's id. */
export async function openProgram(person: Person, brand_id: string, form: ProgramForm): Promise<string> {
  const { product_ids, ...face } = form;
  const { id } = await person.post<{ id: string }>("/api/affiliate-programs", {
    ...{ brand_id, is_visible: true, page_id: null, logo_url: null },
    ...face,
  });
  await person.put(`/api/affiliate-programs/${id}/products`, { productIds: product_ids });
  return id;
}

/** A card as Stripe's own fields in the browser would hand it over, kept for the month's charges. */
export async function addCard(person: Person, payment_method: string): Promise<void> {
  await person.post("/api/payment-methods/setup-intent");
  await person.post("/api/payment-methods", { stripe_payment_method_id: payment_method });
}
