import { type ChildProcess, spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { afterAll, beforeAll, expect, test } from "vitest";
import { bundleFor } from "../../deploy/scripts/bundle.mjs";
import { firebaseTokens } from "../src/firebase.ts";

const PROJECT = "tributary-sandbox";
let sandbox: ChildProcess;
let directory: string;
let url: string;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "tributary-identity-"));
  sandbox = spawn(process.execPath, [await bundleFor("deploy/sandbox/src/main.ts")], {
    env: { PATH: process.env.PATH, SANDBOX_DATA: directory },
    stdio: ["ignore", "pipe", "inherit"],
  });
  url = await new Promise((resolve, reject) => {
    sandbox.once("exit", (code) => reject(new Error(`the sandbox ended with ${code}`)));
    createInterface({ input: sandbox.stdout! }).once("line", (line) => resolve(JSON.parse(line).sandbox));
  });
  process.env.FIREBASE_AUTH_EMULATOR_HOST = new URL(url).host;
});

afterAll(async () => {
  delete process.env.FIREBASE_AUTH_EMULATOR_HOST;
  await stopSandbox();
  await rm(directory, { recursive: true });
});

async function stopSandbox(): Promise<void> {
  if (sandbox.exitCode !== null || sandbox.signalCode !== null) return;
  sandbox.removeAllListeners("exit");
  const ended = new Promise((resolve) => sandbox.once("exit", resolve));
  sandbox.kill();
  await ended;
}

async function signUp(email: string): Promise<{ idToken: string; localId: string }> {
  const answer = await fetch(`${url}/identitytoolkit.googleapis.com/v1/accounts:signUp?key=k`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ email, password: "secret1", returnSecureToken: true }),
  });
  return (await answer.json()) as { idToken: string; localId: string };
}

const forged = (token: string, change: Record<string, unknown>): string => {
  const [header, payload] = token.split(".") as [string, string];
  const claims = { ...JSON.parse(Buffer.from(payload, "base64url").toString()), ...change };
  return `${header}.${Buffer.from(JSON.stringify(claims)).toString("base64url")}.`;
};

test("the genuine SDK believes a token of the identity provider, and none that is anything else", async () => {
  const verify = firebaseTokens(PROJECT);
  const { idToken, localId } = await signUp("ana@example.com");
  expect(await verify(idToken)).toEqual({
    uid: localId,
    email: "ana@example.com",
    expires: expect.any(Number),
  });
  const past = Math.floor(Date.now() / 1000) - 7200;
  for (const token of [
    "garbage",
    "a.b.c",
    forged(idToken, { aud: "another-project" }),
    forged(idToken, { iss: "https://securetoken.google.com/another-project" }),
    forged(idToken, { exp: past + 3600, iat: past, auth_time: past }),
    forged(idToken, { sub: "nobody", user_id: "nobody" }),
  ])
    expect(await verify(token)).toBeNull();
});

test("an identity provider out of reach is no fault of the token", async () => {
  const { idToken } = await signUp("cleo@example.com");
  await stopSandbox();
  await expect(firebaseTokens(PROJECT)(idToken)).rejects.toMatchObject({
    status: 503,
    code: "identity_unavailable",
  });
});
