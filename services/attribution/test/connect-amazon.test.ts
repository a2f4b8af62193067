import { as } from "@tributary/runtime/testing/harness";
import { expect, test } from "vitest";
import { beside, brand, connect } from "./support/story.ts";

const failed = "Amazon connection was not successful. Please try connecting your Amazon account again.";

test("a brand connects: consent, tokens, the US seller profile, its advertiser and its tags", async () => {
  const { app, amazon } = await beside();
  const { body } = await app.as(brand).get("/api/amazon/auth-url");
  const url = new URL(body.url);
  expect(url.origin + url.pathname).toBe("https://consent.test/ap/oa");
  expect(Object.fromEntries(url.searchParams)).toMatchObject({
    client_id: "amzn1.application-oa2-client.test",
    scope: "advertising::campaign_management",
    response_type: "code",
    redirect_uri: "https://tributary.test/signup/loading",
    code_challenge_method: "S256",
  });

  const answer = await app.as(brand).post("/api/amazon/callback", amazon.agree(body.url));
  expect(answer).toMatchObject({
    status: 200,
    body: {
      id: "b1",
      amazon_connected: true,
      profile_id: "901",
      profiles: [{ merchant_token: "MT1", country_code: "US" }],
    },
  });
  await app.settled();

  expect((await app.events()).map(({ type, stream }) => `${type} on ${stream}`).sort()).toEqual([
    "AdvertisersFound on seller/b1",
    "ProfileClaimed on profile/901",
    "SellerConnected on seller/b1",
    "TagsIssued on seller/b1",
  ]);
  expect(await app.as(brand).get("/internal/seller/b1")).toMatchObject({
    status: 200,
    body: { amazon_connected: true },
  });
});

test("tokens stand sealed in their table and in no event", async () => {
  const { app, amazon } = await beside();
  await connect(app, amazon);
  expect(JSON.stringify(await app.events())).not.toMatch(/Atz[ar]/);
});

test("a state is good once, for the brand it was given to, and for ten minutes", async () => {
  const { app, amazon } = await beside();
  const url = async () => (await app.as(brand).get("/api/amazon/auth-url")).body.url as string;
  const back = amazon.agree(await url());

  expect(await app.as(as.brand("b2")).post("/api/amazon/callback", back)).toMatchObject({
    status: 422,
    body: { code: "unknown_state", message: failed },
  });
  expect((await app.as(brand).post("/api/amazon/callback", back)).status).toBe(200);
  expect(await app.as(brand).post("/api/amazon/callback", back)).toMatchObject({
    body: { code: "unknown_state" },
  });

  const late = amazon.agree(await url());
  app.clock.set("2026-01-05T18:10:01Z");
  expect(await app.as(brand).post("/api/amazon/callback", late)).toMatchObject({
    body: { code: "unknown_state" },
  });
});

test("a code that the retailer refuses costs nobody a connection that stands", async () => {
  const { app, amazon } = await beside();
  await connect(app, amazon);
  const { body } = await app.as(brand).get("/api/amazon/auth-url");
  const { state } = amazon.agree(body.url);

  expect(await app.as(brand).post("/api/amazon/callback", { code: "forged", state })).toMatchObject({
    status: 422,
    body: { code: "consent_refused", message: failed },
  });
  expect((await app.as(brand).get("/internal/seller/b1")).body.amazon_connected).toBe(true);
});

test("an account without a US seller profile of its own is refused in the words the screens look for", async () => {
  const { app, amazon } = await beside();
  const [ours] = amazon.profiles as { accountInfo: object }[];
  amazon.profiles = [
    { ...ours, countryCode: "CA" },
    { ...ours, accountInfo: { ...ours!.accountInfo, type: "vendor" } },
    { ...ours, accountInfo: { ...ours!.accountInfo, subType: "AMAZON_ATTRIBUTION" } },
  ];
  expect(await connect(app, amazon)).toMatchObject({
    status: 422,
    body: { message: "No eligible US seller profiles found" },
  });
  expect(await app.events()).toEqual([]);
});

test("a connection ends when its profile is gone, and says so to whoever asks for products", async () => {
  const { app, amazon } = await beside();
  await connect(app, amazon);
  amazon.profiles = [];

  const lost = { status: 422, body: { message: "No eligible US seller profiles found" } };
  expect(await app.as(brand).get("/api/amazon/get-profiles")).toMatchObject(lost);
  expect(await app.as(brand).get("/api/amazon/get-products")).toMatchObject(lost);
  expect(await app.events()).toContainEqual(
    expect.objectContaining({
      type: "SellerDisconnected",
      data: { brand_id: "b1", reason: "no_us_profile" },
    }),
  );
});

test("a profile that another brand has connected is refused, until it is released", async () => {
  const { app, amazon } = await beside();
  const other = as.brand("b2");
  await connect(app, amazon);

  expect(await connect(app, amazon, other)).toMatchObject({ status: 409, body: { code: "profile_taken" } });
  expect((await app.as(other).get("/internal/seller/b2")).body.amazon_connected).toBe(false);
  expect((await app.events()).filter(({ stream }) => stream === "seller/b2")).toEqual([]);
  expect(await app.as(other).patch("/api/brands/b2/connect", { connected: true })).toMatchObject({
    status: 409,
  });

  await app.as(brand).patch("/api/brands/b1/connect", { connected: false });
  expect((await connect(app, amazon, other)).status).toBe(200);
});

test("of two brands that connect one profile at once one wins", async () => {
  const { app, amazon } = await beside();
  const others = ["b1", "b2", "b3", "b4"].map((id) => as.brand(id));
  const backs = [];
  for (const other of others) {
    const { body } = await app.as(other).get("/api/amazon/auth-url");
    backs.push({ other, back: amazon.agree(body.url) });
  }
  const profiles = Response.json(amazon.profiles);
  for (const _ of others)
    amazon.faults.push((call) => (call.path === "/v2/profiles" ? profiles.clone() : null));
  const answers = await Promise.all(
    backs.map(({ other, back }) => app.as(other).post("/api/amazon/callback", back)),
  );

  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409]);
  expect((await app.events()).filter(({ type }) => type === "ProfileClaimed")).toHaveLength(1);
});

test("a brand disconnects; to count as connected again takes a grant, not a wish", async () => {
  const { app, amazon } = await beside();
  await connect(app, amazon);

  expect(await app.as(brand).patch("/api/brands/b1/connect", { connected: true })).toMatchObject({
    status: 200,
    body: { amazon_connected: true },
  });
  expect(await app.as(brand).patch("/api/brands/b1/connect", { connected: false })).toMatchObject({
    status: 200,
    body: { amazon_connected: false, disconnected_because: "by_brand" },
  });
  expect(await app.as(brand).patch("/api/brands/b1/connect", { connected: true })).toMatchObject({
    status: 409,
  });
  expect(await app.as(as.brand("b2")).patch("/api/brands/b1/connect", { connected: false })).toMatchObject({
    status: 404,
  });
});

test("callers who need a renewed token at once cause one renewal", async () => {
  const { app, amazon } = await beside();
  await connect(app, amazon);
  app.clock.set("2026-01-05T18:59:01Z");

  const answers = await Promise.all([1, 2, 3, 4].map(() => app.as(brand).get("/api/amazon/get-advertisers")));
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  expect(amazon.renewals).toBe(1);
});

test("a token good for more than a minute isn't renewed", async () => {
  const { app, amazon } = await beside();
  await connect(app, amazon);
  app.clock.set("2026-01-05T18:58:00Z");
  await app.as(brand).get("/api/amazon/get-advertisers");
  expect(amazon.renewals).toBe(0);
});

test("a token refused before its time is renewed once and the question asked again", async () => {
  const { app, amazon } = await beside();
  await connect(app, amazon);
  amazon.faults.push((call) =>
    call.path === "/attribution/advertisers" ? Response.json({}, { status: 401 }) : null,
  );

  expect((await app.as(brand).get("/api/amazon/get-advertisers")).status).toBe(200);
  expect(amazon.renewals).toBe(1);
});

test("a grant that the seller took back is noticed at the next renewal: the connection ends, its tokens go", async () => {
  const { app, amazon } = await beside();
  await connect(app, amazon);
  amazon.revoked = true;
  app.clock.set("2026-01-05T20:00:00Z");

  expect(await app.as(brand).get("/api/amazon/get-advertisers")).toMatchObject({
    status: 409,
    body: { code: "amazon_disconnected" },
  });
  expect(await app.events()).toContainEqual(
    expect.objectContaining({ type: "SellerDisconnected", data: { brand_id: "b1", reason: "revoked" } }),
  );
  expect(await app.as(brand).get("/api/amazon/get-advertisers")).toMatchObject({
    body: { code: "amazon_not_connected" },
  });
});

test("our own credentials being refused costs no brand its connection", async () => {
  const { app, amazon } = await beside();
  await connect(app, amazon);
  app.clock.set("2026-01-05T20:00:00Z");
  amazon.faults.push((call) =>
    call.path === "/auth/o2/token" ? Response.json({ error: "invalid_client" }, { status: 401 }) : null,
  );

  expect(await app.as(brand).get("/api/amazon/get-advertisers")).toMatchObject({
    status: 503,
    body: { code: "amazon_unavailable" },
  });
  expect((await app.as(brand).get("/internal/seller/b1")).body.amazon_connected).toBe(true);
});
