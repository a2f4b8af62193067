import { BadConfig, readSettings } from "@tributary/runtime/config";
import { z } from "zod";
import { SERVICES, type ServiceName } from "./upstream.ts";

const origin = z.url({ protocol: /^https?$/ });
const key = z.string().min(32, "must be at least 32 characters");

const upper = (service: ServiceName): string => service.toUpperCase();

/** What a gateway on a cluster is told by its environment. */
const Environment = z.object({
  PORT: z.coerce.number().int().min(1).max(65_535).default(8080),
  HOST: z.string().default("0.0.0.0"),
  /** Where browsers reach us. */
  PUBLIC_URL: origin,
  /** The built web application. */
  WEB_ROOT: z.string().min(1),
  VERSION: z.string().min(1),
  FIREBASE_PROJECT_ID: z.string().min(1),
  /** The gateway's own database, under its own role. */
  DATABASE_URL: z.url({ protocol: /^postgres(ql)?$/ }),
  /** Identity's log, under a role that may only read it. */
  LOG_URL_IDENTITY: z.url({ protocol: /^postgres(ql)?$/ }),
  TRUST_PROXY: z.string().optional(),
  LOG_LEVEL: z.enum(["trace", "debug", "info", "warn", "error", "fatal", "silent"]).default("info"),
  SANDBOX_URL: origin.optional(),
  FIREBASE_AUTH_EMULATOR_HOST: z.string().optional(),
  ...Object.fromEntries(SERVICES.map((service) => [`UPSTREAM_${upper(service)}`, origin])),
  ...Object.fromEntries(SERVICES.map((service) => [`INTERNAL_KEY_${upper(service)}`, key])),
});

/** A gateway's configuration, checked. */
export interface Config
  extends Omit<z.output<typeof Environment>, `UPSTREAM_${string}` | `INTERNAL_KEY_${string}`> {
  readonly upstreams: Readonly<Record<ServiceName, string>>;
  readonly keys: Readonly<Record<ServiceName, string>>;
}

/**
 * Reads the environment; throws BadConfig with everything that is missing or wrong, all at once. Partners that are only played are
 * refused in production, and so is an emulator, which makes every unsigned token good, without the sandbox it belongs to.
 */
export function configFrom(env: Readonly<Record<string, string | undefined>>): Config {
  const read = readSettings<z.output<typeof Environment>>([Environment], env).get(Environment)!;
  if (read.SANDBOX_URL !== undefined && env.NODE_ENV === "production")
    throw new BadConfig(["SANDBOX_URL: partners are not played in production"]);
  if (read.FIREBASE_AUTH_EMULATOR_HOST !== undefined && read.SANDBOX_URL === undefined)
    throw new BadConfig(["FIREBASE_AUTH_EMULATOR_HOST: makes every token good, so only with a SANDBOX_URL"]);
  const perService = (prefix: string) =>
    Object.fromEntries(
      SERVICES.map((service) => [service, (read as Record<string, unknown>)[`${prefix}_${upper(service)}`]]),
    ) as Record<ServiceName, string>;
  return { ...read, upstreams: perService("UPSTREAM"), keys: perService("INTERNAL_KEY") };
}
