import { grantAdmin } from "@tributary/identity/grant-admin";
import { beginningOf, play } from "../src/demo/play.ts";
import { storyFor } from "../src/demo/run-demo.ts";
import { Stage } from "../src/demo/stage.ts";
import { telling } from "../src/demo/telling.ts";
import { Partners } from "../src/driver/partners.ts";
import { Person } from "../src/driver/person.ts";
import { startLocal } from "../src/local.ts";
import { freePort } from "../src/state/free-port.ts";
import { steps } from "../src/state/steps.ts";

/** Enough for a closed month on both rails, a carry, restatements, and a month that is still open. */
const SMALL = { seed: 7, brands: 2, creators: 3, days: 40 };

/**
 * Plays a short story through the whole system into a directory and stops everything: what is left is a stopped data directory.
 * `meanwhile` runs beside the story, over and over, and is handed the superuser's address.
 */
export async function playInto(
  directory: string,
  meanwhile: (adminUrl: string) => Promise<void>,
): Promise<void> {
  const story = storyFor(SMALL);
  const local = await startLocal({
    steps: steps(() => undefined),
    directory,
    port: await freePort(),
    clock: beginningOf(story),
    seed: SMALL.seed,
    settings: { SYNC_HOURLY: "off" },
  });
  try {
    const admin = new Person(local.url, "admin@people.example", "password of admin");
    await admin.signUp();
    await admin.post("/api/users", { email: admin.email, firebase_uid: admin.uid, user_type: "brand" });
    const { reads, decide } = grantAdmin(admin.uid);
    await local.mounted.get("identity")!.acting("test").act(reads, decide);
    const stage = new Stage(local.url, new Partners(local.sandboxUrl), admin);
    let over = false;
    const beside = async (): Promise<void> => {
      while (!over) await meanwhile(local.adminUrl);
    };
    const played = play(
      story,
      stage,
      telling(() => undefined),
      new AbortController().signal,
    ).finally(() => {
      over = true;
    });
    await Promise.all([played, beside()]);
  } finally {
    await local.stop(true);
  }
}
