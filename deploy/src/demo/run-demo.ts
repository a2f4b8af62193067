import { rmSync } from "node:fs";
import { join } from "node:path";
import { BillingResult } from "@tributary/contracts/http/billing";
import { grantAdmin } from "@tributary/identity/grant-admin";
import { Partners } from "../driver/partners.ts";
import { Person } from "../driver/person.ts";
import { type Local, startLocal } from "../local.ts";
import { tributaryDir } from "../state/checkout.ts";
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
import { type Totals, totalsOf } from "./totals.ts";

/** What is played. */
export interface DemoOptions {
  readonly seed: number;
  readonly brands: number;
  readonly creators: number;
  readonly days: number;
}

/** What a run came to. */
export interface Played {
  readonly totals: Totals;
  readonly verdict: Verdict;
}

/** The story of these options; a pure function of them. */
export const storyFor = ({ seed, brands, creators, days }: DemoOptions): Story => {
  const draws = new Draws(`demo ${seed}`);
  return storyOf(draws, castOf(draws.of("cast"), { brands, creators }), days);
};

/** Starts the whole system on a directory that is thrown away, plays the story through its HTTP API, and compares the books. */
export async function runDemo(options: DemoOptions, telling: Telling): Promise<Played> {
  const story = storyFor(options);
  const directory = join(tributaryDir(), `demo-${process.pid}`);
  const told = steps((text) => telling.write(text));
  let local: Local | undefined;
  try {
    local = await startLocal({
      steps: told,
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
    const { balance: paypal_before } = await stage.partners.paypalLedger();
    await play(story, stage, telling);

    const ours = await ourBooks(admin);
    const verdict = reconcile(ours, await theirBooks(stage.partners, paypal_before));
    const result = BillingResult.parse(await admin.get("/api/billing/result"));
    return { verdict, totals: totalsOf(result, ours, (id) => stage.keyOf(id), verdict.difference) };
  } finally {
    await local?.stop(true);
    rmSync(directory, { recursive: true, force: true });
  }
}

/** An account like any other, which the operator then makes an admin, as `npm run admin -- grant` does. */
async function becomeAdmin(person: Person, { mounted }: Local): Promise<void> {
  await person.signUp();
  await person.post("/api/users", { email: person.email, firebase_uid: person.uid, user_type: "brand" });
  const { reads, decide } = grantAdmin(person.uid);
  await mounted.get("identity")!.acting("demo").act(reads, decide);
}
