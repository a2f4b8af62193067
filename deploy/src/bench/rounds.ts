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

/** How the sides take turns. */
export interface Turns<K extends string> {
  readonly rounds?: number;
  readonly seconds?: number;
  /** Whether a round that isn't counted comes first, in which compilers and caches warm up. */
  readonly warm?: boolean;
  /** What a slice needs to begin with, counted to nobody. */
  readonly prepare?: { readonly [name in K]?: () => Promise<void> };
  /** Work that a slice leaves behind, done before the next one begins and counted to nobody. */
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

/**
 * Lets all sides work one after the other, each round beginning with another, so that what else the machine does meets all alike.
 * Gives the pace of every counted round.
 */
export async function inTurns<K extends string>(
  sides: Readonly<Record<K, Side>>,
  { rounds = 5, seconds = 1, warm = true, prepare = {}, settle = async () => undefined }: Turns<K> = {},
): Promise<Record<K, Pace[]>> {
  const names = Object.keys(sides) as K[];
  const paces = Object.fromEntries(names.map((name) => [name, [] as Pace[]])) as Record<K, Pace[]>;
  for (let round = warm ? -1 : 0; round < rounds; round++) {
    const first = (round + names.length) % names.length;
    for (const name of [...names.slice(first), ...names.slice(0, first)]) {
      await prepare[name]?.();
      const pace = await slice(sides[name], seconds);
      if (round >= 0) paces[name].push(pace);
      await settle();
    }
  }
  return paces;
}

/** Compares the paces of the same rounds. */
export const compared = (ours: readonly Pace[], peer: readonly Pace[]): Compared => ({
  ours: middle(ours),
  peer: middle(peer),
  ratio: median(ours.map(({ per_second }, round) => per_second / peer[round]!.per_second)),
});

/** Lets two sides work in turns and compares them. */
export async function compare({
  ours,
  peer,
  ...turns
}: { readonly ours: Side; readonly peer: Side } & Turns<"ours" | "peer">): Promise<Compared> {
  const paces = await inTurns({ ours, peer }, turns);
  return compared(paces.ours, paces.peer);
}

const middle = (paces: readonly Pace[]): Pace => ({
  per_second: median(paces.map(({ per_second }) => per_second)),
  cpu_us: median(paces.map(({ cpu_us }) => cpu_us)),
});
