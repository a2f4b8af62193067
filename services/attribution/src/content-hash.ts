import { createHash } from "node:crypto";

/** sha256 of the fields in order of their names: equal exactly when the content is. */
export const contentHash = (content: Readonly<Record<string, unknown>>): string =>
  createHash("sha256")
    .update(
      JSON.stringify(
        Object.keys(content)
          .sort()
          .map((name) => [name, content[name]]),
      ),
    )
    .digest("hex");
