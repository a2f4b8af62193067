import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/** The root of the checkout: the directory of the package named "tributary" that holds this file. */
export function checkoutRoot(): string {
  for (let dir = dirname(fileURLToPath(import.meta.url)); dir !== dirname(dir); dir = dirname(dir)) {
    const manifest = join(dir, "package.json");
    if (existsSync(manifest) && JSON.parse(readFileSync(manifest, "utf8")).name === "tributary") return dir;
  }
  throw new Error(`${import.meta.url} does not stand in a checkout of tributary`);
}

/** `.tributary/` of the checkout (or TRIBUTARY_DIR), created when absent: data, and who was started here. */
export function tributaryDir(): string {
  const dir = process.env.TRIBUTARY_DIR ?? join(checkoutRoot(), ".tributary");
  mkdirSync(dir, { recursive: true });
  return dir;
}
