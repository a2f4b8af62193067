import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { App } from "@tributary/runtime/testing/harness";
import { onTestFinished } from "vitest";
import { bundleFor } from "../../../../deploy/scripts/bundle.mjs";

/** The partner sandbox as a process of its own, over data that is thrown away with the test; its clock stands still. */
export class Sandbox {
  private constructor(readonly url: string) {}

  static async open(clock: string): Promise<Sandbox> {
    const built = await bundleFor("deploy/sandbox/src/main.ts");
    const directory = mkdtempSync(join(tmpdir(), "attribution-sandbox-"));
    const child = spawn(process.execPath, [built], {
      stdio: ["ignore", "pipe", "inherit"],
      env: { PATH: process.env.PATH, SANDBOX_DATA: directory, SANDBOX_PORT: "0", SANDBOX_CLOCK: clock },
    });
    const ended = new Promise((resolve) => child.once("exit", resolve));
    onTestFinished(async () => {
      child.kill("SIGKILL");
      await ended;
      rmSync(directory, { recursive: true, force: true });
    });
    const url = await new Promise<string>((resolve, reject) => {
      child.once("exit", (code) => reject(new Error(`the sandbox ended with ${code}`)));
      child.stdout!.once("data", (line: Buffer) => resolve(JSON.parse(line.toString()).sandbox));
    });
    return new Sandbox(url);
  }

  /** What a service needs to know to take the sandbox for the retailer. */
  get env(): Record<string, string> {
    return {
      LWA_CLIENT_ID: "amzn1.application-oa2-client.tributary-sandbox",
      LWA_CLIENT_SECRET: "amzn1.oa2-cs.v1.tributary-sandbox",
      AMAZON_CONSENT_URL: `${this.url}/amazon/ap/oa`,
      AMAZON_TOKEN_URL: `${this.url}/amazon/auth/o2/token`,
      AMAZON_ADS_URL: `${this.url}/amazon-ads`,
      AMAZON_RETAIL_URL: `${this.url}/shop`,
      PUBLIC_URL: "http://127.0.0.1:3000",
      TOKEN_KEY: Buffer.alloc(32, 7).toString("base64"),
    };
  }

  async control(method: string, path: string, body?: unknown) {
    const answer = await fetch(`${this.url}/_sandbox/${path}`, { method, body: JSON.stringify(body) });
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
    return answer.json();
  }

  /** Lets it become the same moment on both sides. */
  async become(app: App, to: string): Promise<void> {
    await this.control("POST", "clock", { to });
    app.clock.set(to);
    await app.settled();
  }

  /** A seller agrees on the retailer's page and is sent back with this. */
  async agree(consentUrl: string, account = "ok"): Promise<{ code: string; state: string }> {
    const answer = await fetch(`${consentUrl}&auto=approve&account=${account}`, { redirect: "manual" });
    const back = new URL(answer.headers.get("location")!);
    return { code: back.searchParams.get("code")!, state: back.searchParams.get("state")! };
  }
}
