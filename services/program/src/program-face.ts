import { TITLE_SUFFIX } from "@tributary/contracts/http/program";
import { unprocessable } from "@tributary/runtime/refusal";
import { sanitizeDescription, saysSomething } from "./sanitize-description.ts";

/** A program's title always ends with the same words. */
export const titled = (typed: string): string =>
  typed.endsWith(TITLE_SUFFIX) ? typed : `${typed}${TITLE_SUFFIX}`;

/** The description as it is kept: only what may be shown, and something to read. */
export function describedAs(typed: string): string {
  const description = sanitizeDescription(typed);
  if (saysSomething(description)) return description;
  const message = "Program description is required";
  throw unprocessable("invalid_description", message, [{ field: "description", message }]);
}
