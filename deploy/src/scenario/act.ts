import { choosePayout } from "../driver/join-creator.ts";
import type { OnStage } from "./on-stage.ts";
import type { ScenarioEvent } from "./scenario.ts";

type Of<Kind extends ScenarioEvent["do"]> = Extract<ScenarioEvent, { do: Kind }>;
/** `settled` answers when everybody has heard of what was done so far. */
type Acts = {
  [Kind in ScenarioEvent["do"]]: (
    event: Of<Kind>,
    stage: OnStage,
    settled: () => Promise<unknown>,
  ) => Promise<unknown>;
};

/** Applies to a brand that takes everybody: the partnership begins in the same moment. */
async function apply(
  stage: OnStage,
  { brand, creator }: { brand: string; creator: string },
  referral_code: string | null,
): Promise<void> {
  const { person, id: creator_id } = stage.creator(creator);
  const { id: brand_id, program_id: source_program_id } = stage.brand(brand);
  const { id, status } = await person.post<{ id: string; status: string }>(
    "/api/creator-brand-partnerships",
    {
      creator_id,
      brand_id,
      source_program_id,
      referral_code,
    },
  );
  if (status !== "active") throw new Error(`"${creator}" applied to "${brand}", and is ${status}`);
  stage.partnered(brand, creator, id);
}

const ACTS: Acts = {
  partner: (event, stage) => apply(stage, event, null),

  async refer({ brand, creator, referrer, percent }, stage, settled) {
    const { referral_code } = await stage
      .brand(brand)
      .person.put<{ referral_code: string }>(
        `/api/brand-referral-settings/${stage.partnership(brand, referrer)}`,
        { referral_commission_rate: percent, is_active: true },
      );
    await settled();
    const { person, id: referred_creator_id } = stage.creator(creator);
    await person.post("/api/referrals", { referral_code, referred_creator_id });
    await apply(stage, { brand, creator }, referral_code);
  },

  async link({ key, brand, creator, product }, stage) {
    const product_id = stage.brand(brand).products.get(product);
    const { link_id, url } = await stage
      .creator(creator)
      .person.post<{ link_id: string; url: string }>("/api/links", { product_id });
    stage.links.set(key, { id: link_id, url });
  },

  fee({ brand, creator, product, percent }, stage) {
    const { person, products } = stage.brand(brand);
    const product_id = products.get(product);
    return creator === undefined
      ? person.patch(`/api/products/${product_id}`, { commission_perc: percent })
      : person.put(`/api/creator-products/${stage.partnership(brand, creator)}`, {
          items: [{ product_id, affiliate_fee: percent }],
        });
  },

  end: ({ brand, creator }, stage) =>
    stage.brand(brand).person.patch(`/api/creator-brand-partnerships/${stage.partnership(brand, creator)}`, {
      status: "ended",
    }),

  payout({ creator, payout }, stage) {
    const { person, account } = stage.creator(creator);
    return choosePayout(person, payout, account);
  },
};

/** Does one event of a scenario through the API, as a browser would. */
export async function act(
  event: ScenarioEvent,
  stage: OnStage,
  settled: () => Promise<unknown>,
): Promise<void> {
  const doing = ACTS[event.do] as (
    event: ScenarioEvent,
    stage: OnStage,
    settled: () => Promise<unknown>,
  ) => Promise<unknown>;
  await doing(event, stage, settled);
  await settled();
}
