import type { FastifyInstance } from "fastify";
import { bodies, checkBody } from "./contract.ts";
import { PayPalError } from "./errors.ts";
import type { Webhook } from "./objects.ts";
import type { State } from "./state.ts";
import type { Work } from "./work.ts";

const KNOWN = new Set([
  "*",
  ...["DENIED", "PROCESSING", "SUCCESS"].map((name) => `PAYMENT.PAYOUTSBATCH.${name}`),
  ...[
    "BLOCKED",
    "CANCELED",
    "DENIED",
    "FAILED",
    "HELD",
    "REFUNDED",
    "RETURNED",
    "SUCCEEDED",
    "UNCLAIMED",
  ].map((name) => `PAYMENT.PAYOUTS-ITEM.${name}`),
]);

type Asked = Pick<Webhook, "event_types" | "url">;

function checked({ url, event_types }: Asked): Asked {
  if (!/^https?:$/.test(new URL(url).protocol))
    throw new PayPalError(400, "VALIDATION_ERROR", [
      { field: "url", location: "body", issue: "Not a valid webhook URL" },
    ]);
  const index = event_types.findIndex(({ name }) => !KNOWN.has(name));
  if (index >= 0 || event_types.length === 0)
    throw new PayPalError(400, "VALIDATION_ERROR", [
      { field: `event_types[${Math.max(index, 0)}].name`, location: "body", issue: "Not a valid event type" },
    ]);
  return { url, event_types: event_types.map(({ name }) => ({ name })) };
}

/** The webhook an address names. */
export function webhookNamed(work: Work, id: string): Webhook {
  const webhook = work.find("webhook", id);
  if (!webhook)
    throw new PayPalError(404, "INVALID_RESOURCE_ID", [
      { field: "webhook_id", location: "path", issue: "Not found" },
    ]);
  return webhook;
}

/** A webhook as PayPal shows it. */
export function shownWebhook(work: Work, { id, url, event_types }: Webhook) {
  const href = `${work.base()}/v1/notifications/webhooks/${id}`;
  const links = [
    { href, rel: "self", method: "GET" },
    { href, rel: "update", method: "PATCH" },
    { href, rel: "delete", method: "DELETE" },
  ];
  return { id, url, event_types, links };
}

/** Registers where events go. */
export function createWebhook(work: Work, state: State, text: unknown): Webhook {
  const asked = checked(checkBody<Asked>(bodies.createWebhook, text));
  if ([...state.rows.webhook.values()].some(({ url }) => url === asked.url))
    throw new PayPalError(400, "WEBHOOK_URL_ALREADY_EXISTS");
  return work.put({ kind: "webhook" as const, id: work.id(17), ...asked });
}

/** Changes the URL or the event types of a webhook; only `replace` is known, as with PayPal. */
export function patchWebhook(work: Work, id: string, text: unknown): Webhook {
  const patches = checkBody<{ op: string; path?: string; value?: unknown }[]>(bodies.patchWebhook, text);
  let { url, event_types } = webhookNamed(work, id);
  for (const [index, { op, path, value }] of patches.entries()) {
    if (op !== "replace" || (path !== "/url" && path !== "/event_types"))
      throw new PayPalError(400, "VALIDATION_ERROR", [
        { field: `[${index}].path`, location: "body", issue: "Only /url and /event_types can be replaced" },
      ]);
    const patched = JSON.stringify({ url, event_types, [path.slice(1)]: value });
    ({ url, event_types } = checked(checkBody<Asked>(bodies.createWebhook, patched)));
  }
  return work.put({ kind: "webhook", id, url, event_types });
}

/** From now on the sandbox delivers to this webhook. */
export async function deliverTo(app: FastifyInstance, url: string, webhook_id: string): Promise<void> {
  const { statusCode, body } = await app.inject({
    method: "PUT",
    url: "/_sandbox/webhooks",
    headers: { "content-type": "application/json" },
    payload: JSON.stringify({ paypal: { url, webhook_id } }),
  });
  if (statusCode !== 200) throw new Error(`the sandbox cannot deliver webhooks to ${url}: ${body}`);
}
