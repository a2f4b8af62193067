import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Stripe from "stripe";
import { afterEach, expect, test } from "vitest";
import { brandWith, charge } from "./stripe-world.ts";

const children: ChildProcess[] = [];
afterEach(() => {
  for (const child of children.splice(0)) child.kill("SIGKILL");
});

/** The whole sandbox as a process of its own, and the SDK that talks to it. */
async function start(directory: string) {
  const child = spawn(process.execPath, ["deploy/scripts/run.mjs", "deploy/sandbox/src/main.ts"], {
    cwd: join(import.meta.dirname, "../../.."),
    env: { ...process.env, NODE_ENV: "test", SANDBOX_DATA: directory, SANDBOX_CLOCK: "2026-02-03T08:05:00Z" },
    stdio: ["ignore", "pipe", "inherit"],
  });
  children.push(child);
  const [line] = (await once(child.stdout!, "data")) as [Buffer];
  const { sandbox: url } = JSON.parse(line.toString()) as { sandbox: string };
  const { port } = new URL(url);
  const stripe = new Stripe("sk_test_sandbox", {
    host: "127.0.0.1",
    port: Number(port),
    protocol: "http",
    telemetry: false,
  });
  return { child, url, stripe };
}

test("a sandbox killed with -9 between an order and its answer charges once, when it is asked again with the same key", async () => {
  const directory = mkdtempSync(join(tmpdir(), "stripe-kill-"));
  const first = await start(directory);
  const brand = await brandWith(first.stripe, "pm_card_visa");
  const headers = { "content-type": "application/json" };
  const fault = { partner: "stripe", path_regex: "payment_intents$", times: 2, action: "reset_after" };
  await fetch(`${first.url}/_sandbox/faults`, { method: "POST", headers, body: JSON.stringify(fault) });
  const order = (stripe: Stripe) =>
    stripe.paymentIntents.create(charge(brand, 3134), {
      idempotencyKey: "chg:2026-01:acme:platform:a1",
      maxNetworkRetries: 0,
    });
  await expect(order(first.stripe)).rejects.toMatchObject({ type: "StripeConnectionError" });
  first.child.kill("SIGKILL");
  await once(first.child, "exit");

  const second = await start(directory);
  const again = await order(second.stripe);
  expect([again.status, again.lastResponse.headers["idempotent-replayed"]]).toEqual(["succeeded", "true"]);
  const ledger = await (await fetch(`${second.url}/_sandbox/stripe/ledger`)).json();
  expect(ledger).toMatchObject({
    balances: { external: -3134, fees: 121, platform: 3013 },
    sum: 0,
    charges: [{ status: "succeeded" }],
  });
});
