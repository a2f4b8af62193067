/** How fast one side was: operations per second and the CPU time that this process spent on each, in microseconds. */
export interface Pace {
  readonly per_second: number;
  readonly cpu_us: number;
}

/** Two sides of one comparison. `ratio` is the median of the rounds' own ratios, ours to the peer's operations per second. */
export interface Compared {
  readonly ours: Pace;
  readonly peer: Pace;
  readonly ratio: number;
}

/** Works until the moment given (in milliseconds of `performance.now()`) and says how many operations it did. */
export type Side = (until: number) => Promise<number>;

/** What is compared, and in what slices. */
export interface Contest {
  readonly ours: Side;
  readonly peer: Side;
  readonly rounds?: number;
  readonly seconds?: number;
  /** What a slice needs to begin with, counted to nobody. */
  readonly prepare?: { readonly ours?: () => Promise<void>; readonly peer?: () => Promise<void> };
  /** Work of ours that a slice leaves behind, done before the next one begins and counted to neither side. */
  readonly settle?: () => Promise<unknown>;
}

/** The middle of a list; of two middles the upper one. */
export const median = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)]!;

async function slice(side: Side, seconds: number): Promise<Pace> {
  const cpu = process.cpuUsage();
  const begun = performance.now();
  const operations = await side(begun + seconds * 1000);
  const lasted = (performance.now() - begun) / 1000;
  const { user, system } = process.cpuUsage(cpu);
  return { per_second: operations / lasted, cpu_us: (user + system) / operations };
}

const middle = (paces: readonly Pace[]): Pace => ({
  per_second: median(paces.map(({ per_second }) => per_second)),
  cpu_us: median(paces.map(({ cpu_us }) => cpu_us)),
});

/**
 * Lets both sides work in turns, each round in the other order, so that what else the machine does meets both alike. One round
 * more comes first and is forgotten: compilers and caches warm up in it.
 */
export async function compare({
  ours,
  peer,
  rounds = 5,
  seconds = 1,
  prepare = {},
  settle = async () => undefined,
}: Contest): Promise<Compared> {
  const sides = { ours, peer };
  const paces: { ours: Pace; peer: Pace }[] = [];
  for (let round = 0; round <= rounds; round++) {
    const found: Partial<Record<keyof typeof sides, Pace>> = {};
    for (const name of round % 2 ? (["ours", "peer"] as const) : (["peer", "ours"] as const)) {
      await prepare[name]?.();
      found[name] = await slice(sides[name], seconds);
      await settle();
    }
    paces.push({ ours: found.ours!, peer: found.peer! });
  }
  const counted = paces.slice(1);
  return {
    ours: middle(counted.map(({ ours }) => ours)),
    peer: middle(counted.map(({ peer }) => peer)),
    ratio: median(counted.map(({ ours, peer }) => ours.per_second / peer.per_second)),
  };
}
