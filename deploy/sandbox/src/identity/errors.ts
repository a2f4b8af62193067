import type { FastifyRequest } from "fastify";
import { z } from "zod";
import { check, type Flaw, json, mediaType, PartnerError } from "../core/strict.ts";

/** An error body as Google's APIs write it; `status` only where theirs has one. */
export function googleBody(code: number, message: string, status?: string): unknown {
  return {
    error: {
      code,
      message,
      errors: [{ message, domain: "global", reason: "invalid" }],
      ...(status && { status }),
    },
  };
}

/** An Identity Toolkit error such as EMAIL_EXISTS, which the SDKs turn into auth/... codes. */
export function refuse(message: string, code = 400): PartnerError {
  return new PartnerError(code, googleBody(code, message));
}

/** A body that does not fit, in Google's words. */
export function badPayload(flaw: Flaw): PartnerError {
  const message =
    flaw.kind === "unknown"
      ? `Invalid JSON payload received. Unknown name "${flaw.path}": Cannot find field.`
      : flaw.path === ""
        ? `Invalid JSON payload received. ${flaw.message}`
        : `Invalid value at '${flaw.path}'. ${flaw.message}`;
  return new PartnerError(400, googleBody(400, message, "INVALID_ARGUMENT"));
}

/** A query parameter that Google does not know. */
export function badQuery({ path }: Flaw): PartnerError {
  return new PartnerError(
    400,
    googleBody(
      400,
      `Invalid JSON payload received. Unknown name "${path}": Cannot bind query parameter. Field '${path}' could not be found in request message.`,
      "INVALID_ARGUMENT",
    ),
  );
}

const KeyQuery = z.strictObject({ key: z.string().min(1).optional() });

/** The API key of a browser's request; without one nobody is let in. */
export function requireKey(request: FastifyRequest): string {
  const { key } = check(KeyQuery, request.query, badQuery);
  if (!key)
    throw new PartnerError(
      403,
      googleBody(403, "The request is missing a valid API key.", "PERMISSION_DENIED"),
    );
  return key;
}

/** The admin SDK proves itself with the bearer that it uses against an emulator. */
export function requireOwner(request: FastifyRequest): void {
  if (request.headers.authorization === "Bearer owner") return;
  throw new PartnerError(
    401,
    googleBody(
      401,
      "Request had invalid authentication credentials. Expected OAuth 2 access token, login cookie or other valid authentication credential.",
      "UNAUTHENTICATED",
    ),
  );
}

/** The JSON body of a request, strictly. */
export function body<T>(schema: z.ZodType<T>, request: FastifyRequest): T {
  if (mediaType(request.headers["content-type"]) !== "application/json")
    throw new PartnerError(
      400,
      googleBody(400, "Invalid Content-Type: expected application/json.", "INVALID_ARGUMENT"),
    );
  return check(schema, json(request.body, badPayload), badPayload);
}
