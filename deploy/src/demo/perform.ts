import { choosePayout, joinCreator } from "../driver/join-creator.ts";
import { addCard, openBrand, openProgram } from "../driver/open-brand.ts";
import type { Act } from "./acts.ts";
import type { Stage } from "./stage.ts";

type Of<Kind extends Act["do"]> = Extract<Act, { do: Kind }>;
type Doing = {
  [Kind in Exclude<Act["do"], "visit" | "return">]: (act: Of<Kind>, stage: Stage) => Promise<string>;
};

/** How each act is done through the product's own API; each answers what there is to tell of it. */
const DOING: Doing = {
  async open({ brand }, stage) {
    const person = stage.somebody(brand.key);
    await stage.partners.seed([
      {
        key: brand.key,
        name: brand.name,
        products: brand.goods.map(({ percent, ...product }) => ({ ...product, category: brand.category })),
      },
    ]);
    const { id, products } = await openBrand(person, {
      brand_name: brand.name,
      website: `https://${brand.key}.example`,
      product_category: brand.category,
      amazon_account: brand.key,
    });
    const program_id = await openProgram(person, id, {
      title: brand.name,
      description: `<p>${brand.name} looks for people who use what it makes.</p>`,
      auto_accept_applications: brand.auto_accept,
      product_ids: [...products.values()],
    });
    await addCard(person, "pm_card_visa");
    stage.opened(brand, { person, id, program_id, products });
    const answer = brand.auto_accept ? "takes everybody" : "looks at every application";
    return `${brand.name} connects Amazon, lists ${products.size} products, adds a card; its program ${answer}`;
  },

  async join({ creator, from }, stage) {
    const person = stage.somebody(creator.key);
    const id = await joinCreator(person, {
      name: creator.name,
      product_categories: ["Home & Kitchen", "Sports & Outdoors"],
      channels: [{ channel: creator.channel, channel_link: `https://${creator.key}.example` }],
      total_reach: creator.total_reach,
      from_brand: from && stage.brand(from).id,
    });
    stage.joined(creator, { person, id });
    return `${creator.name} joins with ${creator.total_reach} followers on ${creator.channel}${from ? `, from the page of ${from.name}` : ""}`;
  },

  async approve({ creator }, stage) {
    await stage.admin.post(`/api/admin/creators/${stage.creator(creator).id}/approve`);
    return `The admin approves ${creator.name}`;
  },

  async payout({ creator, payout }, stage) {
    await choosePayout(stage.creator(creator).person, payout, creator.key);
    return payout === "none"
      ? `${creator.name} wants no payouts for now`
      : `${creator.name} will be paid by ${{ stripe: "Stripe", paypal: "PayPal", venmo: "Venmo" }[payout]}`;
  },

  async refer({ brand, referrer, percent }, stage) {
    const { referral_code } = await stage
      .brand(brand)
      .person.put<{ referral_code: string }>(
        `/api/brand-referral-settings/${stage.partnership(referrer, brand)}`,
        { referral_commission_rate: percent, is_active: true },
      );
    stage.referring(referrer, brand, referral_code);
    return `${brand.name} gives ${referrer.name} a referral code: ${percent} % of what those they bring sell`;
  },

  async apply({ creator, brand, referrer }, stage) {
    const { person, id: creator_id } = stage.creator(creator);
    const { id: brand_id, program_id: source_program_id } = stage.brand(brand);
    const referral_code = referrer && stage.code(referrer, brand);
    if (referral_code) {
      await person.get(`/api/referrals/info/${referral_code}`);
      await person.post("/api/referrals", { referral_code, referred_creator_id: creator_id });
    }
    const { id, status } = await person.post<{ id: string; status: string }>(
      "/api/creator-brand-partnerships",
      { creator_id, brand_id, source_program_id, referral_code },
    );
    stage.partnered(creator, brand, id);
    const through = referrer ? `, through ${referrer.name}` : "";
    return status === "active"
      ? `${creator.name} becomes a partner of ${brand.name} at once${through}`
      : `${creator.name} applies to ${brand.name}${through}`;
  },

  async accept({ creator, brand }, stage) {
    await stage
      .brand(brand)
      .person.patch(`/api/creator-brand-partnerships/${stage.partnership(creator, brand)}`, {
        status: "active",
      });
    return `${brand.name} accepts ${creator.name}`;
  },

  async link({ link }, stage) {
    const { creator, brand, goods } = link;
    const { person } = stage.creator(creator);
    const product_id = stage.product(brand, goods);
    const { short_path } = await person.post<{ short_path: string }>("/api/links", { product_id });
    stage.shared(link, short_path);
    return `${creator.name} shares a link to ${brand.name}'s ${goods.title} (${goods.price})`;
  },

  async fee({ brand, goods, percent }, stage) {
    const { commission_perc, commission_pending } = await stage.brand(brand).person.patch<{
      commission_perc: number;
      commission_pending: { effective_from: string } | null;
    }>(`/api/products/${stage.product(brand, goods)}`, { commission_perc: percent });
    const from = commission_pending ? `, in force from ${commission_pending.effective_from}` : "";
    return `${brand.name} sets ${goods.title} from ${commission_perc} % to ${percent} %${from}`;
  },
};

/** Does one act through the API as a browser would, and answers what there is to tell of it. */
export function perform(act: Exclude<Act, Of<"visit" | "return">>, stage: Stage): Promise<string> {
  const doing = DOING[act.do] as (act: Act, stage: Stage) => Promise<string>;
  return doing(act, stage);
}
