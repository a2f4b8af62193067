import { grantAdmin } from "@tributary/identity/grant-admin";
import { removeDirectory, throwAwayDirectory } from "../demo/throw-away.ts";
import { Partners } from "../driver/partners.ts";
import { Person } from "../driver/person.ts";
import { type Local, startLocal } from "../local.ts";
import { freePort } from "../state/free-port.ts";
import { steps } from "../state/steps.ts";
import { lookBack } from "./look-back.ts";
import { beginningOf, playScenario } from "./play-scenario.ts";
import type { Result } from "./result.ts";
import type { Scenario } from "./scenario.ts";

/** A payment is below an amount exactly when it is below the next whole cent. */
export function leastWholeCents(amount: string): string {
  const [whole = "", fraction = ""] = amount.split(".");
  const cents = BigInt(whole + fraction.slice(0, 2).padEnd(2, "0"));
  const least = /[1-9]/.test(fraction.slice(2)) ? cents + 1n : cents;
  const text = least.toString().padStart(3, "0");
  return `${text.slice(0, -2)}.${text.slice(-2)}`;
}

/** The settings of the product under which a scenario's rules hold: its own policy of the close, and a sync that reads every day. */
export function settingsOf({ days, settings }: Pick<Scenario, "days" | "settings">): Record<string, string> {
  return {
    CLOSE_DAY: String(settings.close_day),
    MIN_PAYOUT: leastWholeCents(settings.min_payout),
    GROSS_UP: settings.gross_up,
    SYNC_HOURLY: "off",
    SYNC_WINDOW_DAYS: String(days),
    PERFORMANCE_HISTORY_DAYS: String(days),
  };
}

/** Plays a scenario through the whole system, on a directory of its own that is thrown away, and answers its result. */
export async function runScenario(scenario: Scenario): Promise<Result> {
  const directory = throwAwayDirectory();
  let local: Local | undefined;
  try {
    local = await startLocal({
      steps: steps(() => undefined),
      directory,
      port: await freePort(),
      clock: beginningOf(scenario),
      settings: settingsOf(scenario),
    });
    const admin = new Person(local.url, "admin@people.example", "password of admin");
    await admin.signUp();
    await admin.post("/api/users", { email: admin.email, firebase_uid: admin.uid, user_type: "brand" });
    const { reads, decide } = grantAdmin(admin.uid);
    await local.mounted.get("identity")!.acting("demo").act(reads, decide);
    const doors = { url: local.url, partners: new Partners(local.sandboxUrl) };
    const stage = await playScenario(scenario, doors, admin);
    return await lookBack(stage, scenario.start, admin, doors.partners);
  } finally {
    await local?.stop(true);
    removeDirectory(directory);
  }
}
