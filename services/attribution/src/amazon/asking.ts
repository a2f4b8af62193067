import type { Logger } from "@tributary/runtime/logs";
import type { Network } from "@tributary/runtime/ports/network";
import { AmazonUnavailable } from "./failures.ts";

/** What a request to the retailer goes out with; `pause` waits in real time. */
export interface Line {
  readonly network: Network;
  readonly pause: (milliseconds: number) => Promise<void>;
  readonly log: Logger;
}

/** How long a request may wait in all for a retailer that asks for patience, in seconds. */
export type Patience = { readonly seconds: number };
/** Somebody looks at a screen. */
export const BROWSER: Patience = { seconds: 6 };
/** A job may wait out what the retailer usually asks for (42 s have been seen). */
export const JOB: Patience = { seconds: 90 };

export interface Reply {
  readonly status: number;
  readonly body: unknown;
  readonly request_id: string | null;
}

const FIRST_WAIT_SECONDS = 2;

/** Ids of 16 digits and more don't fit a JavaScript number: they become text before anything reads them. */
const keepLongIds = (text: string): string =>
  text.replace(
    /("(?:profileId|advertiserId|campaignId|adGroupId|adgroupId|creativeId|id)"\s*:\s*)(\d{16,})/g,
    '$1"$2"',
  );

async function once(
  { network }: Line,
  url: string,
  init: RequestInit,
): Promise<Reply & { retryAfter: number }> {
  const response = await network(url, init);
  const text = await response.text();
  const { status, headers } = response;
  const request_id =
    headers.get("x-amz-request-id") ?? headers.get("x-amz-rid") ?? headers.get("x-amzn-requestid");
  const asked = headers.get("retry-after") ?? "";
  return {
    status,
    request_id,
    retryAfter: /^\d+$/.test(asked) ? Number(asked) : 0,
    body: status >= 500 || text === "" ? null : JSON.parse(keepLongIds(text)),
  };
}

/**
 * Asks once, and again with growing waits when the retailer is overloaded (429, with its own Retry-After), failing (5xx),
 * silent or garbled, as far as patience reaches; then it throws AmazonUnavailable.
 */
export async function askAmazon(
  line: Line,
  url: string,
  init: RequestInit,
  patience: Patience,
): Promise<Reply> {
  let waited = 0;
  for (let wait = FIRST_WAIT_SECONDS; ; wait *= 2) {
    let why: string;
    let seconds = wait;
    let cause: unknown;
    try {
      const reply = await once(line, url, init);
      if (reply.status !== 429 && reply.status < 500) return reply;
      why = `it answered ${reply.status} (request ${reply.request_id ?? "unnamed"})`;
      seconds = Math.max(wait, reply.retryAfter);
    } catch (error) {
      cause = error;
      why = "its answer was lost";
    }
    if (waited + seconds > patience.seconds) throw new AmazonUnavailable(why, seconds, { cause });
    line.log.warn({ path: new URL(url).pathname, why, seconds }, "Amazon is asked again");
    await line.pause(seconds * 1000);
    waited += seconds;
  }
}
