import type { FastifyInstance } from "fastify";
import type { z } from "zod";
import type { Context } from "../core/partner.ts";
import { certificateOf } from "./certificate.ts";
import { bodies, checkBody } from "./contract.ts";
import { PayPalError } from "./errors.ts";
import { cancelItem, createPayout, itemNamed, showBatch } from "./payouts.ts";
import { listWebhooks, nothing, showPayout } from "./query.ts";
import { rawMember } from "./raw-member.ts";
import { shownItem } from "./shown.ts";
import { ALGORITHM, certificateUrl, isGenuine } from "./signature.ts";
import type { Change, State } from "./state.ts";
import { createWebhook, deliverTo, patchWebhook, shownWebhook, webhookNamed } from "./webhooks.ts";
import type { Work } from "./work.ts";

/** What an act is given: its unit of work, the id in the address, the body as it came, the checked query. */
interface Asked<Q> {
  work: Work;
  ctx: Context<State, Change>;
  app: FastifyInstance;
  id: string;
  body: unknown;
  query: Q;
}

/** One address of PayPal's API: what it takes, what it answers with, what it does. */
export interface Address {
  method: "DELETE" | "GET" | "PATCH" | "POST";
  path: string;
  query: z.ZodType;
  status: number;
  act(asked: Asked<never>): unknown;
}

function address<S extends z.ZodType>(
  where: `${Address["method"]} /v1/${string}`,
  status: number,
  query: S,
  act: (asked: Asked<z.output<S>>) => unknown,
): Address {
  const [method, path] = where.split(" ") as [Address["method"], string];
  return { method, path, query, status, act: act as Address["act"] };
}

/** A body where none belongs. */
function refuseBody(body: unknown): void {
  if (typeof body === "string" && body !== "" && body.trim() !== "{}")
    throw new PayPalError(400, "VALIDATION_ERROR", [
      { location: "body", issue: "This request takes no body" },
    ]);
}

interface Verification {
  auth_algo: string;
  cert_url: string;
  transmission_id: string;
  transmission_sig: string;
  transmission_time: string;
  webhook_id: string;
}

async function verify({ ctx, body }: Asked<unknown>) {
  const asked = checkBody<Verification>(bodies.verifySignature, body);
  const certificate = await certificateOf(ctx);
  const isOurs =
    asked.auth_algo === ALGORITHM && asked.cert_url === certificateUrl(ctx.origin(), certificate);
  const event = rawMember(String(body), "webhook_event")!;
  const verified = isOurs && isGenuine({ ...asked, body: event }, certificate);
  return { verification_status: verified ? "SUCCESS" : "FAILURE" };
}

const payouts = [
  address("POST /v1/payments/payouts", 201, nothing, ({ work, ctx, body }) =>
    createPayout(work, ctx.state, body),
  ),
  address("GET /v1/payments/payouts/:id", 200, showPayout, ({ work, id, query }) =>
    showBatch(work, id, query),
  ),
  address("GET /v1/payments/payouts-item/:id", 200, nothing, ({ work, id }) =>
    shownItem(work, itemNamed(work, id)),
  ),
  address("POST /v1/payments/payouts-item/:id/cancel", 200, nothing, ({ work, id, body }) => {
    refuseBody(body);
    return cancelItem(work, id);
  }),
];

const webhooks = [
  address("POST /v1/notifications/webhooks", 201, nothing, async ({ work, ctx, app, body }) => {
    const webhook = createWebhook(work, ctx.state, body);
    await deliverTo(app, webhook.url, webhook.id);
    return shownWebhook(work, webhook);
  }),
  address("GET /v1/notifications/webhooks", 200, listWebhooks, ({ work, ctx }) => ({
    webhooks: [...ctx.state.rows.webhook.values()].map((webhook) => shownWebhook(work, webhook)),
  })),
  address("GET /v1/notifications/webhooks/:id", 200, nothing, ({ work, id }) =>
    shownWebhook(work, webhookNamed(work, id)),
  ),
  address("PATCH /v1/notifications/webhooks/:id", 200, nothing, async ({ work, app, id, body }) => {
    const webhook = patchWebhook(work, id, body);
    await deliverTo(app, webhook.url, id);
    return shownWebhook(work, webhook);
  }),
  address("DELETE /v1/notifications/webhooks/:id", 204, nothing, async ({ work, ctx, app, id }) => {
    work.drop("webhook", webhookNamed(work, id).id);
    await deliverTo(app, `${ctx.origin()}/paypal/deleted-webhook`, id);
  }),
  address("GET /v1/notifications/webhooks/:id/event-types", 200, nothing, ({ work, id }) => ({
    event_types: webhookNamed(work, id).event_types,
  })),
  address("GET /v1/notifications/webhooks-events/:id", 200, nothing, ({ work, id }) => {
    const told = work.find("told", id);
    if (!told)
      throw new PayPalError(404, "INVALID_RESOURCE_ID", [
        { field: "event_id", location: "path", issue: "Not found" },
      ]);
    return JSON.parse(told.body);
  }),
  address("POST /v1/notifications/verify-webhook-signature", 200, nothing, verify),
];

/** Every address of PayPal's that the sandbox plays, below /paypal, but the token's and the certificates'. */
export const addresses: Address[] = [...payouts, ...webhooks];
