import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { AmazonWorld, RETURN_URL, VERIFIER } from "./amazon-world.ts";

let world: AmazonWorld;
beforeAll(async () => {
  world = await AmazonWorld.open();
});
afterAll(() => world.sandbox.close());

async function answered(extra: Record<string, string>) {
  const { status, headers } = await world.call("GET", world.consentUrl(extra));
  return { status, ...Object.fromEntries(new URL(headers.get("location")!).searchParams) };
}

describe("the consent page", () => {
  it("lets a person choose an account and has buttons to allow and to cancel", async () => {
    const { status, body } = await world.call("GET", world.consentUrl());
    expect(status).toBe(200);
    for (const text of [
      "Login with Amazon",
      "Cedar &#38; Clay Goods",
      "no_us_profile",
      ">Allow<",
      ">Cancel<",
    ])
      expect(body).toContain(text);
  });

  it("sends the person back with a code, or with the refusal", async () => {
    expect(await answered({ auto: "approve", account: "ok" })).toMatchObject({
      status: 302,
      code: expect.stringMatching(/^AN/),
      scope: "advertising::campaign_management",
      state: "s1",
    });
    expect(await answered({ auto: "deny" })).toMatchObject({ error: "access_denied", state: "s1" });
  });

  it("refuses an unknown parameter, a wrong type and a wrong scope by OAuth's own errors", async () => {
    expect(await answered({ nonsense: "1" })).toMatchObject({ error: "invalid_request", state: "s1" });
    expect(await answered({ code_challenge_method: "MD5" })).toMatchObject({ error: "invalid_request" });
    expect(await answered({ scope: "profile" })).toMatchObject({ error: "invalid_scope" });
    expect(await answered({ response_type: "token" })).toMatchObject({ error: "unsupported_response_type" });
  });

  it("never redirects to a stranger", async () => {
    const strange = await world.call("GET", world.consentUrl({ redirect_uri: "https://evil.example/" }));
    expect([strange.status, strange.headers.get("location")]).toEqual([400, null]);
    expect((await world.call("GET", world.consentUrl({ client_id: "other" }))).status).toBe(400);
  });
});

describe("tokens", () => {
  const byCode = (code: string, extra: Record<string, string> = {}) =>
    world.token({
      grant_type: "authorization_code",
      code,
      redirect_uri: RETURN_URL,
      code_verifier: VERIFIER,
      ...extra,
    });

  it("come for a code once, and a refresh gives the same refresh token with a new access token", async () => {
    const code = await world.code("ok");
    const { body: first } = await byCode(code);
    expect(first).toEqual({
      access_token: expect.stringMatching(/^Atza\|/),
      refresh_token: expect.stringMatching(/^Atzr\|/),
      token_type: "bearer",
      expires_in: 3600,
    });
    expect((await byCode(code)).body).toMatchObject({
      error: "invalid_grant",
      error_description: "The request has an invalid grant parameter : code.",
    });
    const { body: second } = await world.token({
      grant_type: "refresh_token",
      refresh_token: first.refresh_token,
    });
    expect(second.refresh_token).toBe(first.refresh_token);
    expect(second.access_token).not.toBe(first.access_token);
  });

  it("need the right verifier, the same return URL and a code no older than five minutes", async () => {
    expect((await byCode(await world.code("ok"), { code_verifier: "b".repeat(64) })).body.error).toBe(
      "invalid_grant",
    );
    expect((await byCode(await world.code("ok"), { redirect_uri: `${RETURN_URL}/x` })).body.error).toBe(
      "invalid_grant",
    );
    const late = await world.code("ok");
    await world.advance("PT5M");
    expect((await byCode(late)).body.error).toBe("invalid_grant");
  });

  it("are refused in Amazon's own words", async () => {
    const refresh = { grant_type: "refresh_token", refresh_token: "Atzr|x" };
    const wrong: [Record<string, string>, number, string, string][] = [
      [refresh, 400, "invalid_grant", "User may have revoked or didn't grant the permission."],
      [{ ...refresh, client_secret: "no" }, 401, "invalid_client", "Client authentication failed"],
      [{ grant_type: "password" }, 400, "unsupported_grant_type", "grant type is not supported"],
      [
        { grant_type: "refresh_token" },
        400,
        "invalid_request",
        "missing a required parameter : refresh_token",
      ],
      [{ ...refresh, nonsense: "1" }, 400, "invalid_request", "nonsense"],
    ];
    for (const [fields, status, error, text] of wrong) {
      const answer = await world.token(fields);
      expect([answer.status, answer.body.error]).toEqual([status, error]);
      expect(answer.body.error_description).toContain(text);
    }
    const json = await world.call("POST", "/amazon/auth/o2/token", {
      headers: { "content-type": "application/json" },
      body: refresh,
    });
    expect([json.status, json.body.error]).toEqual([400, "invalid_request"]);
  });

  it("die with the consent: after an hour, when it is withdrawn, after a year", async () => {
    const { refresh_token } = await world.login("no_products");
    const again = () => world.token({ grant_type: "refresh_token", refresh_token });
    expect((await again()).status).toBe(200);
    await world.control("POST", "/amazon/revoke", { account: "no_products" });
    expect((await again()).body.error).toBe("invalid_grant");

    const later = await world.login("revoked_later");
    await world.advance("P8D");
    expect(
      (await world.token({ grant_type: "refresh_token", refresh_token: later.refresh_token })).status,
    ).toBe(400);

    const old = await world.login("ok");
    await world.advance("P366D");
    expect(
      (await world.token({ grant_type: "refresh_token", refresh_token: old.refresh_token })).status,
    ).toBe(400);
  });
});
