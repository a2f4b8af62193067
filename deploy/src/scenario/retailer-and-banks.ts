import type { Partners } from "../driver/partners.ts";
import type { LinkOnStage } from "./on-stage.ts";
import type { Payment, ReportedRow } from "./scenario.ts";

async function ask<T>(url: string, init: RequestInit = {}): Promise<T> {
  const answer = await fetch(url, init);
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${init.method ?? "GET"} ${url}: ${answer.status} ${text}`);
  return JSON.parse(text) as T;
}

const told = (method: string, body: unknown): RequestInit => ({
  method,
  headers: { "content-type": "application/json" },
  body: JSON.stringify(body),
});

/** Clicks move no money; more than this many are told as this many, for the report counts in ordinary numbers. */
const MOST_CLICKS = 1_000_000_000;

/** From now on the retailer's report says this; of two rows of one link and date the later stands. */
export const publish = (
  { url }: Partners,
  rows: readonly { readonly row: ReportedRow; readonly link: LinkOnStage }[],
): Promise<unknown> =>
  ask(
    `${url}/_sandbox/report`,
    told("POST", {
      rows: rows.map(({ row: { date, clicks, promoted, total }, link }) => ({
        adgroup_id: link.id,
        url: link.url,
        clicks: Math.min(clicks, MOST_CLICKS),
        ...{ date, promoted, total },
      })),
    }),
  );

/** What a brand pays with, as Stripe's own fields in the browser would hand it over, and how the bank will behave. */
export const METHODS: Readonly<
  Record<Payment, { readonly token: string; readonly script?: "card_declined_once" | "ach_fails" } | null>
> = {
  card: { token: "pm_card_visa" },
  card_declined_once: { token: "pm_card_visa", script: "card_declined_once" },
  ach: { token: "pm_usBankAccount_success" },
  ach_fails: { token: "pm_usBankAccount_success", script: "ach_fails" },
  none: null,
};

/** Every month has at least so many days. */
const SHORTEST_MONTH = 28;

/** The retailer answers for all days of a run, however long it is: the 13 months of its reports are not in force in a scenario. */
export const remember = ({ url }: Partners, days: number): Promise<unknown> =>
  ask(
    `${url}/_sandbox/amazon/settings`,
    told("PUT", { history_months: Math.ceil(days / SHORTEST_MONTH) + 1 }),
  );

/** The largest payment that Stripe's wire can name, in whole cents of an ordinary number. */
const MOST_CENTS = Number.MAX_SAFE_INTEGER;

/** The providers' own maximum amounts are not in force in a scenario, nor is a PayPal balance that runs dry. */
export async function liftCeilings({ url }: Partners): Promise<void> {
  await ask(`${url}/_sandbox/stripe/ceiling`, told("PUT", { most_cents: MOST_CENTS }));
  await ask(`${url}/_sandbox/paypal/balance`, told("PUT", { value: "999999999999.00" }));
}

/** Tells the bank of a brand to behave as the scenario says: Stripe's newest customer that carries the brand's id. */
export async function behave({ url }: Partners, brand_id: string, kind: string): Promise<void> {
  const { data } = await ask<{ data: { id: string; metadata: { brand_id?: string } }[] }>(
    `${url}/v1/customers?limit=100`,
    { headers: { authorization: "Bearer sk_test_tributary" } },
  );
  const customer = data.find(({ metadata }) => metadata.brand_id === brand_id);
  if (!customer) throw new Error(`Stripe knows no customer for the brand ${brand_id}`);
  await ask(`${url}/_sandbox/stripe/customers/${customer.id}/script`, told("PUT", { kind }));
}
