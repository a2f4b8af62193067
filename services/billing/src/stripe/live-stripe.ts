import { type Cents, centsInteger } from "@tributary/contracts/money";
import type { Network } from "@tributary/runtime/ports/network";
import type Stripe from "stripe";
import { z } from "zod";
import { liveMoneyBack } from "./live-money-back.ts";
import type {
  Acceptance,
  Asked,
  BelongsTo,
  Found,
  KnownAccount,
  KnownMethod,
  Notice,
  Order,
  Seen,
  SeenBack,
  SetUp,
  StripePartner,
} from "./partner.ts";
import { bankRefused, refusalOf } from "./refusal-of.ts";
import { brandOf, idOf, knownAccount, knownMethod, noticeFrom, pageOf, seenOf, setUpFrom } from "./told.ts";

type Fetch = Parameters<typeof Stripe.createFetchHttpClient>[0];

const TOLERANCE_SECONDS = 300;
const EXPANDED = ["latest_charge.balance_transaction"];

const onWire = (amount: Cents): number => z.encode(centsInteger, amount);

/** Stripe by its own library, which is loaded when it is first needed. */
export class LiveStripe implements StripePartner {
  #stripe: Promise<Stripe> | undefined;

  constructor(
    readonly access: { STRIPE_SECRET_KEY: string; STRIPE_API_URL: string },
    readonly network: Network,
  ) {}

  #api(): Promise<Stripe> {
    this.#stripe ??= import("stripe").then(({ default: Library }) => {
      const { protocol, hostname, port } = new URL(this.access.STRIPE_API_URL);
      return new Library(this.access.STRIPE_SECRET_KEY, {
        host: hostname,
        protocol: protocol === "http:" ? "http" : "https",
        ...(port ? { port } : {}),
        telemetry: false,
        maxNetworkRetries: 2,
        httpClient: Library.createFetchHttpClient(this.network as Fetch),
      });
    });
    return this.#stripe;
  }

  async openCustomer(brand_id: string): Promise<string> {
    const stripe = await this.#api();
    const customer = await stripe.customers.create(
      { metadata: { brand_id } },
      { idempotencyKey: `cus:${brand_id}` },
    );
    return customer.id;
  }

  async startSetup(customer: string): Promise<{ setup_intent_id: string; client_secret: string }> {
    const stripe = await this.#api();
    const { id, client_secret } = await stripe.setupIntents.create({
      customer,
      usage: "off_session",
      allowed_payment_method_types: ["card", "us_bank_account"],
    });
    return { setup_intent_id: id, client_secret: client_secret! };
  }

  async method(id: string): Promise<KnownMethod | null> {
    const stripe = await this.#api();
    try {
      return knownMethod(await stripe.paymentMethods.retrieve(id));
    } catch (error) {
      if (refusalOf(error)?.status === 404) return null;
      throw error;
    }
  }

  async setUp(
    customer: string,
    method: string,
    acceptance: Acceptance,
  ): Promise<{ method: KnownMethod; setup: SetUp }> {
    const stripe = await this.#api();
    const made = await stripe.setupIntents.create({
      customer,
      payment_method: method,
      allowed_payment_method_types: ["card", "us_bank_account"],
      usage: "off_session",
      confirm: true,
      mandate_data: { customer_acceptance: { type: "online", online: { ...acceptance } } },
      expand: ["payment_method"],
    });
    return { method: knownMethod(made.payment_method as Stripe.PaymentMethod), setup: setUpFrom(made) };
  }

  async setUpOf(customer: string, method: string): Promise<SetUp | null> {
    const stripe = await this.#api();
    const { data } = await stripe.setupIntents.list({ customer, payment_method: method, limit: 1 });
    return data[0] ? setUpFrom(data[0]) : null;
  }

  async verifyDeposits(
    id: string,
    seen: { amounts: number[] } | { descriptor_code: string },
  ): Promise<SetUp> {
    const stripe = await this.#api();
    return setUpFrom(await stripe.setupIntents.verifyMicrodeposits(id, seen));
  }

  async charge(order: Order): Promise<Seen> {
    const stripe = await this.#api();
    try {
      const intent = await stripe.paymentIntents.create(
        {
          amount: onWire(order.amount_grossed_cents),
          currency: "usd",
          customer: order.stripe_customer_id,
          payment_method: order.stripe_payment_method_id,
          allowed_payment_method_types: [order.pm_type],
          confirm: true,
          off_session: true,
          metadata: { ...order.metadata },
          expand: EXPANDED,
          ...(order.mandate_id ? { mandate: order.mandate_id } : {}),
          ...(order.destination_account_id
            ? { transfer_data: { destination: order.destination_account_id } }
            : {}),
          ...(order.destination_account_id && order.application_fee_amount_cents > 0n
            ? { application_fee_amount: onWire(order.application_fee_amount_cents) }
            : {}),
          ...(order.statement_descriptor ? { statement_descriptor: order.statement_descriptor } : {}),
          ...(order.statement_descriptor_suffix
            ? { statement_descriptor_suffix: order.statement_descriptor_suffix }
            : {}),
        },
        { idempotencyKey: order.idempotency_key },
      );
      return seenOf(intent);
    } catch (error) {
      const refused = bankRefused(error);
      if (refused) return refused;
      throw error;
    }
  }

  async findCharge(order: Order, since: string): Promise<Seen | null> {
    const stripe = await this.#api();
    const created = { gte: Math.floor(Date.parse(since) / 1000) - 60 };
    const sent = stripe.paymentIntents.list({
      customer: order.stripe_customer_id,
      created,
      limit: 100,
      expand: EXPANDED.map((path) => `data.${path}`),
    });
    for await (const intent of sent) {
      const same = Object.entries(order.metadata).every(([name, value]) => intent.metadata[name] === value);
      if (same) return seenOf(intent);
    }
    return null;
  }

  async intent(id: string): Promise<Found> {
    const stripe = await this.#api();
    const intent = await stripe.paymentIntents.retrieve(id, { expand: EXPANDED });
    return { metadata: intent.metadata, seen: seenOf(intent) };
  }

  async moneyBack(event_type: string, object_id: string): Promise<SeenBack | null> {
    return liveMoneyBack(await this.#api(), event_type, object_id);
  }

  async authenticate(id: string, payment_method: string, return_url: string): Promise<Asked> {
    const stripe = await this.#api();
    const now = await stripe.paymentIntents.retrieve(id, { expand: EXPANDED });
    const seen = seenOf(now);
    const page = pageOf(now);
    if (seen.status !== "requires_action" || page) return { seen, url: page };
    try {
      const asked = await stripe.paymentIntents.confirm(id, { payment_method, return_url, expand: EXPANDED });
      return { seen: seenOf(asked), url: pageOf(asked) };
    } catch (error) {
      const refused = bankRefused(error);
      if (refused) return { seen: refused, url: null };
      throw error;
    }
  }

  async callOff(id: string): Promise<Seen> {
    const stripe = await this.#api();
    try {
      return seenOf(await stripe.paymentIntents.cancel(id, { expand: EXPANDED }));
    } catch (error) {
      if (refusalOf(error)?.type !== "StripeInvalidRequestError") throw error;
      return (await this.intent(id)).seen;
    }
  }

  async setUpNamed(id: string): Promise<SetUp & BelongsTo> {
    const stripe = await this.#api();
    const intent = await stripe.setupIntents.retrieve(id, { expand: ["customer"] });
    const failed = intent.last_setup_error?.payment_method;
    return {
      ...setUpFrom(intent),
      brand_id: brandOf(intent.customer),
      stripe_payment_method_id: idOf(intent.payment_method) ?? idOf(failed),
    };
  }

  async mandate(id: string): Promise<{ stripe_payment_method_id: string; active: boolean }> {
    const stripe = await this.#api();
    const { payment_method, status } = await stripe.mandates.retrieve(id);
    return { stripe_payment_method_id: idOf(payment_method)!, active: status !== "inactive" };
  }

  async openAccount(creator_id: string): Promise<string> {
    const stripe = await this.#api();
    const account = await stripe.accounts.create(
      {
        type: "express",
        country: "US",
        business_type: "individual",
        capabilities: { transfers: { requested: true } },
        metadata: { creator_id },
      },
      { idempotencyKey: `acct:${creator_id}` },
    );
    return account.id;
  }

  async onboardingUrl(account: string, back: { return_url: string; refresh_url: string }): Promise<string> {
    const stripe = await this.#api();
    const { url } = await stripe.accountLinks.create({ account, type: "account_onboarding", ...back });
    return url;
  }

  async account(id: string): Promise<KnownAccount> {
    const stripe = await this.#api();
    return knownAccount(await stripe.accounts.retrieve(id));
  }

  async notice(
    raw: Buffer,
    signature: string | undefined,
    secret: string,
    now: string,
  ): Promise<Notice | null> {
    const stripe = await this.#api();
    let event: Stripe.Event;
    try {
      const received = Date.parse(now);
      event = stripe.webhooks.constructEvent(
        raw,
        signature ?? "",
        secret,
        TOLERANCE_SECONDS,
        undefined,
        received,
      );
    } catch (error) {
      if (refusalOf(error)?.type === "StripeSignatureVerificationError") return null;
      throw error;
    }
    return noticeFrom(event);
  }

  async told(since: string, before: string): Promise<Notice[]> {
    const stripe = await this.#api();
    const seconds = (instant: string) => Math.floor(Date.parse(instant) / 1000);
    const created = { gte: seconds(since), lt: seconds(before) };
    const found: Notice[] = [];
    for await (const event of stripe.events.list({ created, limit: 100 })) found.push(noticeFrom(event));
    return found.reverse();
  }
}
