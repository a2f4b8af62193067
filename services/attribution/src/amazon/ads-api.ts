import { z } from "zod";
import { askAmazon, type Line, type Patience, type Reply } from "./asking.ts";
import { AmazonRefused } from "./failures.ts";
import type { SellerTokens } from "./seller-tokens.ts";
import type { AmazonSettings } from "./settings.ts";

/** One call of the Ads API in a seller's name. `scope` is the profile; only the list of profiles goes without one. */
export interface AdsCall {
  readonly brand_id: string;
  readonly scope: string | null;
  readonly method: "GET" | "POST";
  readonly path: string;
  readonly query?: Record<string, string>;
  readonly body?: unknown;
  readonly media?: { readonly sends: string; readonly accepts: string };
  readonly patience: Patience;
}

const Failure = z.object({
  code: z.coerce.string().default("unknown"),
  details: z.string().nullish(),
  message: z.string().nullish(),
});

/**
 * Sends calls with the seller's token. A token refused before its time (401) is renewed once and the call repeated; a grant
 * that can't be renewed throws GrantLost; other refusals throw AmazonRefused.
 */
export function adsApi(settings: AmazonSettings, line: Line, tokens: SellerTokens) {
  const send = (call: AdsCall, token: string): Promise<Reply> => {
    const url = new URL(settings.AMAZON_ADS_URL.replace(/\/$/, "") + call.path);
    url.search = new URLSearchParams(call.query).toString();
    const headers: Record<string, string> = {
      "Amazon-Advertising-API-ClientId": settings.LWA_CLIENT_ID,
      Authorization: `Bearer ${token}`,
      Accept: call.media?.accepts ?? "application/json",
    };
    if (call.scope) headers["Amazon-Advertising-API-Scope"] = call.scope;
    if (call.body !== undefined) headers["Content-Type"] = call.media?.sends ?? "application/json";
    const body = call.body === undefined ? undefined : JSON.stringify(call.body);
    return askAmazon(line, url.href, { method: call.method, headers, body }, call.patience);
  };

  return async (call: AdsCall): Promise<Reply> => {
    const token = await tokens.access(call.brand_id);
    let reply = await send(call, token);
    if (reply.status === 401) reply = await send(call, await tokens.accessAfter(call.brand_id, token));
    if (reply.status >= 200 && reply.status < 300) return reply;
    const { code, details, message } = Failure.catch({ code: "unknown", details: null, message: null }).parse(
      reply.body,
    );
    throw new AmazonRefused(reply.status, code, details ?? message ?? "", reply.request_id);
  };
}

export type AdsApi = ReturnType<typeof adsApi>;
