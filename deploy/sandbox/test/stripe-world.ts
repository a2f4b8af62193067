import { mkdtempSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Stripe from "stripe";
import { type RunningSandbox, startSandbox } from "../src/sandbox.ts";
import { stripe as played } from "../src/stripe/stripe.ts";

/** What a test of the played Stripe needs: the genuine SDK, the control plane, and a receiver of webhooks. */
export interface StripeWorld {
  stripe: Stripe;
  running: RunningSandbox;
  control(
    method: string,
    path: string,
    body?: unknown,
  ): Promise<{ status: number; body: Record<string, never> }>;
  raw(
    path: string,
    init?: RequestInit,
  ): Promise<{ status: number; headers: Headers; error: Record<string, unknown> }>;
  advance(duration: string): Promise<void>;
  heard: { type: string; body: string; signature: string; path: string }[];
  listenToWebhooks(): Promise<void>;
  close(): Promise<void>;
}

/** Starts a sandbox that plays Stripe alone, its clock stopped at `now`. */
export async function stripeWorld(
  now = "2026-02-03T08:05:00.000Z",
  directory = mkdtempSync(join(tmpdir(), "stripe-")),
): Promise<StripeWorld> {
  const running = await startSandbox({ directory, clock: now, partners: [played] });
  const { port } = new URL(running.url);
  const stripe = new Stripe("sk_test_sandbox", {
    host: "127.0.0.1",
    port: Number(port),
    protocol: "http",
    telemetry: false,
    maxNetworkRetries: 0,
  });
  const heard: StripeWorld["heard"] = [];
  const server = createServer((request, reply) => {
    let body = "";
    request.on("data", (part) => {
      body += part;
    });
    request.on("end", () => {
      const signature = String(request.headers["stripe-signature"]);
      heard.push({ type: JSON.parse(body).type, body, signature, path: request.url! });
      reply.end();
    });
  });
  async function control(method: string, path: string, body?: unknown) {
    const answer = await fetch(`${running.url}${path}`, {
      method,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return { status: answer.status, body: await answer.json() };
  }
  return {
    stripe,
    running,
    heard,
    control,
    async raw(path, init = {}) {
      const headers = { authorization: "Bearer sk_test_sandbox", ...init.headers };
      const answer = await fetch(`${running.url}${path}`, { ...init, headers });
      const body = await answer.json();
      return { status: answer.status, headers: answer.headers, error: body.error };
    },
    async advance(duration) {
      const { status, body } = await control("POST", "/_sandbox/clock", { advance: duration });
      if (status !== 200) throw new Error(JSON.stringify(body));
    },
    async listenToWebhooks() {
      await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
      const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
      await control("PUT", "/_sandbox/webhooks", {
        stripe: { url: `${url}/platform`, secret: "whsec_platform" },
        stripe_connect: { url: `${url}/connect`, secret: "whsec_connect" },
      });
    },
    async close() {
      server.close();
      await running.close();
    },
  };
}

/** A brand with a card, or a verified bank account, that can be charged while it is away. */
export async function brandWith(stripe: Stripe, method: string) {
  const customer = await stripe.customers.create({
    email: "brand@example.com",
    metadata: { brand_id: "acme" },
  });
  const isBank = method.startsWith("pm_usBankAccount");
  const intent = await stripe.setupIntents.create({
    customer: customer.id,
    payment_method: method,
    allowed_payment_method_types: [isBank ? "us_bank_account" : "card"],
    usage: "off_session",
    confirm: true,
    ...(isBank
      ? {
          mandate_data: {
            customer_acceptance: { type: "online", online: { ip_address: "127.0.0.1", user_agent: "test" } },
          },
          payment_method_options: { us_bank_account: { verification_method: "instant" } },
        }
      : {}),
  });
  return { customer: customer.id, payment_method: String(intent.payment_method) };
}

/** A creator's express account that can be paid. */
export async function paidCreator({ stripe, control }: StripeWorld): Promise<string> {
  const { id } = await stripe.accounts.create({
    type: "express",
    country: "US",
    email: "ana@example.com",
    business_type: "individual",
    capabilities: { transfers: { requested: true } },
    metadata: { creator_id: "ana" },
  });
  await control("POST", `/_sandbox/stripe/accounts/${id}/complete`);
  return id;
}

/** The parameters of a charge of `amount` cents that leaves the creator `net`. */
export function charge(
  brand: { customer: string; payment_method: string },
  amount: number,
  to?: { destination: string; net: number },
): Stripe.PaymentIntentCreateParams {
  return {
    ...brand,
    amount,
    currency: "usd",
    allowed_payment_method_types: ["card", "us_bank_account"],
    confirm: true,
    off_session: true,
    metadata: { cycle_id: "2026-01", brand_id: "acme", ...(to ? { creator_id: "ana" } : {}) },
    ...(to
      ? { transfer_data: { destination: to.destination }, application_fee_amount: amount - to.net }
      : {}),
  };
}
