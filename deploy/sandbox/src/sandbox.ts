import Fastify, { type FastifyInstance, type FastifyReply } from "fastify";
import type { ClockStart } from "./core/clock.ts";
import { controlPlane } from "./core/control.ts";
import { intercept } from "./core/intercept.ts";
import type { AnyPartner } from "./core/partner.ts";
import { PartnerError } from "./core/strict.ts";
import { World } from "./core/world.ts";
import { partners as everyone } from "./partners.ts";

/** How a sandbox starts; `directory` holds its journal file, `port` 0 takes any free one. */
export interface SandboxOptions {
  directory: string;
  port?: number;
  seed?: number;
  clock?: ClockStart;
  partners?: AnyPartner[];
}

/** A running sandbox. */
export interface RunningSandbox {
  url: string;
  app: FastifyInstance;
  close(): Promise<void>;
}

/** An error's body: a page where the partner answers with pages, JSON otherwise. */
function answer(reply: FastifyReply, status: number, body: unknown): FastifyReply {
  const isText = typeof body === "string";
  return reply
    .code(status)
    .type(isText ? "text/html; charset=utf-8" : "application/json; charset=utf-8")
    .send(isText ? body : JSON.stringify(body));
}

/** Plays all partners on one port of 127.0.0.1; answers when it is listening. */
export async function startSandbox(options: SandboxOptions): Promise<RunningSandbox> {
  const world = new World({
    directory: options.directory,
    seed: options.seed ?? 1,
    clock: options.clock ?? "ticking",
    partners: options.partners ?? everyone,
  });
  const app = Fastify({
    forceCloseConnections: true,
    bodyLimit: 16 * 1024 * 1024,
    routerOptions: { maxParamLength: 2000, ignoreTrailingSlash: true },
  });
  // Partners judge the body themselves, in their own words, and signatures need the exact bytes.
  app.removeAllContentTypeParsers();
  app.addContentTypeParser("*", { parseAs: "string" }, (_request, body, done) => done(null, body));

  app.setErrorHandler((error, request, reply) => {
    if (error instanceof PartnerError) return answer(reply.headers(error.headers), error.status, error.body);
    process.stderr.write(
      `sandbox: ${request.method} ${request.url}: ${(error as Error).stack ?? String(error)}\n`,
    );
    const text = "The sandbox itself failed; its stderr says why";
    return answer(
      reply,
      500,
      world.ownerOf(request.url)?.errorBody?.(500, text, request.url) ?? { error: text },
    );
  });
  app.setNotFoundHandler((request, reply) => {
    const text = `Unrecognized request URL (${request.method}: ${request.url.split("?")[0]})`;
    return answer(
      reply,
      404,
      world.ownerOf(request.url)?.errorBody?.(404, text, request.url) ?? { error: text },
    );
  });

  intercept(app, world);
  controlPlane(app, world);
  for (const { partner, ctx } of world.playing)
    app.register(async (scope) => {
      partner.routes(scope, ctx);
    });
  const url = await app.listen({ host: "127.0.0.1", port: options.port ?? 0 });
  world.begin(url);
  return {
    url,
    app,
    async close() {
      world.time.close();
      world.clock.wake();
      await app.close();
      world.close();
    },
  };
}
