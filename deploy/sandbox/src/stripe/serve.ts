import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Context } from "../core/partner.ts";
import { accountOf, admit, checkHeaders } from "./access.ts";
import { type ErrorBody, invalid, StripeError } from "./errors.ts";
import { shown } from "./expand.ts";
import { type Form, MalformedName, readForm } from "./form.ts";
import { fingerprintOf, type KeysInUse, keptFor, keyOf } from "./idempotency.ts";
import { readParams } from "./params.ts";
import type { Route } from "./route.ts";
import type { Change, State } from "./state.ts";
import { API_VERSION, type Cause, Unit } from "./unit.ts";

interface Answer {
  status: number;
  body: string;
}

/** Stripe's envelope around an error. */
export function envelope(error: ErrorBody, requestId: string): string {
  const doc = error.code
    ? { doc_url: `https://stripe.com/docs/error-codes/${error.code.replaceAll("_", "-")}` }
    : {};
  const log = { request_log_url: `https://dashboard.stripe.com/test/workbench/logs?object=${requestId}` };
  return JSON.stringify({ error: { ...error, ...doc, ...log } }, null, 2);
}

function pathOf(request: FastifyRequest): string {
  return request.url.split("?")[0]!;
}

/** Binds the answer to the request's idempotency key, if it has one. */
function keep(unit: Unit, path: string, answer: Answer, sentBody: string): void {
  if (!unit.cause?.idempotency_key) return;
  const { id, idempotency_key } = unit.cause;
  const fingerprint = fingerprintOf(path, sentBody);
  const at = unit.now.toISOString();
  unit.put({ object: "kept_answer", id: idempotency_key, at, path, fingerprint, request_id: id, ...answer });
}

function sent(request: FastifyRequest, body: string): Form {
  try {
    const query = readForm(request.url.split("?")[1] ?? "");
    return { ...query, ...readForm(body) };
  } catch (error) {
    if (error instanceof MalformedName) throw invalid(error.message, { param: error.param });
    throw error;
  }
}

function expandsOf(expand: Form[string] = []): string[] {
  if (!Array.isArray(expand) || expand.some((path) => typeof path !== "string"))
    throw invalid("Invalid array (expand)", { code: "parameter_invalid_array", param: "expand" });
  return expand as string[];
}

/** Serves one declared route with everything Stripe does around every call: key, headers, parameters, idempotency, errors. */
export function serve(
  app: FastifyInstance,
  ctx: Context<State, Change>,
  inUse: KeysInUse,
  route: Route,
): void {
  function perform(request: FastifyRequest, body: string, cause: Cause, publishable: boolean): Answer {
    const unit = new Unit(ctx, cause);
    const answer = (status: number, text: string): Answer => {
      keep(unit, pathOf(request), { status, body: text }, body);
      unit.commit();
      return { status, body: text };
    };
    try {
      const account = accountOf(request.headers, route, ctx.state);
      const { expand, ...form } = sent(request, body);
      const expands = expandsOf(expand);
      const params = readParams(route.params, form) as never;
      const path = request.params as Record<string, string>;
      const done = route.act({ unit, params, path, account, publishable });
      return answer(200, JSON.stringify(shown(unit, done, expands), null, 2));
    } catch (error) {
      if (!(error instanceof StripeError) || !error.keeps) throw error;
      return answer(error.status, envelope(error.body, cause.id));
    }
  }

  function handle(request: FastifyRequest, reply: FastifyReply, id: string): Answer {
    const body = typeof request.body === "string" ? request.body : "";
    const publishable = admit(request.headers, route);
    checkHeaders(request.headers, route.method, body);
    const key = route.method === "POST" ? keyOf(request.headers["idempotency-key"]) : null;
    if (key === null) return perform(request, body, { id, idempotency_key: null }, publishable);
    reply.header("idempotency-key", key);
    reply.raw.once("close", inUse.take(key));
    const path = pathOf(request);
    const asked = { path, fingerprint: fingerprintOf(path, body), now: ctx.now() };
    const kept = keptFor(ctx.state.objects.kept_answer.get(key), asked);
    if (!kept) return perform(request, body, { id, idempotency_key: key }, publishable);
    reply.header("idempotent-replayed", "true").header("original-request", kept.request_id);
    return kept;
  }

  app.route({
    method: route.method,
    url: route.path,
    async handler(request, reply) {
      const id = ctx.id("req_", 14);
      const version = String(request.headers["stripe-version"] ?? API_VERSION);
      reply.headers({ "request-id": id, "stripe-version": version, "content-type": "application/json" });
      try {
        const { status, body } = handle(request, reply, id);
        if (status === 200) await route.after?.(app, JSON.parse(body));
        return reply.code(status).send(body);
      } catch (error) {
        if (!(error instanceof StripeError)) throw error;
        return reply.code(error.status).send(envelope(error.body, id));
      }
    },
  });
}
