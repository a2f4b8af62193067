import type { Person } from "./person.ts";

/** What somebody types into the two sign-up pages of a creator. */
export interface CreatorForm {
  readonly name: string;
  readonly product_categories: readonly string[];
  readonly channels: readonly { readonly channel: string; readonly channel_link: string }[];
  /** Upper end of the range chosen, in followers. */
  readonly total_reach: number;
  /** The brand from whose program page they came; null for those who came by themselves. */
  readonly from_brand: string | null;
}

/** /signup/creator and /signup/creator/links, call by call. Answers the creator's id. */
export async function joinCreator(person: Person, form: CreatorForm): Promise<string> {
  await person.signUp();
  const user = await person.post<{ id: string }>("/api/users", {
    email: person.email,
    firebase_uid: person.uid,
    user_type: "creator",
  });
  const { id } = await person.post<{ id: string }>("/api/creators", {
    user_id: user.id,
    name: form.name,
    product_categories: form.product_categories,
    approved: form.from_brand !== null,
    fromAffiliateProgramBrand: form.from_brand,
  });
  for (const row of form.channels) await person.post("/api/creator-channels", { creator_id: id, ...row });
  await person.patch(`/api/creators/${id}`, { total_reach: form.total_reach });
  return id;
}

/** How a creator wants to be paid. */
export type Payout = "stripe" | "paypal" | "venmo" | "none";

/** Sets where the creator is paid; for Stripe by way of its onboarding page, on which everything is answered at once. */
export async function choosePayout(person: Person, payout: Payout, account: string): Promise<void> {
  if (payout === "stripe") {
    const { url } = await person.post<{ url: string | null }>(
      "/api/creator-payment-methods/stripe-onboarding",
    );
    if (url) await fetch(`${url}?auto=complete`, { redirect: "manual" });
  }
  await person.put("/api/creator-payment-destinations/me", {
    preferred_method: payout,
    ...(payout === "paypal" ? { paypal_email: `${account}@pay.example` } : {}),
    ...(payout === "venmo" ? { venmo_handle: `${account}-venmo` } : {}),
  });
}
