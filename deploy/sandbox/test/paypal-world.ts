import { mkdtempSync } from "node:fs";
import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { paypal as played } from "../src/paypal/paypal.ts";
import { type RunningSandbox, startSandbox } from "../src/sandbox.ts";

/** One item as the played PayPal shows it. */
interface ShownItem {
  payout_item_id: string;
  transaction_status: string;
  payout_item: { receiver: string };
}

/** One flaw the played PayPal finds. */
interface Detail {
  field: string;
  location: string;
  link: [{ href: string }];
}

/** Whatever the played PayPal answers; each test looks at the members its answer has. */
interface Body {
  access_token: string;
  batch_header: { batch_status: string; payout_batch_id: string };
  debug_id: string;
  details: [Detail, ...Detail[]];
  error: string;
  event_types: { name: string }[];
  id: string;
  items: [ShownItem, ShownItem, ...ShownItem[]];
  links: { rel: string }[];
  name: string;
  paid: { status: string }[];
  status: string;
  total_items: number;
  total_pages: number;
  verification_status: string;
  webhooks: object[];
}

interface Answer {
  status: number;
  headers: Headers;
  body: Body;
}

/** What a test of the played PayPal needs: a client with a token, the control plane, a receiver of webhooks. */
export interface PayPalWorld {
  running: RunningSandbox;
  token: string;
  api(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>;
  control(method: string, path: string, body?: unknown): Promise<Answer>;
  advance(duration: string): Promise<void>;
  heard: { type: string; body: string; headers: IncomingHttpHeaders }[];
  receiver: string;
  close(): Promise<void>;
}

/** A fresh token of the client named in every test. */
export async function freshToken(url: string): Promise<string> {
  const answer = await fetch(`${url}/paypal/v1/oauth2/token`, {
    method: "POST",
    headers: {
      authorization: `Basic ${Buffer.from("client-of-tests:secret-of-tests").toString("base64")}`,
      "content-type": "application/x-www-form-urlencoded",
    },
    body: "grant_type=client_credentials",
  });
  const { access_token } = (await answer.json()) as { access_token: string };
  return access_token;
}

/** Starts a sandbox that plays PayPal alone, its clock stopped at `now`. */
export async function paypalWorld(
  now = "2026-02-03T08:05:00.000Z",
  directory = mkdtempSync(join(tmpdir(), "paypal-")),
): Promise<PayPalWorld> {
  const running = await startSandbox({ directory, clock: now, partners: [played] });
  const heard: PayPalWorld["heard"] = [];
  const server = createServer((request, reply) => {
    let body = "";
    request.on("data", (part) => {
      body += part;
    });
    request.on("end", () => {
      heard.push({ type: JSON.parse(body).event_type, body, headers: request.headers });
      reply.end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const token = await freshToken(running.url);

  async function ask(
    method: string,
    path: string,
    body: unknown,
    headers: Record<string, string>,
  ): Promise<Answer> {
    const text = typeof body === "string" ? body : JSON.stringify(body);
    const answer = await fetch(`${running.url}${path}`, {
      method,
      headers,
      ...(body === undefined ? {} : { body: text }),
    });
    const answered = await answer.text();
    return { status: answer.status, headers: answer.headers, body: answered ? JSON.parse(answered) : null };
  }
  const control = (method: string, path: string, body?: unknown) => ask(method, path, body, {});
  return {
    running,
    token,
    heard,
    receiver: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    api: (method, path, body, headers = {}) =>
      ask(method, `/paypal${path}`, body, {
        authorization: `Bearer ${token}`,
        ...(body === undefined ? {} : { "content-type": "application/json" }),
        ...headers,
      }),
    control,
    async advance(duration) {
      const { status, body } = await control("POST", "/_sandbox/clock", { advance: duration });
      if (status !== 200) throw new Error(JSON.stringify(body));
    },
    async close() {
      server.close();
      await running.close();
    },
  };
}

/** One payment of a payout, by e-mail unless told otherwise. */
export function item(receiver: string, value: string, more: Record<string, unknown> = {}) {
  return {
    recipient_type: "EMAIL",
    amount: { currency: "USD", value },
    receiver,
    sender_item_id: `item-${receiver}`.slice(0, 63),
    ...more,
  };
}

/** A payout of the items under the sender's own id. */
export function payout(sender_batch_id: string, ...items: object[]) {
  return { sender_batch_header: { sender_batch_id, email_subject: "You have been paid" }, items };
}
