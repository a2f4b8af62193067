import type { FastifyInstance } from "fastify";
import type { z } from "zod";
import type { Logger } from "../logs.ts";
import { Refusal } from "../refusal.ts";

/** The one shape of every error. */
export interface ErrorBody {
  readonly code: string;
  readonly message: string;
  readonly request_id: string;
  readonly errors?: readonly { readonly field: string; readonly message: string }[];
}

/** 400 that names every field that doesn't fit. */
export function invalid(error: z.ZodError): Refusal {
  const errors = error.issues.flatMap((issue) => {
    if (issue.code === "unrecognized_keys")
      return issue.keys.map((key) => ({
        field: [...issue.path, key].join("."),
        message: "is not a known field",
      }));
    return [{ field: issue.path.join(".") || "body", message: issue.message }];
  });
  return new Refusal(
    400,
    "invalid_input",
    errors.map(({ field, message }) => `${field}: ${message}`).join("; "),
    errors,
  );
}

/** 400 for a text that no store can keep: one with a NUL, or with half of a surrogate pair. */
export function refuseUnstorable(given: unknown, path: readonly string[] = []): void {
  if (typeof given === "string" && (given.includes("\u0000") || LONE_SURROGATE.test(given))) {
    const field = path.join(".");
    const message = "has a character that can't be stored";
    throw new Refusal(400, "invalid_input", `${field}: ${message}`, [{ field, message }]);
  }
  if (given === null || typeof given !== "object") return;
  for (const [field, value] of Object.entries(given)) {
    refuseUnstorable(field, [...path, "field name"]);
    refuseUnstorable(value, [...path, field]);
  }
}

const LONE_SURROGATE = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/;

/** Refusals go out as they are; anything else is a defect: 500, one sentence, the truth in the log. */
export function answerErrors(app: FastifyInstance, logger: Logger): void {
  app.setErrorHandler((error: Error & { statusCode?: number; code?: string }, request, reply) => {
    const request_id = request.id;
    if (error instanceof Refusal) {
      if (error.retryAfterSeconds !== undefined)
        void reply.header("retry-after", String(error.retryAfterSeconds));
      const body: ErrorBody = {
        code: error.code,
        message: error.message,
        request_id,
        ...(error.errors ? { errors: error.errors } : {}),
      };
      return reply.status(error.status).send(body);
    }
    if (error.statusCode && error.statusCode < 500) {
      return reply.status(error.statusCode).send({
        code: (error.code ?? "bad_request").toLowerCase(),
        message: error.message,
        request_id,
      } satisfies ErrorBody);
    }
    logger.error(
      { request_id, route: request.routeOptions.url, error: error.message, stack: error.stack },
      "a request met a defect",
    );
    return reply.status(500).send({
      code: "internal",
      message: `Something went wrong on our side. Reference ${request_id}.`,
      request_id,
    } satisfies ErrorBody);
  });
  app.setNotFoundHandler((request, reply) => {
    void reply.status(404).send({
      code: "not_found",
      message: "There is nothing at this address",
      request_id: request.id,
    } satisfies ErrorBody);
  });
}
