import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { FaultAction } from "./faults.ts";
import { PartnerError } from "./strict.ts";
import type { World } from "./world.ts";

const SUMMARY_CHARS = 2000;

function summary(body: unknown): string {
  if (typeof body !== "string") return "";
  return body.replace(/("(?:password|newPassword)"\s*:\s*)"[^"]*"/gi, '$1"***"').slice(0, SUMMARY_CHARS);
}

/** Writes every request to a partner into the request journal and lets the injected faults strike. */
export function intercept(app: FastifyInstance, world: World): void {
  const strikes = new WeakMap<FastifyRequest, FaultAction>();
  const path = (request: FastifyRequest) => request.url;

  function note(request: FastifyRequest, status: number | null): void {
    const owner = world.ownerOf(request.url);
    if (!owner || owner.name === "mail") return;
    const key = request.headers["idempotency-key"] ?? request.headers["paypal-request-id"] ?? null;
    const fault = strikes.get(request);
    world.requests.add({
      at: world.clock.now().toISOString(),
      partner: owner.name,
      method: request.method,
      path: path(request),
      status,
      idempotency_key: Array.isArray(key) ? (key[0] ?? null) : key,
      body: summary(request.body),
      fault: fault === undefined ? null : typeof fault === "string" ? fault : `status ${fault.status}`,
    });
  }

  app.addHook("preHandler", (request, reply, done) => {
    const owner = world.ownerOf(request.url);
    const action = owner ? world.faults.strike(owner.name, request.method, path(request)) : null;
    if (!owner || action === null) return done();
    strikes.set(request, action);
    if (action === "hang" || action === "reset_before") {
      note(request, null);
      reply.hijack();
      if (action === "reset_before") request.raw.socket.destroy();
      return;
    }
    if (typeof action === "object") {
      const text = `Injected fault ${action.status}`;
      const headers: Record<string, string> =
        action.retry_after === undefined ? {} : { "retry-after": String(action.retry_after) };
      return done(
        new PartnerError(
          action.status,
          owner.errorBody?.(action.status, text, request.url) ?? { error: text },
          headers,
        ),
      );
    }
    done();
  });

  app.addHook<unknown>("onSend", (request, reply: FastifyReply, payload, done) => {
    const action = strikes.get(request);
    if (action === "reset_after") {
      note(request, null);
      request.raw.socket.destroy();
      return;
    }
    if (action === "malformed_json") return done(null, `{"${String(payload).slice(1, 12)}`);
    if (action === "truncate") {
      const text = Buffer.from(String(payload ?? ""));
      note(request, null);
      reply.raw.writeHead(reply.statusCode, {
        "content-type": "application/json",
        "content-length": text.length,
      });
      reply.raw.write(text.subarray(0, Math.floor(text.length / 2)), () => request.raw.socket.destroy());
      return;
    }
    done(null, payload);
  });

  app.addHook("onResponse", (request, reply, done) => {
    const action = strikes.get(request);
    if (action !== "reset_after" && action !== "truncate") note(request, reply.statusCode);
    done();
  });
}
