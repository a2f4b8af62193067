/** Where links lead, by link id: the ones followed last, so many at most. An entry is never wrong, for a link's address never changes. */
export class RecentLinks {
  readonly #urls = new Map<string, string>();
  readonly #asked = new Map<string, Promise<string | null>>();

  constructor(
    private readonly read: (link_id: string) => Promise<string | null>,
    private readonly most = 100_000,
  ) {}

  /** Their order matters only when it gets crowded. */
  get(link_id: string): string | undefined {
    const url = this.#urls.get(link_id);
    if (url !== undefined && this.#urls.size > this.most / 2) {
      this.#urls.delete(link_id);
      this.#urls.set(link_id, url);
    }
    return url;
  }

  put(link_id: string, url: string): void {
    this.#urls.set(link_id, url);
    if (this.#urls.size <= this.most) return;
    const [oldest] = this.#urls.keys();
    this.#urls.delete(oldest!);
  }

  /** One read for all who ask at once; null when there is no such link, which is not remembered, for it may come to be. */
  find(link_id: string): Promise<string | null> {
    const asked = this.#asked.get(link_id);
    if (asked) return asked;
    const reading = this.read(link_id)
      .then((url) => {
        if (url !== null) this.put(link_id, url);
        return url;
      })
      .finally(() => this.#asked.delete(link_id));
    this.#asked.set(link_id, reading);
    return reading;
  }
}
