import { readFileSync } from "node:fs";
import { mount } from "@tributary/runtime/mount";
import { SetClock } from "@tributary/runtime/ports/clock";
import { followClock } from "@tributary/runtime/ports/follow-clock";
import { hostOf } from "./host.ts";
import { openGateway } from "./open-gateway.ts";
import { sandboxEnvironment } from "./sandbox-environment.ts";
import { localSecrets } from "./secrets.ts";
import { listeners, services } from "./services.ts";

/** What the eight programs are told alike: where data and secrets lie, the engines, and who listens where. */
export interface Plan {
  readonly directory: string;
  readonly postgresPort: number;
  readonly sandboxUrl: string;
  readonly url: string;
  readonly ports: Readonly<Record<string, number>>;
  readonly settings: Readonly<Record<string, string>>;
  readonly level: string;
}

/** One of the eight programs: `one-of-eight.mjs <name> <plan.json>`. Prints one line when it serves; ends in good order on SIGTERM. */
async function main([name, planPath]: readonly string[]): Promise<void> {
  const plan: Plan = JSON.parse(readFileSync(planPath!, "utf8"));
  const service = listeners.find((one) => one.name === name);
  if (!service) throw new Error(`there is no program ${name}`);
  const secret = localSecrets(plan.directory);
  const env = { ...sandboxEnvironment(plan.sandboxUrl, plan.url, secret), ...plan.settings };
  process.env.FIREBASE_AUTH_EMULATOR_HOST = env.FIREBASE_AUTH_EMULATOR_HOST;
  const clock = new SetClock(new Date().toISOString());
  const host = hostOf({
    process: name!,
    env,
    clock,
    postgres: { host: "127.0.0.1", port: plan.postgresPort },
    secret,
    level: plan.level,
  });
  const following = new AbortController();
  await followClock(plan.sandboxUrl, clock, host.logger(name!), following.signal);
  const mounted = await mount(service, host);
  const app =
    name === "gateway"
      ? openGateway({
          upstreams: Object.fromEntries(
            services.map((one) => [
              one.name,
              { kind: "remote" as const, url: `http://127.0.0.1:${plan.ports[one.name]}` },
            ]),
          ),
          own: [mounted],
          url: plan.url,
          sandboxUrl: plan.sandboxUrl,
          secret,
          env,
          log: host.logger("gateway"),
        })
      : mounted.app;
  await app.listen({ port: plan.ports[name!]!, host: "127.0.0.1" });
  process.stdout.write(`${JSON.stringify({ serving: name, pid: process.pid })}\n`);
  process.once("SIGTERM", () => {
    following.abort();
    Promise.resolve(name === "gateway" ? app.close() : undefined)
      .then(() => mounted.stop())
      .then(() => host.tails.close())
      .then(
        () => process.exit(0),
        (error: unknown) => {
          process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
          process.exit(1);
        },
      );
  });
}

main(process.argv.slice(2)).catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
  process.exit(1);
});
