import type { FastifyInstance } from "fastify";
import { invalid, missing } from "./errors.ts";
import { page } from "./lists.ts";
import type { WebhookEndpoint } from "./objects.ts";
import { flag, hash, list as listOf, merged, metadata, paging, text } from "./params.ts";
import { route } from "./route.ts";
import type { Unit } from "./unit.ts";

const EVENT_NAME = /^(\*|[a-z_]+(\.[a-z_]+)+)$/;

function checkEvents(names: string[]): string[] {
  const wrong = names.find((name) => !EVENT_NAME.test(name));
  if (wrong !== undefined || names.length === 0)
    throw invalid(`Invalid enabled_events: ${wrong ?? "at least one is needed"}`, {
      param: "enabled_events",
    });
  return names;
}

function checkUrl(url: string): string {
  if (!URL.canParse(url))
    throw invalid("Invalid URL: An explicit scheme (such as https) must be provided.", {
      code: "url_invalid",
      param: "url",
    });
  return url;
}

function endpointNamed(unit: Unit, id: string): WebhookEndpoint {
  const endpoint = unit.find("webhook_endpoint", id);
  if (!endpoint) throw missing("webhook endpoint", id, "id", 404);
  return endpoint;
}

/** The endpoint as it is shown after its creation: the secret is told once only. */
function withoutSecret({ secret: _, ...endpoint }: WebhookEndpoint): WebhookEndpoint {
  return endpoint;
}

/** From now on the sandbox delivers there: the platform's own events, or those of connected accounts. */
async function deliverThere(
  app: FastifyInstance,
  { application, secret, url }: Record<string, unknown>,
): Promise<void> {
  const target = application === null ? "stripe" : "stripe_connect";
  const payload = JSON.stringify({ [target]: { url, secret } });
  const headers = { "content-type": "application/json" };
  const { statusCode, body } = await app.inject({
    method: "PUT",
    url: "/_sandbox/webhooks",
    payload,
    headers,
  });
  if (statusCode !== 200) throw new Error(`the sandbox cannot deliver webhooks to ${String(url)}: ${body}`);
}

const create = route(
  "POST /v1/webhook_endpoints",
  hash({
    api_version: text().optional(),
    connect: flag().optional(),
    description: text().optional(),
    enabled_events: listOf(text()),
    metadata: metadata().optional(),
    url: text(),
  }),
  ({ unit, params }) =>
    unit.put({
      id: unit.id("we_"),
      object: "webhook_endpoint" as const,
      api_version: params.api_version ?? null,
      application: params.connect ? "ca_sandbox" : null,
      created: unit.created,
      description: params.description ?? null,
      enabled_events: checkEvents(params.enabled_events),
      livemode: false as const,
      metadata: merged({}, params.metadata),
      secret: unit.id("whsec_", 32),
      status: "enabled" as const,
      url: checkUrl(params.url),
    }),
  { after: deliverThere },
);

const retrieve = route("GET /v1/webhook_endpoints/:id", hash({}), ({ unit, path }) =>
  withoutSecret(endpointNamed(unit, path.id!)),
);

const update = route(
  "POST /v1/webhook_endpoints/:id",
  hash({
    description: text().optional(),
    disabled: flag().optional(),
    enabled_events: listOf(text()).optional(),
    metadata: metadata().optional(),
  }),
  ({ unit, path, params }) => {
    const endpoint = endpointNamed(unit, path.id!);
    const changed: WebhookEndpoint = {
      ...endpoint,
      description: params.description ?? endpoint.description,
      enabled_events: params.enabled_events ? checkEvents(params.enabled_events) : endpoint.enabled_events,
      metadata: merged(endpoint.metadata, params.metadata),
      status: params.disabled === undefined ? endpoint.status : params.disabled ? "disabled" : "enabled",
    };
    return withoutSecret(unit.put(changed));
  },
);

const list = route("GET /v1/webhook_endpoints", hash(paging), ({ unit, params }) =>
  page("/v1/webhook_endpoints", unit.all("webhook_endpoint").map(withoutSecret), params),
);

/** Where Stripe sends events; the sandbox delivers to one endpoint for the platform's and one for connected accounts' events. */
export const webhookEndpoints = [create, list, retrieve, update];
