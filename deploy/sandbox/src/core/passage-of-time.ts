import type { VirtualClock } from "./clock.ts";

/** What the product says when asked whether it has come to rest at the present moment. */
interface Quiet {
  quiet: boolean;
  next_due: string | null;
  waiting: string[];
}

/** Something of the sandbox that happens by itself. */
export interface Due {
  name: string;
  nextDue(): string | null;
  settle(): Promise<void>;
}

/** Time could not move on: somebody is busy for too long, or another advance is under way. */
export class TimeStuck extends Error {
  constructor(
    readonly status: 409 | 504,
    readonly waiting: string[],
    message: string,
  ) {
    super(message);
  }
}

const PATIENCE_MS = 120_000;
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/**
 * Lets things happen when they are due: by themselves while the clock ticks, and from due moment to due moment when it
 * is told to advance, each moment only after the product has come to rest in the one before.
 */
export class PassageOfTime {
  private advancing = false;
  private pumping: Promise<void> | null = null;
  private again = false;
  private changes = 0;
  private timer: NodeJS.Timeout | undefined;
  private looking = false;
  private closed = false;

  constructor(
    private readonly clock: VirtualClock,
    private readonly dues: () => Due[],
    private readonly quietUrl: () => string | null,
  ) {}

  /** The earliest thing that will happen by itself. */
  nextDue(): string | null {
    const dues = this.dues().map((due) => due.nextDue());
    return dues.reduce((first, due) => (due !== null && (first === null || due < first) ? due : first), null);
  }

  /** Something has changed: do what is due soon, and while the clock ticks wait for the next due moment. */
  stir(): void {
    if (this.closed || this.timer || this.pumping) return;
    const due = this.nextDue();
    if (due === null) return;
    const waitMs = Date.parse(due) - this.clock.now().getTime();
    if (waitMs > 0 && !this.clock.ticking) return;
    this.timer = setTimeout(
      () => {
        this.timer = undefined;
        this.settleDue().catch((error: unknown) => {
          process.stderr.write(`sandbox: ${error instanceof Error ? error.stack : String(error)}\n`);
        });
      },
      Math.min(Math.max(waitMs, 0), LONGEST_TIMER_MS),
    );
  }

  /** A change may have brought something forward: look anew, once for all changes of one turn. */
  changed(): void {
    this.changes++;
    if (this.pumping) {
      this.again = true;
      return;
    }
    if (this.looking) return;
    this.looking = true;
    setImmediate(() => {
      this.looking = false;
      clearTimeout(this.timer);
      this.timer = undefined;
      this.stir();
    });
  }

  /** Does everything due at or before now; what becomes due by that is done too. */
  settleDue(): Promise<void> {
    this.again = true;
    this.pumping ??= this.pump().finally(() => {
      this.pumping = null;
    });
    return this.pumping;
  }

  private async pump(): Promise<void> {
    while (this.again && !this.closed) {
      this.again = false;
      for (const due of this.dues()) {
        if (!this.isDue(due)) continue;
        const before = this.changes;
        await due.settle();
        if (this.isDue(due) && this.changes === before)
          throw new Error(`${due.name} was due at ${due.nextDue()} and did nothing about it`);
      }
    }
    // Not after a failure: what failed would fail again at once, and for ever.
    setImmediate(() => this.stir());
  }

  private isDue(due: Due): boolean {
    const next = due.nextDue();
    return next !== null && Date.parse(next) <= this.clock.now().getTime();
  }

  /** Goes to `target` from due moment to due moment; answers how many moments that took. */
  async advance(target: Date): Promise<number> {
    if (this.advancing) throw new TimeStuck(409, ["another advance"], "The clock is already being advanced");
    if (target.getTime() < this.clock.now().getTime())
      throw new TimeStuck(
        409,
        [],
        `The clock stands at ${this.clock.now().toISOString()} and cannot go back`,
      );
    this.advancing = true;
    try {
      for (let moments = 0; ; ) {
        await this.settleDue();
        const before = this.changes;
        const theirs = await this.productAtRest();
        const own = this.nextDue();
        const now = this.clock.now().getTime();
        // Whatever happened while the product was being asked may have given it new work.
        if (this.changes !== before || (own !== null && Date.parse(own) <= now)) continue;
        if (now >= target.getTime()) return moments;
        const next = [own, theirs]
          .filter((due) => due !== null)
          .map((due) => Date.parse(due))
          .reduce((first, due) => Math.min(first, due), target.getTime());
        this.clock.moveTo(new Date(Math.max(next, now)));
        moments++;
      }
    } finally {
      this.advancing = false;
    }
  }

  /** Waits until the product says it is quiet at this revision, and answers what it has to do next. */
  private async productAtRest(): Promise<string | null> {
    const url = this.quietUrl();
    if (url === null) return null;
    const giveUpAt = Date.now() + PATIENCE_MS;
    let waiting = [url];
    while (Date.now() < giveUpAt && !this.closed) {
      try {
        const answer = await fetch(`${url}?clock=${this.clock.revision}&wait=20000`, {
          signal: AbortSignal.timeout(40_000),
        });
        if (!answer.ok) throw new Error(`${url} answered ${answer.status}`);
        const said = (await answer.json()) as Quiet;
        const overdue = said.next_due !== null && Date.parse(said.next_due) <= this.clock.now().getTime();
        if (said.quiet && (!overdue || this.clock.ticking)) return said.next_due;
        waiting = overdue ? [...said.waiting, `what was due at ${said.next_due}`] : said.waiting;
      } catch (error) {
        waiting = [`${url}: ${error instanceof Error ? error.message : String(error)}`];
        await new Promise((resolve) => setTimeout(resolve, 200));
      }
    }
    throw new TimeStuck(
      504,
      waiting,
      `Not quiet at ${this.clock.now().toISOString()}: ${waiting.join(", ")}`,
    );
  }

  close(): void {
    this.closed = true;
    clearTimeout(this.timer);
  }
}
