import { type Logger as PinoLogger, pino } from "pino";

export type Logger = PinoLogger;

/** Secrets and personal data never reach a log line, wherever in an object they stand. */
const REDACTED = [
  "authorization",
  "cookie",
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
].flatMap((field) => [field, `*.${field}`, `*.*.${field}`, `*["x-${field}"]`]);

/** One JSON line per entry, on standard error unless told otherwise; LOG_LEVEL decides how much. */
export const logger = (name: string, level: string, destination?: { write(line: string): void }): Logger =>
  pino(
    { name, level, redact: { paths: [...REDACTED, '*["stripe-signature"]'], censor: "[redacted]" } },
    destination ?? pino.destination({ dest: 2, sync: true }),
  );
