import { createHash } from "node:crypto";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { LOGIN_CLIENT } from "../src/amazon/login-clients.ts";
import { type RunningSandbox, startSandbox } from "../src/sandbox.ts";

export const RETURN_URL = "http://127.0.0.1:3000/signup/loading";
export const VERIFIER = "a".repeat(64);

export interface Answer {
  status: number;
  headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: answers of a partner are read field by field in assertions
  body: any;
}

/** A sandbox with a stopped clock and the few calls a product would make of Amazon. */
export class AmazonWorld {
  private constructor(readonly sandbox: RunningSandbox) {}

  static async open(clock = "2026-01-05T20:00:00.000Z"): Promise<AmazonWorld> {
    const directory = mkdtempSync(join(tmpdir(), "sandbox-"));
    return new AmazonWorld(await startSandbox({ directory, clock }));
  }

  async call(method: string, path: string, init: { body?: unknown; headers?: Record<string, string> } = {}) {
    const answer = await fetch(this.sandbox.url + path, {
      method,
      headers: init.headers,
      body:
        init.body === undefined || typeof init.body === "string" || init.body instanceof URLSearchParams
          ? (init.body as string | URLSearchParams | undefined)
          : JSON.stringify(init.body),
      redirect: "manual",
    });
    const text = await answer.text();
    const isJson = answer.headers.get("content-type")?.includes("json");
    return {
      status: answer.status,
      headers: answer.headers,
      body: isJson ? JSON.parse(text) : text,
    } as Answer;
  }

  control(method: string, path: string, body?: unknown): Promise<Answer> {
    return this.call(method, `/_sandbox${path}`, { body });
  }

  advance(advance: string): Promise<Answer> {
    return this.control("POST", "/clock", { advance });
  }

  consentUrl(extra: Record<string, string> = {}): string {
    return `/amazon/ap/oa?${new URLSearchParams({
      client_id: LOGIN_CLIENT.client_id,
      scope: "advertising::campaign_management",
      response_type: "code",
      redirect_uri: RETURN_URL,
      state: "s1",
      code_challenge: createHash("sha256").update(VERIFIER).digest("base64url"),
      code_challenge_method: "S256",
      ...extra,
    })}`;
  }

  async code(account: string): Promise<string> {
    const { headers } = await this.call("GET", this.consentUrl({ auto: "approve", account }));
    return new URL(headers.get("location")!).searchParams.get("code")!;
  }

  token(fields: Record<string, string>): Promise<Answer> {
    const body = new URLSearchParams({ ...LOGIN_CLIENT, ...fields });
    return this.call("POST", "/amazon/auth/o2/token", { body });
  }

  async login(account: string) {
    const answer = await this.token({
      grant_type: "authorization_code",
      code: await this.code(account),
      redirect_uri: RETURN_URL,
      code_verifier: VERIFIER,
    });
    return answer.body as { access_token: string; refresh_token: string };
  }

  /** Logs in, finds the US profile and fetches the tag: from here on clicks are measured. */
  async connect(account: string) {
    const { access_token } = await this.login(account);
    const headers: Record<string, string> = {
      authorization: `Bearer ${access_token}`,
      "amazon-advertising-api-clientid": LOGIN_CLIENT.client_id,
    };
    const { body: profiles } = await this.call("GET", "/amazon-ads/v2/profiles", { headers });
    headers["amazon-advertising-api-scope"] = String(profiles[0].profileId);
    const tags = await this.call("GET", "/amazon-ads/attribution/tags/nonMacroTemplateTag?publisherIds=9", {
      headers,
    });
    const [advertiserId, byPublisher] = Object.entries(
      tags.body as Record<string, Record<string, string>>,
    )[0]!;
    const link = (asin: string, adgroup: string) => {
      const url = new URL(`${this.sandbox.url}/shop/dp/${asin}${byPublisher["9"]}`);
      url.searchParams.set("aa_campaignid", `c-${account}`);
      url.searchParams.set("aa_adgroupid", adgroup);
      url.searchParams.set("aa_creativeid", `${adgroup}-1`);
      return url.href;
    };
    return new Connection(this, headers, advertiserId, link);
  }
}

/** One connected seller. */
export class Connection {
  constructor(
    private readonly world: AmazonWorld,
    readonly headers: Record<string, string>,
    readonly advertiserId: string,
    readonly link: (asin: string, adgroup: string) => string,
  ) {}

  report(body: Record<string, unknown>, headers: Record<string, string> = {}): Promise<Answer> {
    return this.world.call("POST", "/amazon-ads/attribution/report", {
      headers: { ...this.headers, "content-type": "application/json", ...headers },
      body: { startDate: "20260101", endDate: "20260228", count: 5000, cursorId: "", ...body },
    });
  }

  /** The ad group rows as [ad group, day, clicks, promoted, total]. */
  async rows(body: Record<string, unknown> = {}): Promise<string[][]> {
    const answer = await this.report({ groupBy: "ADGROUP", ...body });
    return answer.body.reports.map((row: Record<string, string>) => [
      row.adGroupId,
      row.date,
      row["Click-throughs"],
      row.attributedSales14d,
      row.totalAttributedSales14d,
    ]);
  }
}
