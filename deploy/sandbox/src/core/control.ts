import type { FastifyInstance } from "fastify";
import { z } from "zod";
import { later } from "./duration.ts";
import { Fault } from "./faults.ts";
import { TimeStuck } from "./passage-of-time.ts";
import { check, controlRefusal, json, PartnerError } from "./strict.ts";
import type { World } from "./world.ts";

const Url = z.url();
const StripeEndpoint = z.strictObject({ url: Url, secret: z.string().startsWith("whsec_") });

const Endpoints = z.strictObject({
  stripe: StripeEndpoint.optional(),
  stripe_connect: StripeEndpoint.optional(),
  paypal: z.strictObject({ url: Url, webhook_id: z.string().min(1) }).optional(),
});

const Modes = z.strictObject({
  duplicate: z.int().min(1).max(20).optional(),
  shuffle: z.int().nullable().optional(),
  drop: z.array(z.string()).optional(),
  wrong_secret: z.boolean().optional(),
  stale_timestamp: z.boolean().optional(),
});

const Move = z.union([
  z.strictObject({ to: z.iso.datetime({ offset: true }) }),
  z.strictObject({ advance: z.string() }),
]);

const ClockQuery = z.strictObject({
  after: z.coerce.number().int().optional(),
  wait: z.coerce.number().int().min(0).max(60_000).optional(),
});

const Reset = z.strictObject({ seed: z.int().optional() });

/** Reads a JSON body of the control plane; an empty one counts as {}. */
export function controlBody<T>(schema: z.ZodType<T>, body: unknown): T {
  return check(schema, json(body || "{}", controlRefusal), controlRefusal);
}

/** The routes by which tests, the demo and the product's start drive the sandbox; never reachable through the gateway. */
export function controlPlane(app: FastifyInstance, world: World): void {
  const { clock, time, webhooks, faults, requests } = world;
  const clockNow = () => ({
    now: clock.now().toISOString(),
    revision: clock.revision,
    ticking: clock.ticking,
  });

  app.get("/_sandbox/health", async () => ({ ok: true, seed: world.store.seed, ...clockNow() }));

  app.get("/_sandbox/clock", async (request) => {
    const { after, wait } = check(ClockQuery, request.query, controlRefusal);
    if (after !== undefined) await clock.seenAfter(after, wait ?? 0);
    return clockNow();
  });

  app.post("/_sandbox/clock", async (request) => {
    const move = controlBody(Move, request.body);
    const target = "to" in move ? new Date(move.to) : later(clock.now(), move.advance);
    try {
      const moments = await time.advance(target);
      return { ...clockNow(), moments };
    } catch (error) {
      if (!(error instanceof TimeStuck)) throw error;
      throw new PartnerError(error.status, { error: error.message, waiting: error.waiting });
    }
  });

  app.put("/_sandbox/clock/quiet", async (request) => {
    const { url } = controlBody(z.strictObject({ url: Url.nullable() }), request.body);
    world.set({ quiet_url: url });
    return { url };
  });

  app.put("/_sandbox/public-origin", async (request) => {
    const { url } = controlBody(z.strictObject({ url: Url.nullable() }), request.body);
    const origin = url === null ? null : new URL(url).origin;
    world.set({ public_origin: origin });
    return { url: origin };
  });

  app.get("/_sandbox/webhooks", async () => ({ endpoints: webhooks.endpoints(), modes: webhooks.modes() }));
  app.put("/_sandbox/webhooks", async (request) => {
    webhooks.setEndpoints(controlBody(Endpoints, request.body));
    return webhooks.endpoints();
  });
  app.put("/_sandbox/webhooks/modes", async (request) => {
    webhooks.setModes(controlBody(Modes, request.body));
    return webhooks.modes();
  });
  app.get("/_sandbox/deliveries", async () => ({ deliveries: webhooks.deliveries() }));
  app.post<{ Params: { id: string } }>("/_sandbox/deliveries/:id/redeliver", async ({ params }) => {
    if (!webhooks.redeliver(params.id)) throw new PartnerError(404, { error: `No delivery ${params.id}` });
    await time.settleDue();
    return webhooks.deliveries().find(({ id }) => id === params.id);
  });

  app.post("/_sandbox/faults", async (request) => faults.add(controlBody(Fault, request.body)));
  app.get("/_sandbox/faults", async () => ({ faults: faults.list() }));
  app.delete("/_sandbox/faults", async () => {
    faults.clear();
    return { faults: [] };
  });

  app.get("/_sandbox/journal", async (request) => {
    const filter = check(
      z.strictObject({ partner: z.string().optional(), path: z.string().optional() }),
      request.query,
      controlRefusal,
    );
    return { counts: requests.counts(), requests: requests.list(filter) };
  });

  app.post("/_sandbox/reset", async (request) => {
    world.reset(controlBody(Reset, request.body).seed);
    return clockNow();
  });
}
