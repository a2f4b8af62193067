/** The one security profile registered with the sandbox's Login with Amazon; not a secret, it opens nothing real. */
export const LOGIN_CLIENT = {
  client_id: "amzn1.application-oa2-client.tributary-sandbox",
  client_secret: "amzn1.oa2-cs.v1.tributary-sandbox",
} as const;

/** Allowed return URLs: any page on this machine. */
export function isAllowedReturn(redirectUri: string): boolean {
  if (!URL.canParse(redirectUri)) return false;
  const { hostname, hash } = new URL(redirectUri);
  return ["127.0.0.1", "localhost", "[::1]"].includes(hostname) && hash === "";
}
