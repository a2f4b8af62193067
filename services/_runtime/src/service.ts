import type { Owner } from "@tributary/contracts/event";
import type { Acting } from "./acting.ts";
import type { Settings } from "./client.ts";
import type { Command } from "./command.ts";
import type { Effect } from "./effect.ts";
import type { Facts } from "./facts.ts";
import type { FastRoute } from "./fast-route.ts";
import type { Job } from "./job.ts";
import type { Reaction } from "./reaction.ts";
import type { ReadModel } from "./read-models/read-model.ts";
import type { Route } from "./route.ts";

/** A service's table of contents. */
export interface Service {
  readonly name: string;
  /** The logs it writes; its own name, and any other that needs an order and a volume of its own. */
  readonly logs: readonly Owner[];
  readonly commands: readonly Command[];
  readonly readModels: readonly ReadModel<never>[];
  readonly facts: readonly Facts<never>[];
  readonly reactions: readonly Reaction[];
  readonly effects: readonly Effect[];
  readonly jobs: readonly Job[];
  readonly routes: readonly (Route | FastRoute)[];
  readonly settings: readonly Settings<unknown>[];
  /** What must have happened before anything is served, at every start. */
  readonly beforeServing: readonly ((acting: Acting) => Promise<void>)[];
  /** Private tables, as statements that may be run again (`create table if not exists`). */
  readonly tables: readonly string[];
}

/** Declares a service. Names of read models, reactions, effects and facts own their checkpoints: renaming is a migration. */
export function service(
  definition: { name: Owner | "gateway"; logs?: readonly Owner[] } & {
    [K in "commands" | "reactions" | "effects" | "jobs" | "routes" | "beforeServing" | "tables"]?: Service[K];
  } & { readModels?: readonly unknown[]; facts?: readonly unknown[]; settings?: readonly unknown[] },
): Service {
  const named = [
    ...((definition.readModels ?? []) as ReadModel<never>[]),
    ...((definition.facts ?? []) as Facts<never>[]),
    ...(definition.reactions ?? []),
    ...(definition.effects ?? []),
    ...(definition.jobs ?? []),
  ].map(({ name }) => name);
  const twice = named.find((name, index) => named.indexOf(name) !== index);
  if (twice) throw new Error(`${definition.name} declares ${twice} twice; a name owns a checkpoint`);
  return {
    name: definition.name,
    logs: definition.logs ?? (definition.name === "gateway" ? [] : [definition.name]),
    commands: definition.commands ?? [],
    readModels: (definition.readModels ?? []) as readonly ReadModel<never>[],
    facts: (definition.facts ?? []) as readonly Facts<never>[],
    reactions: definition.reactions ?? [],
    effects: definition.effects ?? [],
    jobs: definition.jobs ?? [],
    routes: definition.routes ?? [],
    settings: (definition.settings ?? []) as readonly Settings<unknown>[],
    beforeServing: definition.beforeServing ?? [],
    tables: definition.tables ?? [],
  };
}
