import { createHmac, randomBytes } from "node:crypto";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { tributaryDir } from "./state/checkout.ts";
import { readState, writeState } from "./state/state-file.ts";

type Root = { readonly root: string };
const isRoot = (state: unknown): state is Root => typeof (state as Root | null)?.root === "string";

/** Secrets of this checkout's own system: drawn once, kept in a file only its owner may read, all others derived from it by name. */
export function localSecrets(directory: string = tributaryDir()): (name: string) => string {
  mkdirSync(directory, { recursive: true });
  const path = join(directory, "secrets.json");
  const known = readState(path, isRoot);
  const root = known?.root ?? randomBytes(32).toString("hex");
  if (!known) writeState(path, { root });
  return (name) => createHmac("sha256", root).update(name).digest("base64url");
}
