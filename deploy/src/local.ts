import { join } from "node:path";
import { type Mounted, mount } from "@tributary/runtime/mount";
import { SetClock } from "@tributary/runtime/ports/clock";
import { followClock } from "@tributary/runtime/ports/follow-clock";
import { migrate } from "@tributary/runtime/store/migrate";
import { hostOf, rolePassword } from "./host.ts";
import { openGateway } from "./open-gateway.ts";
import { startPostgres } from "./postgres/start-postgres.ts";
import { introduce, sandboxEnvironment } from "./sandbox-environment.ts";
import { startSandboxProcess } from "./sandbox-process.ts";
import { localSecrets } from "./secrets.ts";
import { listeners, services } from "./services.ts";
import { tributaryDir } from "./state/checkout.ts";
import type { Steps } from "./state/steps.ts";

/** How the whole system is to be started in this process. */
export interface LocalOptions {
  readonly steps: Steps;
  /** Where data and state lie; `.tributary` of the checkout unless told. */
  readonly directory?: string;
  readonly port: number;
  /** The sandbox's clock: `ticking`, or an instant at which it stands still. */
  readonly clock?: string;
  readonly seed?: number;
  /** More settings, over those of the sandbox. */
  readonly settings?: Readonly<Record<string, string>>;
  readonly level?: string;
}

/** The whole system, answering at one address. */
export interface Local {
  readonly url: string;
  readonly sandboxUrl: string;
  readonly adminUrl: string;
  readonly mounted: ReadonlyMap<string, Mounted>;
  /** Stops what this process runs; with `everything` also PostgreSQL and the sandbox, which otherwise live on to be adopted. */
  stop(everything: boolean): Promise<void>;
}

/**
 * Seven services, the gateway and the partners they run against, in one process beside PostgreSQL and the sandbox: who is started,
 * in which order, and who is told about whom. What lives already and is ours is adopted.
 */
export async function startLocal({
  steps,
  directory = tributaryDir(),
  port,
  clock: standing,
  seed,
  settings = {},
  level,
}: LocalOptions): Promise<Local> {
  const secret = localSecrets(directory);
  const [postgres, sandbox] = await steps.step("Starting PostgreSQL and the partner sandbox", () =>
    Promise.all([
      startPostgres({ dataDir: join(directory, "postgres"), name: "postgres" }),
      startSandboxProcess({
        directory: join(directory, "sandbox"),
        ...(seed === undefined ? {} : { seed }),
        ...(standing ? { clock: standing } : {}),
      }),
    ]),
  );
  await steps.step("Preparing eight databases", async () => {
    const password = rolePassword(secret);
    for (const half of [listeners.slice(0, 4), listeners.slice(4)])
      await Promise.all(half.map((service) => migrate(postgres.url, service, password)));
  });
  const url = `http://127.0.0.1:${port}`;
  const env = { ...sandboxEnvironment(sandbox.url, url, secret), ...settings };
  process.env.FIREBASE_AUTH_EMULATOR_HOST = env.FIREBASE_AUTH_EMULATOR_HOST;
  const clock = new SetClock(new Date().toISOString());
  const following = new AbortController();
  const host = hostOf({
    process: "all",
    env,
    clock,
    postgres: { host: "127.0.0.1", port: postgres.port },
    secret,
    ...(level ? { level } : {}),
  });
  await followClock(sandbox.url, clock, host.logger("clock"), following.signal);

  const mounted = new Map<string, Mounted>();
  await steps.step("Starting seven services", async () => {
    for (const one of await Promise.all(listeners.map((service) => mount(service, host))))
      mounted.set(one.name, one);
  });
  const gateway = await steps.step("Opening the gateway", async () => {
    const upstreams = services.map(({ name }) => [
      name,
      { kind: "mounted" as const, app: mounted.get(name)!.app },
    ]);
    const app = openGateway({
      upstreams: Object.fromEntries(upstreams),
      own: [...mounted.values()],
      url,
      sandboxUrl: sandbox.url,
      secret,
      env,
      log: host.logger("gateway"),
    });
    await app.listen({ port, host: "127.0.0.1" });
    await introduce(sandbox.url, url, env);
    return app;
  });
  return {
    url,
    sandboxUrl: sandbox.url,
    adminUrl: postgres.url,
    mounted,
    async stop(everything) {
      await gateway.close();
      following.abort();
      await Promise.all([...mounted.values()].map((one) => one.stop()));
      await host.tails.close();
      if (everything) await Promise.all([postgres.stop(), sandbox.stop()]);
    },
  };
}
