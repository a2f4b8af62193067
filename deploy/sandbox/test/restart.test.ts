import { type ChildProcess, spawn } from "node:child_process";
import { appendFileSync, mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { afterEach, beforeAll, describe, expect, it } from "vitest";

let program: string;
const children: ChildProcess[] = [];

beforeAll(async () => {
  program = join(mkdtempSync(join(tmpdir(), "sandbox-built-")), "sandbox.cjs");
  await build({
    entryPoints: [fileURLToPath(new URL("../src/main.ts", import.meta.url))],
    outfile: program,
    bundle: true,
    platform: "node",
    format: "cjs",
    logLevel: "error",
  });
});
afterEach(() => {
  for (const child of children.splice(0)) child.kill("SIGKILL");
});

function spawnSandbox(env: Record<string, string>) {
  const { PATH = "" } = process.env;
  const child = spawn(process.execPath, [program], { env: { PATH, SANDBOX_PORT: "0", ...env } });
  children.push(child);
  const said = { out: "", err: "" };
  child.stdout.on("data", (part) => {
    said.out += part;
  });
  child.stderr.on("data", (part) => {
    said.err += part;
  });
  return { child, said };
}

/** Starts a sandbox process and answers its address once it has printed it. */
async function start(directory: string, env: Record<string, string> = {}) {
  const { child, said } = spawnSandbox({
    SANDBOX_DATA: directory,
    SANDBOX_CLOCK: "2026-01-01T08:00:00Z",
    SANDBOX_SEED: "7",
    ...env,
  });
  const url = await new Promise<string>((resolve, reject) => {
    child.stdout.on("data", () => {
      if (said.out.includes("\n")) resolve((JSON.parse(said.out) as { sandbox: string }).sandbox);
    });
    child.once("exit", (code) => reject(new Error(`exit ${code}: ${said.err}`)));
  });
  return { url, child, said };
}

async function kill(child: ChildProcess): Promise<void> {
  const gone = new Promise((resolve) => child.once("exit", resolve));
  child.kill("SIGKILL");
  await gone;
}

async function call(url: string, method: string, body?: unknown, headers: Record<string, string> = {}) {
  const answer = await fetch(url, {
    method,
    headers: { "content-type": "application/json", accept: "application/json", ...headers },
    body: body === undefined ? undefined : JSON.stringify(body),
  });
  return answer.json();
}

const signIn = "/identitytoolkit.googleapis.com/v1/accounts:signInWithPassword?key=k";
const signUp = "/identitytoolkit.googleapis.com/v1/accounts:signUp?key=k";
const ana = { email: "ana@example.com", password: "secret1", returnSecureToken: true };

describe("a sandbox that is killed with -9", () => {
  it("comes back with its people, its shoppers, its mail, its webhook endpoints and its clock", async () => {
    const directory = mkdtempSync(join(tmpdir(), "sandbox-"));
    const first = await start(directory);
    const { localId } = await call(first.url + signUp, "POST", ana);
    await call(`${first.url}/identitytoolkit.googleapis.com/v1/accounts:sendOobCode?key=k`, "POST", {
      requestType: "PASSWORD_RESET",
      email: ana.email,
    });
    await call(`${first.url}/_sandbox/webhooks`, "PUT", {
      stripe: { url: "http://127.0.0.1:9/h", secret: "whsec_x" },
    });
    await call(`${first.url}/_sandbox/clock`, "POST", { advance: "P3D" });
    await call(`${first.url}/_sandbox/shopper`, "POST", {
      shopper: "s",
      purchases: [{ asin: "B0CEDAR001", qty: 1, price: "5.00" }],
    });
    const before = await call(`${first.url}/_sandbox/amazon/attribution`, "GET");
    await kill(first.child);

    const second = await start(directory);
    expect(await call(second.url + signIn, "POST", ana)).toMatchObject({ localId });
    expect(await call(`${second.url}/_sandbox/amazon/attribution`, "GET")).toEqual(before);
    expect((await call(`${second.url}/_sandbox/mail`, "GET")).mails).toMatchObject([{ to: ana.email }]);
    expect((await call(`${second.url}/_sandbox/webhooks`, "GET")).endpoints.stripe.secret).toBe("whsec_x");
    expect(await call(`${second.url}/_sandbox/clock`, "GET")).toEqual({
      now: "2026-01-04T08:00:00.000Z",
      revision: 1,
      ticking: false,
    });
  });

  it("loses nothing it has answered for, whenever the kill comes", async () => {
    const directory = mkdtempSync(join(tmpdir(), "sandbox-"));
    const promised: string[] = [];
    for (let round = 0; round < 3; round++) {
      const { url, child } = await start(directory);
      const sending = Array.from({ length: 8 }, async (_, writer) => {
        for (let n = 0; ; n++) {
          const email = `r${round}w${writer}n${n}@example.com`;
          await call(url + signUp, "POST", { ...ana, email });
          promised.push(email);
          if (promised.length > (round + 1) * 60) await kill(child);
        }
      });
      const ended = await Promise.allSettled(sending);
      expect(ended.every(({ status }) => status === "rejected")).toBe(true);
    }
    const { url } = await start(directory);
    for (const email of promised)
      expect(await call(url + signIn, "POST", { ...ana, email })).toMatchObject({ email });
    expect(promised.length).toBeGreaterThan(180);
  });

  it("drops a torn last line aloud and goes on", async () => {
    const directory = mkdtempSync(join(tmpdir(), "sandbox-"));
    const first = await start(directory);
    await call(first.url + signUp, "POST", ana);
    await kill(first.child);
    const journal = join(directory, "sandbox.journal");
    const whole = readFileSync(journal, "utf8");
    appendFileSync(journal, '{"cell":"identity","draws":9,"cha');
    const second = await start(directory);
    expect(second.said.err).toContain("dropped a torn last line");
    expect(await call(second.url + signIn, "POST", ana)).toMatchObject({ email: ana.email });
    expect(readFileSync(journal, "utf8").startsWith(whole)).toBe(true);
    await kill(second.child);
    expect((await start(directory)).said.err).toBe("");
  });

  it("draws the same ids from the same seed as one that was never killed", async () => {
    const ids = async (killAfter: number | null) => {
      const directory = mkdtempSync(join(tmpdir(), "sandbox-"));
      let running = await start(directory);
      const drawn: string[] = [];
      for (let n = 0; n < 4; n++) {
        const { localId } = await call(running.url + signUp, "POST", { ...ana, email: `p${n}@example.com` });
        drawn.push(localId);
        if (n !== killAfter) continue;
        await kill(running.child);
        running = await start(directory);
      }
      return drawn;
    };
    const undisturbed = await ids(null);
    expect(await ids(1)).toEqual(undisturbed);
    expect(new Set(undisturbed).size).toBe(4);
  });
});

describe("a sandbox refuses to start", () => {
  it.each<[Record<string, string>, string]>([
    [{ NODE_ENV: "production", SANDBOX_DATA: "d" }, "refuses to start in production"],
    [{ HOST: "0.0.0.0", SANDBOX_DATA: "d" }, "HOST=0.0.0.0 is refused"],
    [{}, "SANDBOX_DATA must name"],
    [{ SANDBOX_DATA: "d", SANDBOX_PORT: "many" }, "SANDBOX_PORT=many is no port"],
    [{ SANDBOX_DATA: "d", SANDBOX_CLOCK: "noon" }, 'SANDBOX_CLOCK must be "ticking"'],
  ])("with %o", async (env, reason) => {
    const data: Record<string, string> =
      "SANDBOX_DATA" in env ? { SANDBOX_DATA: mkdtempSync(join(tmpdir(), "sandbox-")) } : {};
    const { child, said } = spawnSandbox({ ...env, ...data });
    const code = await new Promise((resolve) => child.once("close", resolve));
    expect([code, said.err]).toEqual([1, expect.stringContaining(reason)]);
  });
});
