import { forbidden, Refusal } from "@tributary/runtime/refusal";
import type { FastifyRequest } from "fastify";

/** The largest body anybody may send. */
export const BODY_LIMIT_BYTES = 1_048_576;

const HARMLESS = new Set(["GET", "HEAD", "OPTIONS"]);

const hasBody = ({ headers }: FastifyRequest): boolean =>
  headers["transfer-encoding"] !== undefined || (headers["content-length"] ?? "0") !== "0";

function sameOrigin(origin: string, host: string | undefined, publicOrigin: string): boolean {
  if (origin === publicOrigin) return true;
  return URL.canParse(origin) && new URL(origin).host === host;
}

/**
 * Refuses what no page of ours sends: changes asked for by another site (403), bodies that are no JSON (415), bodies over a
 * megabyte (413). Doors that are open to strangers are judged by their owner, except for the size.
 */
export function keepDoor(request: FastifyRequest, open: boolean, publicOrigin: string): void {
  const { headers } = request;
  if (Number(headers["content-length"] ?? 0) > BODY_LIMIT_BYTES)
    throw new Refusal(413, "body_too_large", "The body is larger than 1 MB");
  if (open || HARMLESS.has(request.method)) return;
  const { origin } = headers;
  if (
    headers["sec-fetch-site"] === "cross-site" ||
    (origin !== undefined && !sameOrigin(origin, headers.host, publicOrigin))
  )
    throw forbidden("cross_site", "Another site may not do this for you");
  const type = headers["content-type"];
  if (type === undefined ? hasBody(request) : !/^application\/json\s*(;|$)/i.test(type))
    throw new Refusal(415, "json_only", "The body must be JSON (content-type: application/json)");
}
