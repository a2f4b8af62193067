import type { App, Shown } from "@tributary/runtime/testing/harness";

/** A row of the performance report as the retailer writes it. */
export const row = (
  adGroupId: string | null,
  date: string,
  clicks: number,
  total: string,
  promoted = total,
) => ({
  date: date.replaceAll("-", ""),
  advertiserName: "Acme",
  campaignId: "tributary-b1-901",
  adGroupId,
  "Click-throughs": String(clicks),
  attributedSales14d: promoted,
  totalAttributedSales14d: total,
});

/** The data of all events of a type, in the order of the log's streams. */
export const said = async (app: App, type: string): Promise<Shown["data"][]> =>
  (await app.events()).filter((event) => event.type === type).map(({ data }) => data);

/** Lets it become six in the evening of a day in January, and everything happen that is due until then. */
export async function evening(app: App, on: string): Promise<void> {
  app.clock.set(new Date(Date.parse(`${on}T00:00:00Z`) + 26 * 3_600_000).toISOString());
  await app.settled();
}
