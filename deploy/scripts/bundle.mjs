import { createHash, randomBytes } from "node:crypto";
import {
  existsSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join, relative, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

/** The checkout this script stands in; every bundle of it lands in its `.tributary/build`. */
export const checkout = resolve(dirname(fileURLToPath(import.meta.url)), "../..");

const buildDir = join(checkout, ".tributary/build");
const underWay = new Map();

/**
 * Bundles a TypeScript entry of this repository for Node 20 and gives the path of the built file. Npm packages stay
 * outside the bundle. Nothing is built when no source has changed; processes that ask at once never see half a file.
 */
export function bundleFor(entryPath) {
  const entry = resolve(checkout, entryPath);
  if (!underWay.has(entry))
    underWay.set(
      entry,
      freshOrBuilt(entry).finally(() => underWay.delete(entry)),
    );
  return underWay.get(entry);
}

async function freshOrBuilt(entry) {
  const name = relative(checkout, entry)
    .replace(/\.[cm]?tsx?$/, "")
    .replace(/[^A-Za-z0-9]+/g, "-")
    .replace(/^-|-$/g, "");
  const built = join(buildDir, `${name}.mjs`);
  const record = join(buildDir, `${name}.inputs.json`);
  if (existsSync(built) && existsSync(record) && unchanged(JSON.parse(readFileSync(record, "utf8"))))
    return built;

  mkdirSync(buildDir, { recursive: true });
  const draft = join(buildDir, `${name}.${process.pid}-${randomBytes(4).toString("hex")}.mjs`);
  const inputs = await build(entry, draft);
  renameSync(`${draft}.map`, `${built}.map`);
  writeFileSync(draft, readFileSync(draft, "utf8").replaceAll(`${basename(draft)}.map`, `${name}.mjs.map`));
  renameSync(draft, built);
  writeFileSync(`${draft}.inputs`, JSON.stringify(inputs));
  renameSync(`${draft}.inputs`, record);
  return built;
}

/** Builds into `outfile` and tells which files went in, each with its state as it stood before it was read. */
async function build(entry, outfile) {
  const esbuild = await import("esbuild");
  const states = {};
  const note = (path) => {
    states[path] ??= stateOf(path);
  };
  note(fileURLToPath(import.meta.url));
  note(join(checkout, "package-lock.json"));
  await esbuild.build({
    absWorkingDir: checkout,
    entryPoints: [entry],
    outfile,
    bundle: true,
    platform: "node",
    format: "esm",
    target: "node20",
    packages: "external",
    sourcemap: true,
    loader: { ".sql": "text" },
    logLevel: "error",
    plugins: [workspaces(note), sourceAddresses(note)],
  });
  return states;
}

/** Packages of this repository are bundled: they are TypeScript, which Node cannot import. */
const workspaces = (note) => ({
  name: "workspaces",
  setup(build) {
    build.onResolve({ filter: /^@tributary\/[^/]+\/./ }, ({ path }) => {
      const [, name, subpath] = path.match(/^(@tributary\/[^/]+)\/(.+)$/);
      const home = realpathSync(join(checkout, "node_modules", name));
      const manifest = join(home, "package.json");
      note(manifest);
      const { exports } = JSON.parse(readFileSync(manifest, "utf8"));
      const target = exports[`./${subpath}`] ?? exports["./*"]?.replace("*", subpath);
      return target
        ? { path: join(home, target) }
        : { errors: [{ text: `${name} does not export ./${subpath}` }] };
    });
  },
});

/** A bundled file keeps the address of its source, so that what it looks up beside itself is still found. */
const sourceAddresses = (note) => ({
  name: "source-addresses",
  setup(build) {
    build.onLoad({ filter: /\.[cm]?[jt]sx?$/ }, ({ path }) => {
      note(path);
      const contents = readFileSync(path, "utf8").replace(
        /\bimport\.meta\.(url|dirname|filename)\b/g,
        (_, field) =>
          JSON.stringify({ url: pathToFileURL(path).href, dirname: dirname(path), filename: path }[field]),
      );
      return { contents, loader: path.endsWith("x") ? "tsx" : "ts" };
    });
    build.onLoad({ filter: /\.(sql|json)$/ }, ({ path }) => note(path));
  },
});

const unchanged = (inputs) => Object.entries(inputs).every(([path, state]) => stateOf(path) === state);

function stateOf(path) {
  const { mtimeMs, size } = statSync(path, { throwIfNoEntry: false }) ?? { mtimeMs: 0, size: -1 };
  return createHash("sha256").update(`${mtimeMs}:${size}`).digest("hex").slice(0, 16);
}
