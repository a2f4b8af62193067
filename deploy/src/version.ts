import { readFileSync } from "node:fs";
import { join } from "node:path";
import { checkoutRoot } from "./state/checkout.ts";

/** The version of this checkout, as its package.json says; the footer shows it. */
export const version = (): string =>
  JSON.parse(readFileSync(join(checkoutRoot(), "package.json"), "utf8")).version;
