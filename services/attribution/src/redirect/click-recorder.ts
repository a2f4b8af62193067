import type { Logger } from "@tributary/runtime/logs";

/** What the redirect notes of a shopper before it answers; turned into an event later. */
export interface Noted {
  readonly link_id: string;
  /** ISO 8601, UTC. */
  readonly at: string;
  readonly address: string;
  readonly agent: string;
  readonly referrer: string;
}

interface Page {
  readonly bytes: Buffer;
  length: number;
}

const FIELDS = 5;
/** A page holds some 300 clicks; one page is one append. */
const PAGE_BYTES = 64 * 1024;
/** Never more than 128 MB are held in memory; what comes on top is counted and lost. */
const MOST_PAGES = 2048;
/** Between two rounds the redirect has the processor to itself. A round writes a 40th of what waits, two pages at least. */
const REST_MS = 400;
const RETRY_MS = 1000;
const pagesOfRound = (waiting: number): number => Math.max(2, Math.ceil(waiting / 40));

/**
 * Takes clicks off the hot path: noting one is a line in a buffer, which costs no garbage, and one drain at a time writes them
 * in batches. A process that is killed loses the clicks since the last round: 400 ms of them, and up to 16 s of them while more
 * come than two pages per round can take (some 2000 a second).
 */
export class ClickRecorder {
  #pages: Page[] = [];
  #draining: Promise<void> | null = null;
  #lost = 0;
  #ending = false;

  constructor(
    private readonly record: (clicks: readonly Noted[]) => Promise<void>,
    private readonly pause: (milliseconds: number) => Promise<void>,
    private readonly log: Logger,
    private readonly background: (work: Promise<unknown>) => void,
  ) {}

  note(click: Noted): void {
    const line = `${click.link_id}\n${click.at}\n${click.address}\n${click.agent}\n${click.referrer}\n`;
    const page = this.#pageFor(line.length);
    if (!page) {
      this.#lost++;
      return;
    }
    page.length += page.bytes.write(line, page.length, "latin1");
    if (this.#draining) return;
    this.#draining = this.#drain();
    this.background(this.#draining);
  }

  /** Writes what is left, without rest; for the moment before the service stops. */
  async finish(): Promise<void> {
    this.#ending = true;
    await Promise.allSettled([this.#draining]);
    while (this.#pages.length > 0) await this.#write();
  }

  #pageFor(bytes: number): Page | null {
    const last = this.#pages.at(-1);
    if (last && last.length + bytes <= PAGE_BYTES) return last;
    if (this.#pages.length >= MOST_PAGES || bytes > PAGE_BYTES) return null;
    const page = { bytes: Buffer.allocUnsafe(PAGE_BYTES), length: 0 };
    this.#pages.push(page);
    return page;
  }

  async #drain(): Promise<void> {
    try {
      while (this.#pages.length > 0) {
        for (let round = pagesOfRound(this.#pages.length); round > 0 && this.#pages.length > 0; round--)
          await this.#write();
        if (this.#pages.length > 0 && !this.#ending) await this.pause(REST_MS);
      }
    } finally {
      this.#draining = null;
      if (this.#lost > 0) this.log.error({ lost: this.#lost }, "more clicks came than fit into memory");
      this.#lost = 0;
    }
  }

  /** A page that can't be written now goes back in front and is tried again a second later. */
  async #write(): Promise<void> {
    const page = this.#pages.shift()!;
    try {
      await this.record(read(page));
    } catch (error) {
      this.#pages.unshift(page);
      if (this.#ending) throw error;
      this.log.error({ err: error, pages: this.#pages.length }, "clicks could not be recorded");
      await this.pause(RETRY_MS);
    }
  }
}

/** A header can't hold a line break, so that lines are fields. */
function read({ bytes, length }: Page): Noted[] {
  const fields = bytes.toString("latin1", 0, length).split("\n");
  const clicks: Noted[] = [];
  for (let at = 0; at + FIELDS <= fields.length; at += FIELDS) {
    const [link_id, noted_at, address, agent, referrer] = fields.slice(at, at + FIELDS) as [
      string,
      string,
      string,
      string,
      string,
    ];
    clicks.push({ link_id, at: noted_at, address, agent, referrer });
  }
  return clicks;
}
