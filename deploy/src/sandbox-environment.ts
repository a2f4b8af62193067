/** The partners' addresses and the keys that the sandbox knows, for a system that runs against it. */
export function sandboxEnvironment(
  sandboxUrl: string,
  publicUrl: string,
  secret: (name: string) => string,
): Record<string, string> {
  const { host } = new URL(sandboxUrl);
  return {
    PUBLIC_URL: publicUrl,
    FIREBASE_PROJECT_ID: "tributary-sandbox",
    FIREBASE_AUTH_EMULATOR_HOST: host,
    LWA_CLIENT_ID: "amzn1.application-oa2-client.tributary-sandbox",
    LWA_CLIENT_SECRET: "amzn1.oa2-cs.v1.tributary-sandbox",
    AMAZON_CONSENT_URL: `${publicUrl}/amazon/ap/oa`,
    AMAZON_TOKEN_URL: `${sandboxUrl}/amazon/auth/o2/token`,
    AMAZON_ADS_URL: `${sandboxUrl}/amazon-ads`,
    AMAZON_RETAIL_URL: `${publicUrl}/shop`,
    TOKEN_KEY: Buffer.from(secret("seller-tokens"), "base64url").toString("base64"),
    STRIPE_SECRET_KEY: "sk_test_tributary",
    STRIPE_API_URL: sandboxUrl,
    STRIPE_WEBHOOK_SECRET: `whsec_${secret("stripe-webhook")}`,
    STRIPE_CONNECT_WEBHOOK_SECRET: `whsec_${secret("stripe-connect-webhook")}`,
    PAYPAL_API_URL: `${sandboxUrl}/paypal`,
    PAYPAL_CLIENT_ID: "paypal-tributary-sandbox",
    PAYPAL_CLIENT_SECRET: "paypal-tributary-secret",
    PAYPAL_WEBHOOK_ID: "WH-TRIBUTARY",
    PAYPAL_CERT_HOSTS: host,
  };
}

/** Tells the sandbox where the system is: webhooks, the product's own origin, and whom to ask whether all is quiet. */
export async function introduce(
  sandboxUrl: string,
  publicUrl: string,
  env: Readonly<Record<string, string>>,
): Promise<void> {
  const put = async (path: string, body: unknown): Promise<void> => {
    const answer = await fetch(`${sandboxUrl}/_sandbox/${path}`, {
      method: "PUT",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    });
    if (!answer.ok) throw new Error(`the sandbox refused ${path}: ${answer.status} ${await answer.text()}`);
  };
  await put("webhooks", {
    stripe: { url: `${publicUrl}/api/webhooks/stripe`, secret: env.STRIPE_WEBHOOK_SECRET },
    stripe_connect: {
      url: `${publicUrl}/api/webhooks/stripe-connect`,
      secret: env.STRIPE_CONNECT_WEBHOOK_SECRET,
    },
    paypal: { url: `${publicUrl}/api/webhooks/paypal`, webhook_id: env.PAYPAL_WEBHOOK_ID },
  });
  await put("public-origin", { url: publicUrl });
  await put("clock/quiet", { url: `${publicUrl}/quiet` });
}
