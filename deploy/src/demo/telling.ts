import type { Day } from "@tributary/contracts/dates";

/** Writes the story on the screen while it happens. */
export interface Telling {
  /** Text as it is, without an end of line. */
  write(text: string): void;
  /** One line of the story, with the virtual date before it. */
  tell(day: Day, line: string): void;
  /** A line that belongs to no day: headings, the table at the end. */
  say(line: string): void;
}

/** Tells by the writer given. */
export const telling = (write: (text: string) => void): Telling => ({
  write,
  tell: (day, line) => write(`${day}  ${line}\n`),
  say: (line) => write(`${line}\n`),
});

/** "1 sale", "3 sales". */
export const count = (number: number, noun: string): string => `${number} ${noun}${number === 1 ? "" : "s"}`;

/** Lines of a table: the first `left` columns are words and stand to the left, the others amounts and stand to the right. */
export function table(head: readonly string[], rows: readonly (readonly string[])[], left: number): string[] {
  const widths = head.map((title, column) =>
    Math.max(title.length, ...rows.map((row) => row[column]!.length)),
  );
  const line = (cells: readonly string[]): string =>
    cells
      .map((cell, column) => (column < left ? cell.padEnd(widths[column]!) : cell.padStart(widths[column]!)))
      .join("  ")
      .trimEnd();
  return [line(head), widths.map((width) => "-".repeat(width)).join("  "), ...rows.map(line)];
}
