import { join } from "node:path";
import { grantAdmin } from "@tributary/identity/grant-admin";
import { identity } from "@tributary/identity/main";
import type { Host } from "@tributary/runtime/host";
import { mount } from "@tributary/runtime/mount";
import { realClock } from "@tributary/runtime/ports/clock";
import { Checkpoints } from "@tributary/runtime/reactions/checkpoints";
import { openPool } from "@tributary/runtime/store/pool";
import { hostOf } from "./host.ts";
import { startPostgres } from "./postgres/start-postgres.ts";
import { localSecrets } from "./secrets.ts";
import { services } from "./services.ts";
import { tributaryDir } from "./state/checkout.ts";

const USAGE = `usage: npm run admin -- <act>
  grant <uid>                                          makes a user of the identity provider an admin
  held [service]                                       shows the events that wait, and why
  release <service> <reader> <source> <stream> <seq>   tries a failed event again at once
  discard <service> <reader> <source> <stream> <seq>   goes on without it: it will never be decided
`;

const say = (line: string): boolean => process.stdout.write(`${line}\n`);

/** The only way to become an admin without another admin (product specification, section 6). */
async function grant(host: Host, uid: string): Promise<void> {
  const mounted = await mount(identity, host);
  try {
    const { reads, decide } = grantAdmin(uid);
    await mounted.acting("admin command").act(reads, decide);
    say(`${uid} is an admin`);
  } finally {
    await mounted.stop();
  }
}

async function atTheTable<T>(
  host: Host,
  service: string,
  act: (held: Checkpoints) => Promise<T>,
): Promise<T> {
  const pool = openPool(host.databaseUrl(service), { max: 1, log: host.logger("admin") });
  try {
    return await act(new Checkpoints(pool));
  } finally {
    await pool.end();
  }
}

async function showHeld(host: Host, names: readonly string[]): Promise<void> {
  for (const name of names) {
    const rows = await atTheTable(host, name, (held) => held.held(null, null, 200));
    for (const { reader, source, stream, sequence, kind, cause, attempts, held_at } of rows)
      say(
        `${name} ${reader} ${source} ${stream} ${sequence}  ${kind} since ${held_at}, tried ${attempts} times: ${cause}`,
      );
    if (rows.length === 200) say(`${name}: and more`);
  }
}

async function run(host: Host, [act, ...rest]: readonly string[]): Promise<boolean> {
  if (act === "grant" && rest.length === 1) await grant(host, rest[0]!);
  else if (act === "held" && rest.length <= 1)
    await showHeld(host, rest.length === 1 ? rest : services.map(({ name }) => name));
  else if ((act === "release" || act === "discard") && rest.length === 5) {
    const [service, reader, source, stream, sequence] = rest as [string, string, string, string, string];
    const key = { reader, source, stream, sequence: Number(sequence) };
    const found = await atTheTable(host, service, (held) => held[act](key));
    if (!found) throw new Error(`${service} holds no such event; see npm run admin -- held ${service}`);
    say(
      act === "release"
        ? "It is tried again within a second."
        : "It is discarded; what waited behind it goes on.",
    );
  } else return false;
  return true;
}

async function main(words: readonly string[]): Promise<void> {
  const postgres = await startPostgres({ dataDir: join(tributaryDir(), "postgres"), name: "postgres" });
  const host = hostOf({
    process: "admin",
    env: {},
    clock: realClock,
    postgres: { host: "127.0.0.1", port: postgres.port },
    secret: localSecrets(),
  });
  try {
    if (await run(host, words)) return;
    process.stderr.write(USAGE);
    process.exitCode = 2;
  } finally {
    await host.tails.close();
    if (!postgres.adopted) await postgres.stop();
  }
}

main(process.argv.slice(2)).catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
});
