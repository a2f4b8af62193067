import { join } from "node:path";
import { grantAdmin } from "@tributary/identity/grant-admin";
import { identity } from "@tributary/identity/main";
import { mount } from "@tributary/runtime/mount";
import { realClock } from "@tributary/runtime/ports/clock";
import { hostOf } from "./host.ts";
import { startPostgres } from "./postgres/start-postgres.ts";
import { localSecrets } from "./secrets.ts";
import { tributaryDir } from "./state/checkout.ts";

/** `npm run admin -- grant <uid>`: the only way to become an admin without another admin (product specification, section 6). */
async function main([act, uid]: readonly string[]): Promise<void> {
  if (act !== "grant" || !uid) {
    process.stderr.write("usage: npm run admin -- grant <uid of the identity provider>\n");
    process.exitCode = 2;
    return;
  }
  const postgres = await startPostgres({ dataDir: join(tributaryDir(), "postgres"), name: "postgres" });
  const host = hostOf({
    process: "admin",
    env: {},
    clock: realClock,
    postgres: { host: "127.0.0.1", port: postgres.port },
    secret: localSecrets(),
  });
  const mounted = await mount(identity, host);
  try {
    const { reads, decide } = grantAdmin(uid);
    await mounted.acting("admin command").act(reads, decide);
    process.stdout.write(`${uid} is an admin\n`);
  } finally {
    await mounted.stop();
    await host.tails.close();
    if (!postgres.adopted) await postgres.stop();
  }
}

main(process.argv.slice(2)).catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
});
