import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import type { Plugin } from "vite";

/** What gets smaller by it; pictures and fonts are compressed already. */
const WORTH_IT = /\.(js|css|svg)$/;

/** Writes every asset in brotli and gzip beside itself, once at build time, so that the gateway only has to choose. */
export function precompressed(): Plugin {
  let assets = "";
  return {
    name: "precompressed",
    apply: "build",
    configResolved({ root, build }) {
      assets = join(root, build.outDir, build.assetsDir);
    },
    closeBundle() {
      for (const name of readdirSync(assets).filter((file) => WORTH_IT.test(file))) {
        const path = join(assets, name);
        const plain = readFileSync(path);
        const params = { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY };
        writeFileSync(`${path}.br`, brotliCompressSync(plain, { params }));
        writeFileSync(`${path}.gz`, gzipSync(plain, { level: constants.Z_BEST_COMPRESSION }));
      }
    },
  };
}
