/** A company as the partner sandbox seeds it: an Amazon account that sells these products. */
export interface SellerSeed {
  readonly key: string;
  readonly name: string;
  readonly products: readonly {
    readonly asin: string;
    readonly sku: string;
    readonly title: string;
    /** Decimal text in dollars. */
    readonly price: string;
    readonly category: string;
  }[];
}

/** What Stripe's own books say of one charge it made or tried to make, in whole cents. */
export interface StripeCharge {
  readonly payment_intent: string;
  readonly amount_cents: number;
  readonly refunded_cents: number;
  readonly fee_cents: number;
  readonly destination: string | null;
  /** What the account it was meant for has got of it; 0 for a charge to the platform. */
  readonly transferred_cents: number;
  readonly status: string;
  readonly metadata: Readonly<Record<string, string>>;
}

/** Stripe's books: a balance in cents of the platform (`platform`), of every account and of the world outside; together 0. */
export interface StripeLedger {
  readonly balances: Readonly<Record<string, number>>;
  readonly sum: number;
  readonly charges: readonly StripeCharge[];
}

/** PayPal's books, amounts as decimal text: what it holds for us, what it paid, and all its balances, which add up to 0.00. */
export interface PaypalLedger {
  readonly balance: string;
  readonly books: Readonly<Record<string, string>>;
  readonly sum: string;
  readonly paid: readonly {
    readonly sender_batch_id: string | null;
    readonly sender_item_id: string | null;
    readonly payout_item_id: string;
    readonly value: string;
    readonly fee: string;
    readonly status: string;
  }[];
}

/** What Amazon knows of every click and sale, whatever its reports show of it. Instants are ISO 8601. */
export interface AmazonAttribution {
  readonly clicks: readonly { readonly at: string; readonly adgroup_id: string }[];
  readonly orders: readonly {
    readonly id: string;
    readonly at: string;
    readonly qty: number;
    /** Decimal text in dollars, of one piece. */
    readonly price: string;
  }[];
  /** Sales that go back to a click; `restated_at` is when a returned one leaves the report. */
  readonly conversions: readonly {
    readonly order: string;
    readonly adgroup_id: string;
    readonly date: string;
    readonly restated_at: string | null;
  }[];
}

/** One request that a partner received, and what it answered. */
export interface PartnerRequest {
  readonly method: string;
  readonly path: string;
  readonly status: number | null;
  readonly idempotency_key: string | null;
  readonly body: string;
}

/** The hands behind the stage: companies, shoppers, the clock and the partners' own books, by the sandbox's control plane. */
export class Partners {
  constructor(readonly url: string) {}

  seed = (sellers: readonly SellerSeed[]): Promise<unknown> => this.#ask("POST", "seed", { sellers });

  /** A shopper buys now; answers the order numbers, in the order of the purchases. */
  async buy(
    shopper: string,
    purchases: readonly { readonly asin: string; readonly qty: number }[],
  ): Promise<string[]> {
    const { orders } = await this.#ask<{ orders: { id: string }[] }>("POST", "shopper", {
      shopper,
      purchases,
    });
    return orders.map(({ id }) => id);
  }

  /** What was bought goes back now. */
  giveBack = (order: string): Promise<unknown> => this.#ask("POST", "shopper/return", { order });

  /** Moves the clock from due moment to due moment; answers how many moments that took, when all is quiet. */
  async moveTo(instant: string): Promise<number> {
    const { moments } = await this.#ask<{ moments: number }>("POST", "clock", { to: instant });
    return moments;
  }

  attribution = (): Promise<AmazonAttribution> => this.#ask("GET", "amazon/attribution");
  stripeLedger = (): Promise<StripeLedger> => this.#ask("GET", "stripe/ledger");
  paypalLedger = (): Promise<PaypalLedger> => this.#ask("GET", "paypal/ledger");

  /** The requests that a partner (`stripe`, `paypal`, `amazon`) received below a path, in order of arrival. */
  async journal(partner: string, path: string): Promise<readonly PartnerRequest[]> {
    const query = new URLSearchParams({ partner, path });
    return (await this.#ask<{ requests: PartnerRequest[] }>("GET", `journal?${query}`)).requests;
  }

  async #ask<T>(method: string, path: string, body?: unknown): Promise<T> {
    const answer = await fetch(`${this.url}/_sandbox/${path}`, {
      method,
      ...(body === undefined
        ? {}
        : { headers: { "content-type": "application/json" }, body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    if (!answer.ok)
      throw new Error(`the partner sandbox refused ${method} ${path}: ${answer.status} ${text}`);
    return JSON.parse(text) as T;
  }
}
