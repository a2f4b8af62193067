/** One request that a partner received and what it answered; the time is virtual. */
export interface RequestEntry {
  sequence: number;
  at: string;
  partner: string;
  method: string;
  path: string;
  status: number | null;
  idempotency_key: string | null;
  body: string;
  fault: string | null;
}

const KEPT = 20_000;

/** The last requests of all partners and counters over all of them, for assertions; kept in memory only. */
export class RequestJournal {
  private ring: RequestEntry[] = [];
  private counters = new Map<string, number>();
  private sequence = 0;

  add(entry: Omit<RequestEntry, "sequence">): void {
    this.ring.push({ sequence: ++this.sequence, ...entry });
    if (this.ring.length > KEPT * 2) this.ring = this.ring.slice(-KEPT);
    const counter = `${entry.partner} ${entry.method} ${entry.status ?? "no answer"}`;
    this.counters.set(counter, (this.counters.get(counter) ?? 0) + 1);
  }

  /** Entries in order of arrival; `path` selects those whose path contains it. */
  list(filter: { partner?: string; path?: string } = {}): RequestEntry[] {
    return this.ring
      .filter(({ partner }) => filter.partner === undefined || partner === filter.partner)
      .filter(({ path }) => filter.path === undefined || path.includes(filter.path))
      .slice(-KEPT);
  }

  /** How many requests there were, by "partner METHOD status". */
  counts(): Record<string, number> {
    return Object.fromEntries(this.counters);
  }

  clear(): void {
    this.ring = [];
    this.counters.clear();
    this.sequence = 0;
  }
}
