import { randomBytes } from "node:crypto";
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from "fastify";
import type { z } from "zod";
import type { Positions } from "../act.ts";
import type { Acting } from "../acting.ts";
import { admits, type Caller, type Role } from "../caller.ts";
import type { Command } from "../command.ts";
import type { FastRoute, Opening } from "../fast-route.ts";
import type { Logger } from "../logs.ts";
import type { QuietReport } from "../quiet-report.ts";
import type { Documents, Filter } from "../read-models/documents.ts";
import type { ReadModel, ReadRoute } from "../read-models/read-model.ts";
import { Refusal, tryLater } from "../refusal.ts";
import type { Answer, Route } from "../route.ts";
import { answerErrors, invalid, refuseUnstorable } from "./errors.ts";
import { INTERNAL_TOKEN_HEADER, readCaller } from "./internal-token.ts";
import { AFTER_HEADER, BEHIND_HEADER, POSITION_HEADER, readPositions, writePositions } from "./positions.ts";

const BODY_LIMIT = 1_048_576;

/** What the web face of a service needs of it. */
export interface Face {
  readonly name: string;
  readonly internalKey: string;
  readonly logger: Logger;
  readonly commands: readonly Command[];
  readonly readModels: readonly ReadModel<never>[];
  readonly routes: readonly (Route | FastRoute)[];
  readonly command: (
    command: Command,
    asked: {
      input: Record<string, unknown>;
      caller: Caller;
      requestId: string;
      idempotencyKey: string | null;
      positions: Positions;
    },
  ) => Promise<{ status: number; body: unknown; replayed: boolean }>;
  readonly acting: (caller: Caller | null, requestId: string, positions: Positions) => Acting;
  readonly opening: (name: string) => Opening;
  readonly documents: (model: string) => Documents<unknown>;
  readonly now: () => string;
  /** Told to whoever joins the reports of several processes; the gateway never forwards the question. */
  readonly quiet: () => Promise<QuietReport>;
  /** Waits until everything at or before these positions is shown; false after its bound. */
  readonly shows: (positions: Positions) => Promise<boolean>;
}

/** Ids for requests that bring none of the gateway's own: unlike any other process's, and next to free. */
function requestIds(): () => string {
  const begun = randomBytes(9).toString("base64url");
  let count = 0;
  return () => `${begun}-${++count}`;
}

const rolesOf = (as: Role | readonly Role[]): readonly Role[] => (typeof as === "string" ? [as] : as);

function split(route: string): { method: string; url: string } {
  const match = /^(GET|POST|PUT|PATCH|DELETE) (\/\S*)$/.exec(route);
  if (!match) throw new Error(`"${route}" is no route`);
  return { method: match[1]!, url: match[2]! };
}

function parse<S extends z.ZodObject>(schema: S, given: Record<string, unknown>): z.output<S> {
  const parsed = schema.strict().safeParse(given);
  if (!parsed.success) throw invalid(parsed.error);
  return parsed.data as z.output<S>;
}

/** Repeated query parameters stay lists; the body may not contradict the path. */
function inputOf(request: FastifyRequest): Record<string, unknown> {
  const { params, query, body } = request as { params: object; query: object; body: unknown };
  if (body !== undefined && body !== null && (typeof body !== "object" || Array.isArray(body))) {
    throw new Refusal(400, "invalid_input", "The body must be a JSON object", [
      { field: "body", message: "must be a JSON object" },
    ]);
  }
  const given = request.method === "GET" || request.method === "DELETE" ? query : {};
  const input = { ...given, ...(body as object | null), ...params };
  refuseUnstorable(input);
  return input;
}

/**
 * Mounts a service's routes. Every route says who may come in, or the service doesn't start; owners are compared here, so that a
 * handler can't forget; nothing but the gateway's token says who is asking.
 */
export async function face(options: Face): Promise<FastifyInstance> {
  const { name, internalKey, logger, shows } = options;
  const app = Fastify({
    loggerInstance: undefined,
    logger: false,
    bodyLimit: BODY_LIMIT,
    genReqId: requestIds(),
    routerOptions: { maxParamLength: 500 },
  });
  answerErrors(app, logger);
  app.get("/healthz", async () => ({ ok: true }));
  app.get("/readyz", async () => ({ ready: true }));
  app.get("/quiet", async () => options.quiet());
  for (const one of options.routes) if (one.kind === "fast-route") await mountFast(app, one, options);

  await app.register(async (slow) => {
    slow.addContentTypeParser(
      "application/x-www-form-urlencoded",
      { parseAs: "string" },
      (_request, body, done) => {
        done(null, Object.fromEntries(new URLSearchParams(body as string)));
      },
    );
    slow.decorateRequest("caller", null);
    slow.decorateRequest("positions", null as unknown as Positions);
    slow.addHook("onRequest", async (request) => {
      const token = request.headers[INTERNAL_TOKEN_HEADER];
      const caller = readCaller(internalKey, name, Array.isArray(token) ? token[0] : token);
      if (caller === undefined) throw new Refusal(401, "not_authenticated", "User not authenticated");
      const known = request as Known;
      known.caller = caller;
      known.positions = new Map();
      const id = request.headers["x-request-id"];
      if (typeof id === "string") request.id = id;
    });

    const enter = (request: FastifyRequest, as: Role | readonly Role[]): Caller | null => {
      const { caller } = request as Known;
      if (admits(rolesOf(as), caller)) return caller;
      throw caller
        ? new Refusal(403, "forbidden", "You may not do this")
        : new Refusal(401, "not_authenticated", "User not authenticated");
    };
    const after = async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
      const header = request.headers[AFTER_HEADER];
      if (typeof header !== "string" || header === "") return;
      if (await shows(readPositions(header))) return;
      if (request.method !== "GET") throw tryLater("behind", "Your last change has not arrived here yet", 1);
      void reply.header(BEHIND_HEADER, "behind");
    };
    const finish = async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
      const { positions } = request as Known;
      if (positions.size === 0) return;
      void reply.header(POSITION_HEADER, writePositions(positions));
      if (!(await shows(positions))) void reply.header(BEHIND_HEADER, "behind");
    };

    for (const command of options.commands) {
      const { method, url } = split(command.route);
      if (!command.access?.as) throw new Error(`${command.route} doesn't say who may ask`);
      slow.route({
        method,
        url,
        handler: async (request, reply) => {
          const caller = enter(request, command.access.as);
          if (!caller) throw new Error(`${command.route} is a command and can't be public: it has no actor`);
          const input = parse(command.input, inputOf(request));
          await after(request, reply);
          const key = request.headers["idempotency-key"];
          if (typeof key === "string" && (key.length === 0 || key.length > 255)) {
            throw new Refusal(400, "invalid_input", "idempotency-key: must be 1 to 255 characters", [
              { field: "idempotency-key", message: "must be 1 to 255 characters" },
            ]);
          }
          const { positions } = request as Known;
          const { status, body, replayed } = await options.command(command, {
            input,
            caller,
            requestId: request.id,
            idempotencyKey: typeof key === "string" ? key : null,
            positions,
          });
          if (replayed) void reply.header("idempotent-replay", "true");
          await finish(request, reply);
          return send(reply, status, body);
        },
      });
    }

    for (const model of options.readModels) {
      for (const [route, declared] of Object.entries(model.routes) as [string, ReadRoute<never>][]) {
        const { method, url } = split(route);
        if (method !== "GET") throw new Error(`${route}: a read model only answers GET`);
        if (!declared.access?.as) throw new Error(`${route} doesn't say who may ask`);
        if (rolesOf(declared.access.as).includes("public") && !declared.access.fields)
          throw new Error(`${route} is public and doesn't list its fields`);
        slow.get(url, async (request, reply) => {
          const caller = enter(request, declared.access.as);
          const input = declared.input ? parse(declared.input, inputOf(request)) : inputOf(request);
          await after(request, reply);
          const documents = narrowed(options.documents(model.name), declared.access.owns, caller);
          const showing = {
            caller,
            now: options.now(),
            documents: <T>(of: ReadModel<T>) => options.documents(of.name) as Documents<T>,
          };
          const body = await declared.answer(documents as Documents<never>, input as never, showing);
          return send(reply, 200, declared.access.fields ? only(declared.access.fields, body) : body);
        });
      }
    }

    for (const one of options.routes) {
      if (one.kind === "fast-route") continue;
      const { method, url } = split(one.route);
      if (!one.access?.as) throw new Error(`${one.route} doesn't say who may ask`);
      await slow.register(async (scope) => {
        if (one.body === "raw") {
          scope.removeAllContentTypeParsers();
          scope.addContentTypeParser("*", { parseAs: "buffer" }, (_request, body, done) => done(null, body));
        }
        scope.route({
          method,
          url,
          handler: async (request, reply) => {
            const caller = enter(request, one.access.as);
            const raw =
              one.body === "raw"
                ? ((request.body as Buffer | undefined) ?? Buffer.alloc(0))
                : Buffer.alloc(0);
            const given =
              one.body === "raw"
                ? { ...(request.query as object), ...(request.params as object) }
                : inputOf(request);
            const input = one.input ? parse(one.input, given) : given;
            await after(request, reply);
            const { positions } = request as Known;
            const asking = {
              ...options.acting(caller, request.id, positions),
              headers: request.headers as Record<string, string | undefined>,
              raw,
              address: request.ip,
            };
            const result = await one.handle(input as never, asking);
            await finish(request, reply);
            if (!isAnswer(result)) return send(reply, 200, result);
            for (const [header, value] of Object.entries(result.headers)) void reply.header(header, value);
            return send(reply, result.status, result.body);
          },
        });
      });
    }
  });
  await app.ready();
  return app;
}

type Known = FastifyRequest & { caller: Caller | null; positions: Positions };

const isAnswer = (result: unknown): result is Answer =>
  (result as { kind?: string } | null)?.kind === "answer";

/** Wire form: bigints may not get here, for every amount has its own text. */
function send(reply: FastifyReply, status: number, body: unknown): FastifyReply {
  void reply.status(status);
  if (body === null || body === undefined) return status === 200 ? reply.status(204).send() : reply.send();
  if (typeof body === "string" || Buffer.isBuffer(body)) return reply.send(body);
  return reply.header("content-type", "application/json; charset=utf-8").send(JSON.stringify(body));
}

function narrowed(
  documents: Documents<unknown>,
  owns: string | readonly string[] | undefined,
  caller: Caller | null,
): Documents<unknown> {
  if (!owns) return documents;
  const own: Record<string, string | null | undefined> = {
    brand_id: caller?.brand_id,
    creator_id: caller?.creator_id,
    user_id: caller?.user_id,
  };
  const fields = typeof owns === "string" ? [owns] : owns;
  const mine = fields.find((field) => own[field]) ?? fields.find((field) => !(field in own));
  const id =
    mine &&
    (own[mine] ??
      (mine.endsWith("creator_id")
        ? caller?.creator_id
        : mine.endsWith("brand_id")
          ? caller?.brand_id
          : caller?.uid));
  if (!mine || !id) throw new Refusal(404, "not_found", "This was not found");
  return documents.where({ [mine]: id } as Filter<unknown>);
}

/** A public answer shows the fields it declares, at whatever depth a list or page holds its documents, and nothing else. */
function only(fields: readonly string[], body: unknown): unknown {
  if (Array.isArray(body)) return body.map((one) => only(fields, one));
  if (body === null || typeof body !== "object") return body;
  return Object.fromEntries(
    Object.entries(body).flatMap(([field, value]) =>
      fields.includes(field) ? [[field, Array.isArray(value) ? only(fields, value) : value]] : [],
    ),
  );
}

async function mountFast(app: FastifyInstance, one: FastRoute, options: Face): Promise<void> {
  const { method, url } = split(one.route);
  const handler = await one.open(options.opening(one.route));
  app.route({ method, url, handler });
}
