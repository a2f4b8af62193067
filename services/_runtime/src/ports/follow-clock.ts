import type { Logger } from "../logs.ts";
import type { SetClock } from "./clock.ts";

const WAIT_MS = 25_000;

interface Told {
  readonly now: string;
  readonly revision: number;
  readonly ticking: boolean;
}

/**
 * Follows the sandbox's virtual clock by long polls until the signal ends it; resolves when the first answer has set the clock. A
 * sandbox that is away is asked again: partners don't die with us, but they may be restarted.
 */
export async function followClock(
  sandboxUrl: string,
  clock: SetClock,
  logger: Logger,
  signal: AbortSignal,
): Promise<void> {
  const ask = async (after: number): Promise<Told> => {
    const answer = await fetch(`${sandboxUrl}/_sandbox/clock?after=${after}&wait=${WAIT_MS}`, { signal });
    if (!answer.ok) throw new Error(`the sandbox's clock answered ${answer.status}`);
    return (await answer.json()) as Told;
  };
  const first = await ask(-1);
  clock.set(first.now, first.revision, first.ticking);
  const follow = async (): Promise<void> => {
    while (!signal.aborted) {
      try {
        const told = await ask(clock.revision);
        if (told.revision !== clock.revision) clock.set(told.now, told.revision, told.ticking);
      } catch (error) {
        if (signal.aborted) return;
        logger.warn({ error: (error as Error).message }, "the sandbox's clock is away; asking again");
        await new Promise((resolve) => setTimeout(resolve, 200));
      }
    }
  };
  void follow();
}
