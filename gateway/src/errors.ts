import type { ErrorBody } from "@tributary/runtime/http/errors";
import type { Logger } from "@tributary/runtime/logs";
import { Refusal } from "@tributary/runtime/refusal";
import type { FastifyReply, FastifyRequest } from "fastify";

const sendError = (reply: FastifyReply, status: number, body: ErrorBody): FastifyReply =>
  reply.code(status).header("cache-control", "no-store").send(body);

/** 404 as every unknown address of the API answers it. */
export const answerNotFound = (request: FastifyRequest, reply: FastifyReply): FastifyReply =>
  sendError(reply, 404, {
    code: "not_found",
    message: "There is nothing at this address",
    request_id: request.id,
  });

/** Refusals go out as they are; what Fastify refuses in our shape; anything else is a defect whose truth is in the log. */
export const errorAnswerer =
  (log: Logger) =>
  (error: Error & { statusCode?: number }, request: FastifyRequest, reply: FastifyReply): FastifyReply => {
    const request_id = request.id;
    if (error instanceof Refusal) {
      const { status, code, message, errors, retryAfterSeconds } = error;
      if (retryAfterSeconds !== undefined) reply.header("retry-after", String(retryAfterSeconds));
      if (status === 401) reply.header("www-authenticate", "Bearer");
      // Nobody will read the rest of such a body, so the connection can't be used again.
      if (status === 413) reply.header("connection", "close");
      if (error.cause !== undefined) log.warn({ request_id, code, err: error.cause }, message);
      return sendError(reply, status, { code, message, request_id, ...(errors && { errors }) });
    }
    const status = error.statusCode ?? 500;
    if (status < 500)
      return sendError(reply, status, { code: "bad_request", message: error.message, request_id });
    log.error({ request_id, method: request.method, err: error }, "a request met a defect");
    return sendError(reply, 500, {
      code: "internal",
      message: `Something went wrong on our side. Reference ${request_id}.`,
      request_id,
    });
  };
