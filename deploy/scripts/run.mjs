import { relative, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { bundleFor, checkout } from "./bundle.mjs";

/** `node deploy/scripts/run.mjs <entry.ts> [args]` runs a TypeScript entry of this repository as this very process. */
const [entry, ...args] = process.argv.slice(2);
if (!entry) {
  process.stderr.write("usage: node deploy/scripts/run.mjs <entry.ts> [args]\n");
  process.exit(2);
}
const built = await bundleFor(relative(checkout, resolve(entry)));
process.setSourceMapsEnabled(true);
process.argv = [process.argv[0], built, ...args];
await import(pathToFileURL(built).href);
