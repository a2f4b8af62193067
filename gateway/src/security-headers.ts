/** Where the browser's identity SDK calls outside of a sandbox, where the gateway itself forwards those paths. */
const IDENTITY_PROVIDER = "https://identitytoolkit.googleapis.com https://securetoken.googleapis.com";

const contentSecurityPolicy = (sandbox: boolean): string =>
  [
    "default-src 'self'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' https: data:",
    `connect-src 'self'${sandbox ? "" : ` ${IDENTITY_PROVIDER}`}`,
    "object-src 'none'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
    "form-action 'self'",
  ].join("; ");

const FEATURES = ["camera", "display-capture", "geolocation", "microphone", "payment", "usb"];

/** What every answer tells the browser to forbid; a service may say it stricter for its own pages. */
export function securityHeaders(options: {
  readonly sandbox: boolean;
  readonly https: boolean;
}): Readonly<Record<string, string>> {
  return {
    "content-security-policy": contentSecurityPolicy(options.sandbox),
    "x-content-type-options": "nosniff",
    "referrer-policy": "strict-origin-when-cross-origin",
    "permissions-policy": FEATURES.map((feature) => `${feature}=()`).join(", "),
    "cross-origin-opener-policy": "same-origin",
    ...(options.https && { "strict-transport-security": "max-age=31536000; includeSubDomains" }),
  };
}

/** Partners' pages in the sandbox bring styles of their own and stand for other sites: our policy is not theirs. */
export const withoutPolicy = (
  headers: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> => {
  const { "content-security-policy": _, "cross-origin-opener-policy": __, ...rest } = headers;
  return rest;
};
