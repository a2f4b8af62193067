import { PostgresLog } from "@tributary/runtime/log/postgres-log";
import { Tails } from "@tributary/runtime/log/tails";
import { logger } from "@tributary/runtime/logs";
import { mount } from "@tributary/runtime/mount";
import { realClock, SetClock } from "@tributary/runtime/ports/clock";
import { followClock } from "@tributary/runtime/ports/follow-clock";
import { realNetwork } from "@tributary/runtime/ports/network";
import { systemRandom } from "@tributary/runtime/ports/random";
import { configFrom } from "./config.ts";
import { firebaseTokens } from "./firebase.ts";
import { buildGateway } from "./gateway.ts";
import { foldedCallers } from "./known-callers.ts";
import { gateway } from "./main.ts";
import { SERVICES, type Upstreams } from "./upstream.ts";

const NAME = "gateway";

/** The gateway as a process of its own before services elsewhere; ends in good order on SIGTERM. */
async function main(): Promise<void> {
  const config = configFrom(process.env);
  const log = logger(NAME, config.LOG_LEVEL);
  const following = new AbortController();
  const virtual = new SetClock(new Date().toISOString());
  if (config.SANDBOX_URL) await followClock(config.SANDBOX_URL, virtual, log, following.signal);
  const tails = new Tails((source) => new PostgresLog(source, config.LOG_URL_IDENTITY, log), log);
  const remembering = await mount(gateway, {
    process: NAME,
    env: process.env,
    clock: config.SANDBOX_URL ? virtual : realClock,
    random: systemRandom,
    network: realNetwork,
    tails,
    logger: (name) => logger(name, config.LOG_LEVEL),
    databaseUrl: () => config.DATABASE_URL,
    // Its own read models answer nobody over HTTP: no key opens them.
    internalKey: () => systemRandom.bytes(32).toString("hex"),
  });
  const app = buildGateway({
    upstreams: Object.fromEntries(
      SERVICES.map((name) => [name, { kind: "remote", url: config.upstreams[name] }]),
    ) as unknown as Upstreams,
    keys: config.keys,
    verifyToken: firebaseTokens(config.FIREBASE_PROJECT_ID),
    callers: foldedCallers((of) => remembering.documents(of)),
    publicUrl: config.PUBLIC_URL,
    webRoot: config.WEB_ROOT,
    version: config.VERSION,
    log,
    sandboxUrl: config.SANDBOX_URL ?? null,
    quiet: async () => [await remembering.quiet()],
    trustProxy: config.TRUST_PROXY ?? false,
  });
  await app.listen({ host: config.HOST, port: config.PORT });
  log.info({ port: config.PORT }, "serving");

  const stop = async (): Promise<void> => {
    await app.close();
    following.abort();
    await remembering.stop();
    await tails.close();
  };
  for (const signal of ["SIGTERM", "SIGINT"] as const)
    process.once(signal, () => {
      stop().then(() => process.exit(0), failed);
    });
}

function failed(error: unknown): void {
  process.stderr.write(
    `${NAME}: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`,
  );
  process.exit(1);
}

main().catch(failed);
