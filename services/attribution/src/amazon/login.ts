import { createHash } from "node:crypto";
import { z } from "zod";
import { askAmazon, type Line, type Patience } from "./asking.ts";
import { AmazonRefused, AmazonUnavailable, GrantLost } from "./failures.ts";
import type { AmazonSettings } from "./settings.ts";

/** What a grant is worth: an hour of access at a time, and the means to renew it. */
export interface Grant {
  readonly access_token: string;
  readonly refresh_token: string;
  readonly expires_in: number;
}

const Granted = z.object({
  access_token: z.string().min(1),
  refresh_token: z.string().min(1).optional(),
  expires_in: z.coerce.number().int().positive(),
});
const Refused = z.object({ error: z.string(), error_description: z.string().default("") });

const redirectUri = ({ PUBLIC_URL }: AmazonSettings): string => new URL("/signup/loading", PUBLIC_URL).href;

/** Where the seller is asked for consent, with the challenge that only the keeper of the verifier can answer (PKCE, S256). */
export function consentUrl(settings: AmazonSettings, state: string, verifier: string): string {
  const url = new URL(settings.AMAZON_CONSENT_URL);
  url.search = new URLSearchParams({
    client_id: settings.LWA_CLIENT_ID,
    scope: "advertising::campaign_management",
    response_type: "code",
    redirect_uri: redirectUri(settings),
    state,
    code_challenge: createHash("sha256").update(verifier).digest("base64url"),
    code_challenge_method: "S256",
  }).toString();
  return url.href;
}

/** Trades the code of a consent, good for one use within five minutes. */
export const exchangeCode = (
  settings: AmazonSettings,
  line: Line,
  code: string,
  code_verifier: string,
  patience: Patience,
): Promise<Grant> =>
  token(settings, line, patience, {
    grant_type: "authorization_code",
    code,
    redirect_uri: redirectUri(settings),
    code_verifier,
  });

/** Renews access. The refresh token stays the same unless the answer says otherwise. */
export const refreshGrant = (
  settings: AmazonSettings,
  line: Line,
  refresh_token: string,
  patience: Patience,
): Promise<Grant> =>
  token(settings, line, patience, { grant_type: "refresh_token", refresh_token }, refresh_token);

async function token(
  settings: AmazonSettings,
  line: Line,
  patience: Patience,
  fields: Record<string, string>,
  known_refresh_token?: string,
): Promise<Grant> {
  const body = new URLSearchParams({
    ...fields,
    client_id: settings.LWA_CLIENT_ID,
    client_secret: settings.LWA_CLIENT_SECRET,
  });
  const reply = await askAmazon(
    line,
    settings.AMAZON_TOKEN_URL,
    {
      method: "POST",
      headers: { "content-type": "application/x-www-form-urlencoded" },
      body: body.toString(),
    },
    patience,
  );
  if (reply.status !== 200) throw refusal(line, reply.status, reply.body, reply.request_id);
  const granted = Granted.parse(reply.body);
  const refresh_token = granted.refresh_token ?? known_refresh_token;
  if (!refresh_token)
    throw new AmazonRefused(200, "no_refresh_token", "the grant can't be renewed", reply.request_id);
  return { ...granted, refresh_token };
}

/** `invalid_grant` ends the seller's connection; `invalid_client` is our own outage and must not cost anybody theirs. */
function refusal(line: Line, status: number, body: unknown, request_id: string | null): Error {
  const { error, error_description } = Refused.catch({ error: "unknown", error_description: "" }).parse(body);
  if (error === "invalid_grant") return new GrantLost(error_description);
  if (error === "invalid_client" || error === "unauthorized_client") {
    line.log.error(
      { status, error, request_id },
      "Amazon refuses our own credentials: LWA_CLIENT_ID or LWA_CLIENT_SECRET",
    );
    return new AmazonUnavailable(error, 60);
  }
  return new AmazonRefused(status, error, error_description, request_id);
}
