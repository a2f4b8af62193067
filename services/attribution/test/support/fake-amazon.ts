import { createHash } from "node:crypto";
import type { Network } from "@tributary/runtime/ports/network";

/** What the fake retailer is asked, in order. */
export interface Call {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: Headers;
  readonly body: string;
}

const SHOP_PROFILE = {
  profileId: 901,
  countryCode: "US",
  currencyCode: "USD",
  timezone: "America/Los_Angeles",
  accountInfo: { marketplaceStringId: "ATVPDKIKX0DER", id: "MT1", type: "seller", name: "Acme" },
};

/** The retailer in a test's hand: consents, tokens that can be renewed and revoked, and answers that the test sets. */
export class FakeAmazon {
  readonly calls: Call[] = [];
  profiles: unknown[] = [SHOP_PROFILE];
  advertisers: unknown = { advertisers: [{ advertiserId: "77", advertiserName: "Acme" }] };
  publishers: unknown = {
    publishers: [
      { id: "1", name: "Google Ads", macroEnabled: true },
      { id: "9", name: "Display - Other", macroEnabled: false },
    ],
  };
  tags: unknown = {
    "77": {
      "9": "?maas=maas_adg_api_77_static_9_129&ref_=aa_maas&tag=maas&aa_campaignid={insertCampaign}&aa_adgroupid={insertAdGroupId}&aa_creativeid={insertCreativeId}",
    },
  };
  macroTags: unknown = {};
  /** Report pages by cursor; "" is the first. */
  pages: Record<string, { reports: unknown[]; cursorId?: string | null }> = {
    "": { reports: [], cursorId: null },
  };
  inventory: Record<string, unknown>[] = [];
  revoked = false;
  /** Answers before anything else is looked at, once each. */
  readonly faults: ((call: Call) => Response | null)[] = [];
  renewals = 0;
  #codes = new Map<string, string>();
  #issued = 0;

  /** The seller agrees: the code that the browser brings back. */
  agree(url: string): { code: string; state: string } {
    const { searchParams } = new URL(url);
    const code = `code-${this.#codes.size + 1}`;
    this.#codes.set(code, searchParams.get("code_challenge")!);
    return { code, state: searchParams.get("state")! };
  }

  asked(path: string): Call[] {
    return this.calls.filter((call) => call.path === path);
  }

  readonly network: Network = async (address, init = {}) => {
    const url = new URL(address);
    const call: Call = {
      method: init.method ?? "GET",
      path: url.pathname,
      query: url.searchParams,
      headers: new Headers(init.headers),
      body: String(init.body ?? ""),
    };
    this.calls.push(call);
    for (const [index, fault] of this.faults.entries()) {
      const answer = fault(call);
      if (!answer) continue;
      this.faults.splice(index, 1);
      return answer;
    }
    if (call.path === "/auth/o2/token") return this.#token(new URLSearchParams(call.body));
    if (call.headers.get("authorization") !== `Bearer Atza|${this.#issued}`)
      return Response.json({ code: "401", details: "Not authorized to access scope" }, { status: 401 });
    return this.#ads(call);
  };

  #token(fields: URLSearchParams): Response {
    const refuse = (error: string) => Response.json({ error, error_description: error }, { status: 400 });
    if (fields.get("grant_type") === "refresh_token") {
      if (this.revoked) return refuse("invalid_grant");
      this.renewals++;
    } else {
      const challenge = this.#codes.get(fields.get("code")!);
      this.#codes.delete(fields.get("code")!);
      const verified = createHash("sha256")
        .update(fields.get("code_verifier") ?? "")
        .digest("base64url");
      if (challenge === undefined || challenge !== verified) return refuse("invalid_grant");
    }
    this.#issued++;
    return Response.json({
      access_token: `Atza|${this.#issued}`,
      refresh_token: "Atzr|1",
      token_type: "bearer",
      expires_in: 3600,
    });
  }

  #ads(call: Call): Response {
    const headers = { "x-amz-request-id": `req-${this.calls.length}` };
    const answers: Record<string, () => unknown> = {
      "/v2/profiles": () => this.profiles,
      "/attribution/advertisers": () => this.advertisers,
      "/attribution/publishers": () => this.publishers,
      "/attribution/tags/nonMacroTemplateTag": () => this.tags,
      "/attribution/tags/macroTag": () => this.macroTags,
      "/attribution/report": () => this.pages[JSON.parse(call.body).cursorId],
      "/product/metadata": () => {
        const { pageIndex, pageSize } = JSON.parse(call.body);
        return {
          ProductMetadataList: this.inventory.slice(pageIndex * pageSize, (pageIndex + 1) * pageSize),
        };
      },
    };
    const answer = answers[call.path];
    if (!answer) return Response.json({ code: "404" }, { status: 404 });
    return Response.json(answer(), { headers });
  }
}

/** The environment of a service beside the fake retailer. */
export const env = {
  LWA_CLIENT_ID: "amzn1.application-oa2-client.test",
  LWA_CLIENT_SECRET: "amzn1.oa2-cs.test",
  AMAZON_CONSENT_URL: "https://consent.test/ap/oa",
  AMAZON_TOKEN_URL: "https://amazon.test/auth/o2/token",
  AMAZON_ADS_URL: "https://amazon.test",
  PUBLIC_URL: "https://tributary.test",
  TOKEN_KEY: Buffer.alloc(32, 7).toString("base64"),
  SYNC_HOURLY: "off",
};
