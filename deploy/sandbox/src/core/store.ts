import {
  closeSync,
  existsSync,
  fsyncSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readFileSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";

interface Cell {
  state: unknown;
  draws: number;
  initial(): unknown;
  apply(state: unknown, change: unknown): void;
}

interface Line {
  cell: string;
  draws: number;
  change: unknown;
}

/**
 * The memory of the whole sandbox: one append-only file of changes, written before anybody hears of them and read again
 * at start. A killed process loses nothing it has answered for.
 */
export class Store {
  private readonly cells = new Map<string, Cell>();
  private readonly fd: number;
  private readonly path: string;
  private listeners: (() => void)[] = [];
  seed: number;

  constructor(directory: string, seed: number) {
    mkdirSync(directory, { recursive: true });
    this.path = join(directory, "sandbox.journal");
    this.seed = seed;
    const isNew = !existsSync(this.path);
    this.fd = openSync(this.path, "a+");
    if (isNew) this.begin();
  }

  private begin(): void {
    this.write({ sandbox: 1, seed: this.seed });
  }

  private write(line: unknown): void {
    const bytes = Buffer.from(`${JSON.stringify(line)}\n`);
    let written = 0;
    while (written < bytes.length) written += writeSync(this.fd, bytes, written);
  }

  /** Gives a part of the sandbox a memory of its own, under a name that must not change between releases. */
  cell<S, C>(name: string, initial: () => S, apply: (state: S, change: C) => void) {
    if (this.cells.has(name)) throw new Error(`Two parts of the sandbox call themselves ${name}`);
    const cell: Cell = { state: initial(), draws: 0, initial, apply: apply as Cell["apply"] };
    this.cells.set(name, cell);
    return {
      state: () => cell.state as S,
      record: (change: C) => {
        const line: Line = { cell: name, draws: cell.draws, change };
        this.write(line);
        cell.apply(cell.state, JSON.parse(JSON.stringify(change)));
        for (const heard of this.listeners) heard();
      },
      /** The number of the next draw from the seed. */
      draw: () => cell.draws++,
    };
  }

  /** Calls back after every recorded change. */
  onChange(heard: () => void): void {
    this.listeners.push(heard);
  }

  /** Reads the file into the cells; a torn last line (the process died while writing it) is cut off and told on stderr. */
  load(): void {
    const text = readFileSync(this.path, "utf8");
    const end = text.lastIndexOf("\n") + 1;
    if (end < text.length) {
      process.stderr.write(
        `sandbox: dropped a torn last line of ${this.path}: ${text.slice(end, end + 120)}\n`,
      );
      ftruncateSync(this.fd, Buffer.byteLength(text.slice(0, end)));
    }
    const lines = text.slice(0, end).split("\n").slice(0, -1);
    if (lines.length === 0) this.begin();
    lines.forEach((line, index) => {
      const parsed = JSON.parse(line) as Line & { sandbox?: number; seed?: number };
      if (parsed.sandbox !== undefined) {
        this.seed = parsed.seed ?? this.seed;
        return;
      }
      const cell = this.cells.get(parsed.cell);
      if (!cell)
        throw new Error(
          `${this.path}:${index + 1} belongs to ${parsed.cell}, which this sandbox does not play`,
        );
      cell.draws = parsed.draws;
      cell.apply(cell.state, parsed.change);
    });
  }

  /** Forgets everything, as on the first day, with another seed if one is given. */
  reset(seed: number = this.seed): void {
    ftruncateSync(this.fd, 0);
    this.seed = seed;
    this.begin();
    for (const cell of this.cells.values()) {
      cell.state = cell.initial();
      cell.draws = 0;
    }
  }

  close(): void {
    fsyncSync(this.fd);
    closeSync(this.fd);
  }
}
