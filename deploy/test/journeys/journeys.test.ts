import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { NewEvent, Owner } from "@tributary/contracts/event";
import { Folding } from "@tributary/runtime/read-models/fold";
import { databaseOf } from "@tributary/runtime/store/migrate";
import { type Story, sameInEveryInterleaving, told } from "@tributary/runtime/testing/interleavings";
import pg from "pg";
import { expect, onTestFinished, test } from "vitest";
import { startEight } from "../../src/eight.ts";
import { startLocal } from "../../src/local.ts";
import { listeners, ownerOf } from "../../src/services.ts";
import { freePort } from "../../src/state/free-port.ts";
import { steps } from "../../src/state/steps.ts";
import { BEGINS, roadOfOneSale } from "./road-of-one-sale.ts";

const settings = { SYNC_HOURLY: "off" };

function directory(): string {
  const made = mkdtempSync(join(tmpdir(), "tributary-journey-"));
  onTestFinished(() => rmSync(made, { recursive: true, force: true }));
  return made;
}

/** Everything that was recorded in these logs, stream by stream, as it would be heard. */
async function recordedStreams(adminUrl: string, logs: readonly string[]): Promise<Story[]> {
  const streams = new Map<string, NewEvent[]>();
  for (const log of logs) {
    const client = new pg.Client({ connectionString: databaseUrl(adminUrl, databaseOf(ownerOf(log))) });
    await client.connect();
    const { rows } = await client.query(
      `select stream, type, data from ${log}.events order by stream, version`,
    );
    await client.end();
    for (const { stream, type, data } of rows) {
      const events = streams.get(stream) ?? [];
      streams.set(stream, events);
      events.push({ type, owner: log as Owner, data, json: data });
    }
  }
  return [...streams].map(([stream, events]) => [stream, ...events]);
}

function databaseUrl(adminUrl: string, database: string): string {
  const url = new URL(adminUrl);
  url.pathname = `/${database}`;
  return url.href;
}

test("the road of one sale, in one process; every read model is the same in whatever order its streams are heard", async () => {
  const local = await startLocal({
    steps: steps(() => undefined),
    directory: directory(),
    port: await freePort(),
    clock: BEGINS,
    settings,
  });
  onTestFinished(() => local.stop(true));
  await roadOfOneSale(local);
  for (const service of listeners)
    for (const model of service.readModels) {
      const streams = await recordedStreams(local.adminUrl, new Folding(model).sources);
      expect(() => sameInEveryInterleaving(model, told(model, streams)), model.name).not.toThrow();
    }
}, 180_000);

test("the road of one sale, as eight processes", async () => {
  const eight = await startEight({ directory: directory(), clock: BEGINS, settings });
  onTestFinished(() => eight.stop());
  await roadOfOneSale(eight);
}, 240_000);
