import { BillingResult } from "@tributary/contracts/http/billing";
import { grantAdmin } from "@tributary/identity/grant-admin";
import { Partners } from "../driver/partners.ts";
import { Person } from "../driver/person.ts";
import { type Local, startLocal } from "../local.ts";
import { freePort } from "../state/free-port.ts";
import { steps } from "../state/steps.ts";
import { ourBooks, theirBooks } from "./books.ts";
import { castOf } from "./cast.ts";
import { Draws } from "./draws.ts";
import { beginningOf, play } from "./play.ts";
import { reconcile, type Verdict } from "./reconciliation.ts";
import { Stage } from "./stage.ts";
import { type Story, storyOf } from "./story.ts";
import type { Telling } from "./telling.ts";
import { removeDirectory, throwAwayDirectory } from "./throw-away.ts";
import { type Totals, totalsOf } from "./totals.ts";

/** What is played. */
export interface DemoOptions {
  readonly seed: number;
  readonly brands: number;
  readonly creators: number;
  readonly days: number;
}

/** What a run came to. `named` tells in words whose a charge, a payout or an id of ours is. */
export interface Played {
  readonly totals: Totals;
  readonly verdict: Verdict;
  readonly named: (id: string) => string;
}

/** A run whose last day is over, with everybody still there. */
export interface Over {
  readonly partners: Partners;
  /** Reads both sides' books as they stand now, and compares them. */
  compare(): Promise<Played>;
}

/** The story of these options; a pure function of them. */
export const storyFor = ({ seed, brands, creators, days }: DemoOptions): Story => {
  const draws = new Draws(`demo ${seed}`);
  return storyOf(draws, castOf(draws.of("cast"), { brands, creators }), days);
};

/**
 * Starts the whole system on a directory that is thrown away, plays the story through its HTTP API, and lets `then` look at what
 * has become of it. Stops between two days when `signal` says so.
 */
export async function runDemo<T>(
  options: DemoOptions,
  telling: Telling,
  signal: AbortSignal,
  then: (over: Over) => Promise<T>,
): Promise<T> {
  const story = storyFor(options);
  const directory = throwAwayDirectory();
  let local: Local | undefined;
  try {
    local = await startLocal({
      steps: steps((text) => telling.write(text)),
      directory,
      port: await freePort(),
      clock: beginningOf(story),
      seed: options.seed,
      // Between two evenings nothing happens that an hourly look could show.
      settings: { SYNC_HOURLY: "off" },
    });
    const admin = new Person(local.url, "admin@people.example", "password of admin");
    await becomeAdmin(admin, local);
    const stage = new Stage(local.url, new Partners(local.sandboxUrl), admin);
    const { balance } = await stage.partners.paypalLedger();
    await play(story, stage, telling, signal);
    await nothingHeld(local);
    return await then({ partners: stage.partners, compare: () => compare(story, stage, balance) });
  } finally {
    await local?.stop(true);
    removeDirectory(directory);
  }
}

/** Books may balance while an answer is missing: throws when a service holds an event or a document it could not take in. */
async function nothingHeld({ mounted }: Local): Promise<void> {
  const held = await Promise.all(
    [...mounted].map(async ([service, one]) => {
      const [events, documents] = await Promise.all([one.held(), one.heldDocuments()]);
      return [
        ...events.map(({ reader, stream, cause }) => `${service} ${reader} holds ${stream}: ${cause}`),
        ...documents.map(({ readModel, id, cause }) => `${service} ${readModel} holds ${id}: ${cause}`),
      ];
    }),
  );
  if (held.flat().length > 0) throw new Error(held.flat().join("\n"));
}

async function compare(story: Story, stage: Stage, paypal_before: string): Promise<Played> {
  const ours = await ourBooks(stage.admin);
  const verdict = reconcile(ours, await theirBooks(story, stage, paypal_before));
  const result = BillingResult.parse(await stage.admin.get("/api/billing/result"));
  const totals = totalsOf(result, ours, stage.keyOf, verdict.difference);
  const parties = new Map(
    [
      ...ours.charges.map((one) => [one.charge_id, one] as const),
      ...ours.payouts.map((one) => [one.payout_id, one] as const),
    ].map(([id, { month, brand_id, creator_id }]) => [
      id,
      `${month} ${stage.keyOf(brand_id)} ${creator_id ? stage.keyOf(creator_id) : "(platform)"}`,
    ]),
  );
  const named = (id: string): string => parties.get(id) ?? id.split(" ").map(stage.keyOf).join(" ");
  return { totals, verdict, named };
}

/** An account like any other, which the operator then makes an admin, as `npm run admin -- grant` does. */
async function becomeAdmin(person: Person, { mounted }: Local): Promise<void> {
  await person.signUp();
  await person.post("/api/users", { email: person.email, firebase_uid: person.uid, user_type: "brand" });
  const { reads, decide } = grantAdmin(person.uid);
  await mounted.get("identity")!.acting("demo").act(reads, decide);
}
