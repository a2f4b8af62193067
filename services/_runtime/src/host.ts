import type { Tails } from "./log/tails.ts";
import type { Logger } from "./logs.ts";
import type { Clock } from "./ports/clock.ts";
import type { Network } from "./ports/network.ts";
import type { Random } from "./ports/random.ts";

/** What a process gives the services mounted in it: the ports, its environment, where the engines are. */
export interface Host {
  /** Its name among processes; a restarted one has the same. */
  readonly process: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly clock: Clock;
  readonly random: Random;
  readonly network: Network;
  readonly tails: Tails;
  readonly logger: (name: string) => Logger;
  /** The service's own database, under its own role. */
  readonly databaseUrl: (service: string) => string;
  /** The key under which the gateway vouches for callers towards this service. */
  readonly internalKey: (service: string) => string;
}
