import { loadavg } from "node:os";
import { parseArgs } from "node:util";
import { accrualFigures } from "./bench/accrual.ts";
import { appendFigures } from "./bench/append.ts";
import { rebuildFigures } from "./bench/rebuild.ts";
import { redirectFigures } from "./bench/redirect.ts";
import { demoFigures, startFigures } from "./bench/starts.ts";
import { asJson, asTable, type Figure, holds } from "./bench/table.ts";
import { visibleFigures } from "./bench/visible.ts";

const BUSY = 3;

const measures: Readonly<Record<string, () => Promise<Figure[]>>> = {
  append: appendFigures,
  rebuild: rebuildFigures,
  redirect: redirectFigures,
  visible: visibleFigures,
  accrual: accrualFigures,
  start: startFigures,
  demo: demoFigures,
};

/**
 * `npm run bench [-- --json] [-- --only append,rebuild]`: what the product costs beside bare peers of the same run. Only ratios
 * count, for absolute figures are the machine's. Exit code 1: a goal was missed.
 */
async function main(args: readonly string[]): Promise<number> {
  const { values } = parseArgs({
    args: [...args],
    options: { json: { type: "boolean", default: false }, only: { type: "string" } },
  });
  const begun = performance.now();
  const [load = 0] = loadavg();
  const asked = values.only?.split(",") ?? Object.keys(measures);
  const figures: Figure[] = [];
  for (const name of asked) {
    const measure = measures[name];
    if (!measure) throw new Error(`--only knows ${Object.keys(measures).join(", ")}, not ${name}`);
    process.stderr.write(`measuring ${name} ...\n`);
    figures.push(...(await measure()));
  }
  const say = (line: string): void => void process.stderr.write(`${line}\n`);
  if (values.json) process.stdout.write(`${asJson(figures)}\n`);
  else process.stdout.write(`${asTable(figures).join("\n")}\n`);
  say(`measured in ${((performance.now() - begun) / 1000).toFixed(0)} s`);
  if (load > BUSY)
    say(`invalid: the machine was busy with other work (load ${load.toFixed(1)} at the start)`);
  return figures.some((figure) => holds(figure) === false) ? 1 : 0;
}

main(process.argv.slice(2)).then(
  (code) => {
    process.exitCode = code;
  },
  (error: unknown) => {
    process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
    process.exitCode = 1;
  },
);
