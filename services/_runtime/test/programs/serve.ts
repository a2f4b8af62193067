import pg from "pg";
import { PostgresLog } from "../../src/log/postgres-log.ts";
import { Tails } from "../../src/log/tails.ts";
import { logger } from "../../src/logs.ts";
import { mount } from "../../src/mount.ts";
import { SetClock } from "../../src/ports/clock.ts";
import { realNetwork } from "../../src/ports/network.ts";
import { systemRandom } from "../../src/ports/random.ts";
import type { Service } from "../../src/service.ts";
import { toy } from "../toy.ts";
import { till } from "../toys/till.ts";
import { pricedShelves, pricedShelvesAnew } from "../toys/two-versions.ts";
import { welcome } from "../toys/welcome.ts";
import { configured, say, told } from "./telling.ts";

const services: Record<string, Service> = { toy, till, welcome, pricedShelves, pricedShelvesAnew };

/** Which service to serve, and where in its work to stop or die. */
export interface Serving {
  readonly service: string;
  readonly now: string;
  readonly key: string;
  readonly urls: Record<string, { readonly url: string; readonly readerUrl: string }>;
  readonly env?: Record<string, string>;
  /** Dies by kill -9 at the nth append that carries events of this type: before it is sent, or when it stands but nobody knows. */
  readonly dies?: { readonly type: string; readonly nth: number; readonly when: "before" | "after" };
  /** Says that it is about to append an event of this type for the first time, and waits to be told. */
  readonly waits?: { readonly type: string };
}

const config = configured<Serving>();

/** Stands between the runtime and its database, where a process can be caught between two steps. */
function catchAppends(): void {
  const pass = pg.Pool.prototype.query as unknown as (this: pg.Pool, query: unknown) => Promise<unknown>;
  const carries = (query: unknown, type: string): boolean =>
    ((query as { values?: unknown[] }).values ?? []).some(
      (value) => Array.isArray(value) && value.includes(type),
    );
  const isAppend = (query: unknown): boolean =>
    String((query as { text?: string }).text).includes(".append(");
  const { dies, waits } = config;
  let appends = 0;
  let waited = false;
  const caught = async function (this: pg.Pool, query: unknown, ...more: unknown[]): Promise<unknown> {
    const through = () => (pass as (...all: unknown[]) => Promise<unknown>).call(this, query, ...more);
    if (waits && !waited && isAppend(query) && carries(query, waits.type)) {
      waited = true;
      await say("about to append");
      await told("append");
    }
    if (!dies || !isAppend(query) || !carries(query, dies.type) || ++appends < dies.nth) return through();
    if (dies.when === "after") await through();
    process.kill(process.pid, "SIGKILL");
    return new Promise(() => undefined);
  };
  pg.Pool.prototype.query = caught as never;
}
catchAppends();

const service = services[config.service]!;
const silent = logger(service.name, process.env.LOG_LEVEL ?? "error");
const clock = new SetClock(config.now);
const tails = new Tails((source) => new PostgresLog(source, config.urls[source]!.readerUrl, silent), silent);
const mounted = await mount(service, {
  process: String(process.pid),
  env: config.env ?? {},
  clock,
  random: systemRandom,
  network: realNetwork,
  tails,
  logger: () => silent,
  databaseUrl: (name) => config.urls[name]!.url,
  internalKey: () => config.key,
});
const address = await mounted.app.listen({ port: 0, host: "127.0.0.1" });
process.on("message", async (message: { say: string; now?: string }) => {
  if (message.say === "clock") clock.set(message.now!);
  if (message.say === "quiet?") await say("quiet", await mounted.quiet());
});
process.once("SIGTERM", async () => {
  await mounted.stop();
  await tails.close();
  await say("stopped");
  process.disconnect!();
});
await say("ready", { address });
