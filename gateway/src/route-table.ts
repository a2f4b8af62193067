/** Where a request goes, and whether it may come from a stranger. */
export interface Destination<Owner> {
  readonly owner: Owner;
  readonly open: boolean;
}

interface Segment<Owner> {
  readonly literal: Map<string, Segment<Owner>>;
  one: Segment<Owner> | null;
  readonly here: Map<string, Destination<Owner>>;
  readonly below: Map<string, Destination<Owner>>;
}

const segment = <Owner>(): Segment<Owner> => ({
  literal: new Map(),
  one: null,
  here: new Map(),
  below: new Map(),
});

/** Paths split at their slashes; a literal segment is a closer fit than a named one, a named one than everything below. */
export class RouteTable<Owner> {
  readonly #root = segment<Owner>();

  /** Adds `METHOD /path`; throws when the table already says who answers it. */
  add(route: string, owner: Owner, open: boolean): void {
    const match = /^([A-Z]+|\*) (\/\S*)$/.exec(route);
    if (!match) throw new Error(`"${route}" is no route`);
    const [method, path] = [match[1]!, match[2]!];
    let at = this.#root;
    const parts = path.slice(1).split("/");
    const below = parts.at(-1) === "**";
    for (const part of below ? parts.slice(0, -1) : parts) {
      if (part.startsWith(":")) {
        at.one ??= segment();
        at = at.one;
      } else {
        const next = at.literal.get(part) ?? segment<Owner>();
        at.literal.set(part, next);
        at = next;
      }
    }
    const rows = below ? at.below : at.here;
    if (rows.has(method)) throw new Error(`${route} has two owners`);
    rows.set(method, { owner, open });
  }

  /**
   * Who answers a request by the closest fit; null when nobody does. The path is taken as it was sent, never decoded: what only
   * looks like a listed path after decoding is not listed.
   */
  find(method: string, path: string): Destination<Owner> | null {
    const parts = path.slice(1).split("/");
    if (path[0] !== "/" || parts.some((part) => part === "." || part === ".." || part.includes("\\")))
      return null;
    return this.#closest(this.#root, parts, 0, method === "HEAD" ? "GET" : method);
  }

  #closest(at: Segment<Owner>, parts: string[], index: number, method: string): Destination<Owner> | null {
    const part = parts[index];
    const found =
      part === undefined
        ? (at.here.get(method) ?? at.here.get("*") ?? null)
        : (this.#into(at.literal.get(part), parts, index, method) ??
          (part === "" ? null : this.#into(at.one, parts, index, method)));
    return found ?? at.below.get(method) ?? at.below.get("*") ?? null;
  }

  #into(next: Segment<Owner> | null | undefined, parts: string[], index: number, method: string) {
    return next ? this.#closest(next, parts, index + 1, method) : null;
  }
}
