import { link } from "@tributary/attribution/link";
import { attribution } from "@tributary/attribution/main";
import { LinkCreated } from "@tributary/contracts/events/attribution";
import { anyhow } from "@tributary/runtime/decision";
import { type Mounted, mount } from "@tributary/runtime/mount";
import type { Ground } from "./ground.ts";
import { BRAND, CREATOR, PARTNERSHIP, PRODUCT } from "./metrics.ts";

/** Where they all lead. */
export const DESTINATION =
  "https://www.amazon.com/dp/B0BENCH001?maas=maas_adg_api_8414066180202_static_12_26&ref_=aa_maas&aa_campaignid=bench&aa_adgroupid=bench&aa_creativeid=bench";

/** Attribution as it works in any process, hearing the other services. */
export async function attributionAtWork(
  ground: Ground,
): Promise<{ readonly mounted: Mounted; stop(): Promise<void> }> {
  const host = ground.host();
  const mounted = await mount(attribution, host);
  return {
    mounted,
    async stop() {
      await mounted.stop();
      await host.tails.close();
    },
  };
}

/** A creator makes a link. */
export async function makeLink({ acting }: Mounted, link_id: string): Promise<void> {
  await acting("bench").act({}, () => [
    anyhow(
      link.at(link_id),
      LinkCreated({
        link_id,
        link_name: "Bench",
        brand_id: BRAND,
        creator_id: CREATOR,
        partnership_id: PARTNERSHIP,
        product_id: PRODUCT,
        creator_product_id: "9f8e7d6c-5b4a-5f3e-8d2c-1b0a9f8e7d6c",
        asin: "B0BENCH001",
        profile_id: "3141592653589793",
        advertiser_id: "bench-advertiser",
        publisher_id: "bench-publisher",
        aa_campaignid: "bench",
        aa_adgroupid: link_id,
        aa_creativeid: "bench",
        url: DESTINATION,
      }),
    ),
  ]);
}
