import { QuietReport } from "@tributary/runtime/quiet-report";
import { Refusal } from "@tributary/runtime/refusal";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { z } from "zod";
import { answerNotFound } from "./errors.ts";
import { joinQuiet, type Round } from "./quiet.ts";
import { type Said, SERVICES, type ServiceName, type Upstreams } from "./upstream.ts";

/** What the gateway needs to say how the whole product is doing. */
export interface Whole {
  readonly upstreams: Upstreams;
  readonly ask: (service: ServiceName, path: string) => Promise<Said>;
  readonly own: () => Promise<readonly QuietReport[]>;
}

const LONGEST_WAIT_MS = 60_000;
const QuietQuery = z.strictObject({
  clock: z.coerce.number().int().min(0).optional(),
  wait: z.coerce.number().int().min(0).max(LONGEST_WAIT_MS).default(0),
});

/** From this machine itself: no forwarding proxy stands between, which would make everybody look near. */
function isNear({ headers, raw }: FastifyRequest): boolean {
  const address = raw.socket.remoteAddress ?? "";
  const loopback = address === "::1" || /^(::ffff:)?127\./.test(address);
  return loopback && headers["x-forwarded-for"] === undefined && headers.forwarded === undefined;
}

async function answers(whole: Whole, service: ServiceName): Promise<boolean> {
  try {
    return (await whole.ask(service, "/readyz")).status === 200;
  } catch (error) {
    if (error instanceof Refusal) return false;
    throw error;
  }
}

/** The reports of this process, and one of every process behind an address. */
async function round(whole: Whole): Promise<Round> {
  const remote = SERVICES.filter((name) => whole.upstreams[name].kind === "remote");
  const silent: string[] = [];
  const [own, ...theirs] = await Promise.all([
    whole.own(),
    ...remote.map(async (name) => {
      try {
        const { status, body } = await whole.ask(name, "/quiet");
        if (status === 200) return [QuietReport.parse(body)];
      } catch (error) {
        if (!(error instanceof Refusal)) throw error;
      }
      silent.push(name);
      return [];
    }),
  ]);
  return { reports: [own, ...theirs].flat(), silent };
}

/** Whether this process lives, whether all it needs is ready, and whether the whole product has come to rest. */
export function health(app: FastifyInstance, whole: Whole): void {
  app.get("/healthz", async () => ({ ok: true }));

  app.get("/readyz", async (_request, reply) => {
    const ready = Object.fromEntries(
      await Promise.all(SERVICES.map(async (name) => [name, await answers(whole, name)] as const)),
    );
    return reply.code(Object.values(ready).every(Boolean) ? 200 : 503).send({ ready });
  });

  app.get("/quiet", async (request, reply) => {
    if (!isNear(request)) return answerNotFound(request, reply);
    const query = QuietQuery.safeParse(request.query);
    if (!query.success)
      return reply.code(400).send({
        code: "invalid_input",
        message: z.prettifyError(query.error),
        request_id: request.id,
      });
    const { clock = null, wait } = query.data;
    return joinQuiet(() => round(whole), { clock, waitMs: wait });
  });
}
