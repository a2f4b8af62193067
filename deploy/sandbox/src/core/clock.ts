import type { Store } from "./store.ts";

/** Ticking: real time plus an offset. Stopped: moves only when told. */
type ClockState =
  | { ticking: true; offset_ms: number; revision: number }
  | { ticking: false; now: string; revision: number };

/** How the clock begins when the journal does not know yet: ticking with real time, or stopped at an instant. */
export type ClockStart = "ticking" | string;

/** The virtual clock that the partners and the product's business time follow. */
export class VirtualClock {
  private readonly cell;
  private waiting = new Set<() => void>();

  constructor(store: Store, start: ClockStart) {
    if (start !== "ticking" && Number.isNaN(Date.parse(start)))
      throw new Error(`SANDBOX_CLOCK must be "ticking" or an ISO instant, not ${start}`);
    this.cell = store.cell<{ clock: ClockState }, ClockState>(
      "clock",
      () => ({
        clock:
          start === "ticking"
            ? { ticking: true, offset_ms: 0, revision: 0 }
            : { ticking: false, now: new Date(start).toISOString(), revision: 0 },
      }),
      (state, clock) => {
        state.clock = clock;
      },
    );
  }

  now(): Date {
    const { clock } = this.cell.state();
    return clock.ticking ? new Date(Date.now() + clock.offset_ms) : new Date(clock.now);
  }

  get revision(): number {
    return this.cell.state().clock.revision;
  }

  get ticking(): boolean {
    return this.cell.state().clock.ticking;
  }

  /** Moves forward to an instant; it never goes back. */
  moveTo(instant: Date): void {
    if (instant.getTime() < this.now().getTime())
      throw new Error(
        `The clock stands at ${this.now().toISOString()} and cannot go back to ${instant.toISOString()}`,
      );
    const revision = this.revision + 1;
    this.cell.record(
      this.ticking
        ? { ticking: true, offset_ms: instant.getTime() - Date.now(), revision }
        : { ticking: false, now: instant.toISOString(), revision },
    );
    this.wake();
  }

  /** Answers at once when the revision is beyond `after`, else when it changes, at the latest after `waitMs` of real time. */
  async seenAfter(after: number, waitMs: number): Promise<void> {
    if (this.revision > after || waitMs <= 0) return;
    await new Promise<void>((resolve) => {
      const done = () => {
        clearTimeout(timer);
        this.waiting.delete(done);
        resolve();
      };
      const timer = setTimeout(done, waitMs);
      this.waiting.add(done);
    });
  }

  /** Lets everybody who waits for a change look again. */
  wake(): void {
    for (const done of [...this.waiting]) done();
  }
}
