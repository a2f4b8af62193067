import type { z } from "zod";

/** Configuration is incomplete or wrong: one error that lists everything. */
export class BadConfig extends Error {
  constructor(problems: readonly string[]) {
    super(`the configuration is not complete:\n${problems.map((problem) => `  - ${problem}`).join("\n")}`);
    this.name = "BadConfig";
  }
}

/** Reads settings from an environment; variables it doesn't name are not looked at. Throws BadConfig with every problem of all of them. */
export function readSettings<T>(
  schemas: readonly z.ZodType<unknown>[],
  env: Readonly<Record<string, string | undefined>>,
): Map<z.ZodType<unknown>, T> {
  const problems: string[] = [];
  const read = new Map<z.ZodType<unknown>, T>();
  for (const schema of schemas) {
    const parsed = schema.safeParse(env);
    if (parsed.success) read.set(schema, parsed.data as T);
    else
      for (const { path, message } of parsed.error.issues)
        problems.push(`${path.join(".")}: ${env[path.join(".")] === undefined ? "is missing" : message}`);
  }
  if (problems.length > 0) throw new BadConfig(problems);
  return read;
}
