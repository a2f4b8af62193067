import { formatCents } from "@tributary/contracts/money";
import type { Clock } from "@tributary/runtime/ports/clock";
import type { Network } from "@tributary/runtime/ports/network";
import { Batch, Notice, originalBatch, Refused, seenItem, Token } from "./answers.ts";
import type { PayoutOrder, PaypalNotice, PaypalPartner, SeenItem, Submitted } from "./partner.ts";
import { certificateAddress, signedBy } from "./signature.ts";

interface Access {
  readonly PAYPAL_API_URL: string;
  readonly PAYPAL_CLIENT_ID: string;
  readonly PAYPAL_CLIENT_SECRET: string;
  readonly PAYPAL_WEBHOOK_ID: string;
  readonly PAYPAL_CERT_HOSTS: string;
}

/** A token is renewed a minute before it ends. */
const MARGIN_MS = 60_000;

const said = (status: number, text: string): string => `PayPal answered ${status}: ${text.slice(0, 300)}`;

/** PayPal's Payouts API, for which there is no maintained library. */
export class LivePaypal implements PaypalPartner {
  #token: Promise<{ text: string; until: number }> | undefined;
  #certificates = new Map<string, Promise<string>>();

  constructor(
    readonly access: Access,
    readonly network: Network,
    readonly clock: Clock,
  ) {}

  async submit(order: PayoutOrder): Promise<Submitted> {
    const answered = await this.#call("POST", "/v1/payments/payouts", {
      sender_batch_header: {
        sender_batch_id: order.sender_batch_id,
        email_subject: "Your affiliate earnings",
        email_message: order.note,
      },
      items: [
        {
          recipient_type: order.wallet === "VENMO" ? "USER_HANDLE" : "EMAIL",
          recipient_wallet: order.wallet,
          amount: { currency: "USD", value: formatCents(order.amount_cents) },
          receiver: order.receiver,
          sender_item_id: order.sender_item_id,
          note: order.note,
        },
      ],
    });
    if (answered.status < 300) {
      return {
        status: "submitted",
        payout_batch_id: Batch.parse(answered.json).batch_header.payout_batch_id,
      };
    }
    const refused = Refused.safeParse(answered.json);
    if (!refused.success || answered.status >= 500 || answered.status === 429)
      throw new Error(said(answered.status, answered.text));
    const original = originalBatch(refused.data);
    if (original) return { status: "submitted", payout_batch_id: original };
    const { name: reason } = refused.data;
    return reason === "INSUFFICIENT_FUNDS" ? { status: "short", reason } : { status: "refused", reason };
  }

  async items(payout_batch_id: string): Promise<SeenItem[]> {
    const { items } = Batch.parse(
      await this.#get(`/v1/payments/payouts/${encodeURIComponent(payout_batch_id)}`),
    );
    return items.map(seenItem);
  }

  async item(payout_item_id: string): Promise<SeenItem> {
    return seenItem(await this.#get(`/v1/payments/payouts-item/${encodeURIComponent(payout_item_id)}`));
  }

  async takeBack(payout_item_id: string): Promise<SeenItem> {
    const path = `/v1/payments/payouts-item/${encodeURIComponent(payout_item_id)}`;
    const { status, text } = await this.#call("POST", `${path}/cancel`);
    const isOver = status === 400 || status === 422;
    if (status >= 300 && !isOver) throw new Error(said(status, text));
    return this.item(payout_item_id);
  }

  async notice(
    raw: Buffer,
    headers: Readonly<Record<string, string | undefined>>,
  ): Promise<PaypalNotice | null> {
    const hosts = this.access.PAYPAL_CERT_HOSTS.split(",").map((host) => host.trim());
    const address = certificateAddress(headers["paypal-cert-url"], hosts);
    if (!address) return null;
    const certificate = await this.#certificate(address.href);
    if (!signedBy(certificate, raw, headers, this.access.PAYPAL_WEBHOOK_ID)) return null;
    const { id, event_type, resource } = Notice.parse(JSON.parse(raw.toString("utf8")));
    return {
      paypal_event_id: id,
      event_type,
      payout_item_id: resource.payout_item_id ?? null,
      payout_batch_id: resource.payout_batch_id ?? resource.batch_header?.payout_batch_id ?? null,
    };
  }

  #certificate(address: string): Promise<string> {
    const kept = this.#certificates.get(address);
    if (kept) return kept;
    const asked = this.network(address).then(async (answer) => {
      if (!answer.ok) throw new Error(said(answer.status, "no certificate"));
      return answer.text();
    });
    asked.catch(() => this.#certificates.delete(address));
    this.#certificates.set(address, asked);
    return asked;
  }

  async #get(path: string): Promise<unknown> {
    const { status, json, text } = await this.#call("GET", path);
    if (status >= 300) throw new Error(said(status, text));
    return json;
  }

  async #call(method: "GET" | "POST", path: string, body?: unknown) {
    const first = await this.#send(method, path, body);
    if (first.status !== 401) return first;
    this.#token = undefined;
    return this.#send(method, path, body);
  }

  async #send(method: "GET" | "POST", path: string, body?: unknown) {
    const answer = await this.network(`${this.access.PAYPAL_API_URL}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${await this.#bearer()}`,
        ...(body ? { "content-type": "application/json" } : {}),
      },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    const text = await answer.text();
    return { status: answer.status, text, json: parsed(text) };
  }

  async #bearer(): Promise<string> {
    const kept = await this.#token;
    if (kept && kept.until > Date.parse(this.clock.now())) return kept.text;
    const asked = this.#ask();
    asked.catch(() => {
      this.#token = undefined;
    });
    this.#token = asked;
    return (await asked).text;
  }

  async #ask(): Promise<{ text: string; until: number }> {
    const { PAYPAL_API_URL, PAYPAL_CLIENT_ID, PAYPAL_CLIENT_SECRET } = this.access;
    const basic = Buffer.from(`${PAYPAL_CLIENT_ID}:${PAYPAL_CLIENT_SECRET}`).toString("base64");
    const answer = await this.network(`${PAYPAL_API_URL}/v1/oauth2/token`, {
      method: "POST",
      headers: { authorization: `Basic ${basic}`, "content-type": "application/x-www-form-urlencoded" },
      body: "grant_type=client_credentials",
    });
    if (!answer.ok) throw new Error(said(answer.status, "no token"));
    const { access_token, expires_in } = Token.parse(await answer.json());
    return { text: access_token, until: Date.parse(this.clock.now()) + expires_in * 1000 - MARGIN_MS };
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}
