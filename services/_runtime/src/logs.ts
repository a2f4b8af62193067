import { type Logger as PinoLogger, pino } from "pino";

export type Logger = PinoLogger;

/** Fields whose value never reaches a log line, wherever in an object they stand: secrets and personal data. */
const HUSHED = new Set([
  "authorization",
  "cookie",
  "set-cookie",
  "password",
  "email",
  "token",
  "access_token",
  "refresh_token",
  "id_token",
  "client_secret",
  "code_verifier",
  "paypal_email",
  "venmo_handle",
  "account_number",
  "routing_number",
  "secret",
  "stripe-signature",
]);
const CENSOR = "[redacted]";
/** What is bound to a child logger passes no formatter: pino's own paths, three levels deep, see to it. */
const BOUND = [...HUSHED].flatMap((field) => [`["${field}"]`, `*["${field}"]`, `*.*["${field}"]`]);
const DEEPEST = 12;

const isHushed = (field: string): boolean => {
  const plain = field.toLowerCase();
  return HUSHED.has(plain) || (plain.startsWith("x-") && HUSHED.has(plain.slice(2)));
};

/** The same without what must not be seen; what lies deeper than anybody reads is left out. */
function hushed(value: unknown, depth = 0): unknown {
  if (value === null || typeof value !== "object") return value;
  if (depth > DEEPEST) return CENSOR;
  if (Array.isArray(value)) return value.map((one) => hushed(one, depth + 1));
  const { toJSON } = value as { toJSON?: unknown };
  if (value instanceof Error || typeof toJSON === "function") return value;
  return Object.fromEntries(
    Object.entries(value).map(([field, inner]) => [
      field,
      isHushed(field) ? CENSOR : hushed(inner, depth + 1),
    ]),
  );
}

/** One JSON line per entry, on standard error unless told otherwise; LOG_LEVEL decides how much. */
export const logger = (name: string, level: string, destination?: { write(line: string): void }): Logger =>
  pino(
    {
      name,
      level,
      formatters: {
        log: (entry) => hushed(entry) as Record<string, unknown>,
      },
      redact: { paths: BOUND, censor: CENSOR },
    },
    destination ?? pino.destination({ dest: 2, sync: true }),
  );
