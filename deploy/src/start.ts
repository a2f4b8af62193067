import { join } from "node:path";
import { grantAdmin } from "@tributary/identity/grant-admin";
import { type Local, startLocal } from "./local.ts";
import { SEEDED, seedLogins } from "./seeds.ts";
import { checkoutRoot, tributaryDir } from "./state/checkout.ts";
import { isFree } from "./state/free-port.ts";
import { identify, isAlive, type ProcessIdentity } from "./state/process-identity.ts";
import { forgetState, readState, writeState } from "./state/state-file.ts";
import { steps } from "./state/steps.ts";
import { buildWebIfStale } from "./web-build.ts";

type Started = ProcessIdentity & { readonly url: string };
const isStarted = (state: unknown): state is Started =>
  typeof (state as Started | null)?.pid === "number" && typeof (state as Started).url === "string";

const stateFile = join(tributaryDir(), "start.json");
const say = (line: string): boolean => process.stdout.write(`${line}\n`);

function portAsked(): number {
  const { PORT = "3000" } = process.env;
  const port = Number(PORT);
  if (!Number.isInteger(port) || port < 1 || port > 65_535) throw new Error(`PORT=${PORT} is no port`);
  return port;
}

function refuseElsewhere(): void {
  const { HOST, NODE_ENV } = process.env;
  if (NODE_ENV === "production")
    throw new Error("npm start runs against the partner sandbox and refuses to be production");
  if (HOST && HOST !== "127.0.0.1" && HOST !== "localhost") {
    throw new Error(
      `everything listens on 127.0.0.1 only; HOST=${HOST} is refused, for the sandbox and its log-ins stand open`,
    );
  }
}

function greet(url: string): void {
  say("");
  say(`Tributary is at ${url}`);
  say("");
  for (const [who, { email, password }] of Object.entries(SEEDED))
    say(`  ${who.padEnd(8)} ${email.padEnd(30)} password ${password}`);
  say("");
  say(`  Partners are played by a sandbox; its mailbox is at ${url}/_sandbox/mail. Ctrl-C stops everything.`);
}

async function main(): Promise<void> {
  refuseElsewhere();
  const running = readState(stateFile, isStarted);
  if (running && isAlive(running)) {
    say(`Tributary is running already (process ${running.pid}).`);
    greet(running.url);
    return;
  }
  const port = portAsked();
  if (!(await isFree(port)))
    throw new Error(`port ${port} is taken by another program; choose one with PORT=3001 npm start`);

  const told = steps();
  await told.step("Building the web application, if it has changed", () => buildWebIfStale(checkoutRoot()));
  const local = await startLocal({ steps: told, port, level: process.env.LOG_LEVEL ?? "warn" });
  writeState(stateFile, { ...identify(process.pid)!, url: local.url });
  stopOnSignal(local);
  await told.step("Making the log-ins", () => seedLogins(local.url, (uid) => grant(local, uid)));
  greet(local.url);
}

async function grant(local: Local, uid: string): Promise<void> {
  const { reads, decide } = grantAdmin(uid);
  await local.mounted.get("identity")!.acting("start").act(reads, decide);
}

function stopOnSignal(local: Local): void {
  let stopping = false;
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    process.on(signal, () => {
      if (stopping) process.exit(1);
      stopping = true;
      say("\nStopping; everything is kept. Once more to stop at once.");
      local.stop(true).then(
        () => {
          forgetState(stateFile);
          process.exit(0);
        },
        (error: unknown) => {
          process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
          process.exit(1);
        },
      );
    });
  }
}

main().catch((error: unknown) => {
  process.stderr.write(`\n${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
});
