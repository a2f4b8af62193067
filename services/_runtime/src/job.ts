import type { Acting } from "./acting.ts";

/** What a run of a job knows. */
export interface Running extends Acting {
  readonly key: string;
  readonly payload: unknown;
  readonly run: number;
  /** Lengthens the lease; throws when it has been lost. Call it between the steps of long work. */
  alive(): Promise<void>;
}

/** Work that comes due by the runtime's clock: by a cron rule of its own, or put on the table by a decision (`schedule`). */
export interface Job {
  readonly kind: "job";
  readonly name: string;
  readonly cron: { readonly rule: string; readonly zone: string } | null;
  readonly run: (running: Running) => Promise<undefined | { readonly again: string }>;
}

/** Declares a job. A run that throws is tried again with backoff; `again` puts it back for a later moment. */
export const job = (
  name: string,
  definition: {
    cron?: { rule: string; zone: string };
    run: (running: Running) => Promise<undefined | { readonly again: string }>;
  },
): Job => ({ kind: "job", name, cron: definition.cron ?? null, run: definition.run });
