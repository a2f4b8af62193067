import { createHash } from "node:crypto";
import { canonical } from "@tributary/runtime/canonical";
import type { HeldDocument } from "@tributary/runtime/read-models/document-store";
import type { ReadModel } from "@tributary/runtime/read-models/read-model";
import { listeners } from "../services.ts";
import { documentPlace, isBuilt, tableOf } from "./documents.ts";
import type { Findings } from "./findings.ts";
import type { Ground } from "./ground.ts";
import { type Replayed, replay } from "./replay.ts";

/** The first place where two documents differ, and what stands there. */
function difference(
  live: unknown,
  replayed: unknown,
  path = "",
): [path: string, live: unknown, replayed: unknown] {
  const both = [live, replayed];
  if (both.every((one) => typeof one === "object" && one !== null)) {
    const [a, b] = both as Record<string, unknown>[];
    for (const key of [...new Set([...Object.keys(a!), ...Object.keys(b!)])].sort())
      if (canonical(a![key]) !== canonical(b![key]))
        return difference(a![key], b![key], path ? `${path}.${key}` : key);
  }
  return [path, live, replayed];
}

const whole = (value: unknown): bigint | null =>
  typeof value === "number" && Number.isInteger(value)
    ? BigInt(value)
    : typeof value === "string" && /^-?\d+$/.test(value)
      ? BigInt(value)
      : null;

/** Says where live and replayed bytes part, with the difference where both are whole numbers of the document's unit. */
function told(live: string, replayed: string): { what: string; amount: string | null } {
  const [path, a, b] = difference(JSON.parse(live), JSON.parse(replayed));
  const [x, y] = [whole(a), whole(b)];
  return {
    what: `${path} is ${canonical(a)}, replayed ${canonical(b)}`,
    amount: x !== null && y !== null ? (x - y).toString() : null,
  };
}

class Digest {
  readonly #hash = createHash("sha256");
  add = (id: string, bytes: string): unknown => this.#hash.update(`${id}\t${bytes}\n`);
  hex = (): string => this.#hash.digest("hex");
}

/** Compares one document; the bytes that both have in common are nothing to tell. */
function compare(
  live: { bytes: string | null; held: HeldDocument | null },
  replayed: Replayed,
): { what: string; amount: string | null } | "waits" | null {
  if ("stuck" in replayed)
    return live.held ? "waits" : { what: `its replay stops: ${replayed.stuck}`, amount: null };
  if (live.held) return { what: `held (${live.held.cause}), and its replay goes on`, amount: null };
  if (live.bytes === replayed.bytes) return null;
  if (live.bytes === null) return { what: "missing, and there when replayed", amount: null };
  if (replayed.bytes === null) return { what: "there, and nowhere when replayed", amount: null };
  return told(live.bytes, replayed.bytes);
}

async function modelReplaysAlike(
  ground: Ground,
  service: string,
  model: ReadModel<never>,
  seed: number,
  findings: Findings,
): Promise<void> {
  const table = tableOf(model);
  if (!(await isBuilt(ground, service, model))) return findings.count("read models not built yet");
  const replayed = await replay(ground, service, model, seed);
  const anew = new Digest();
  for (const [id, document] of [...replayed].sort(([a], [b]) => (a < b ? -1 : 1)))
    if ("bytes" in document && document.bytes !== null) anew.add(id, document.bytes);

  const standing = new Digest();
  const judge = (id: string, bytes: string | null, held: HeldDocument | null): void => {
    const verdict = compare({ bytes, held }, replayed.get(id) ?? { bytes: null });
    replayed.delete(id);
    if (verdict === "waits") findings.count("documents held");
    else if (verdict) findings.found(documentPlace(service, table, id), verdict.what, verdict.amount);
  };
  const rows = ground
    .state(service)
    .stream<{ id: string; doc: unknown; held: HeldDocument | null }>(
      `select id, doc, held from ${table} order by id`,
    );
  for await (const { id, doc, held } of rows) {
    const bytes = doc === null ? null : canonical(doc);
    if (bytes !== null) {
      standing.add(id, bytes);
      findings.count("documents");
    }
    judge(id, bytes, held);
  }
  for (const id of [...replayed.keys()]) judge(id, null, null);
  findings.count("read models");
  findings.digests[`${service} ${table}`] = { live: standing.hex(), replayed: anew.hex() };
}

/** I6: every live read model is, byte for byte, what its logs make of it from scratch, whatever order the partitions are read in. */
export async function replaysAlike(ground: Ground, findings: Findings, seed: number): Promise<void> {
  for (const { name, readModels } of listeners)
    for (const model of readModels) await modelReplaysAlike(ground, name, model, seed, findings);
}
