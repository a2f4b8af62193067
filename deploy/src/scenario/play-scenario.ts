import { addDays, type Day, instantOf } from "@tributary/contracts/dates";
import { connectAmazon } from "../driver/open-brand.ts";
import type { Person } from "../driver/person.ts";
import { act } from "./act.ts";
import { OnStage } from "./on-stage.ts";
import { liftCeilings, publish, remember } from "./retailer-and-banks.ts";
import type { Scenario } from "./scenario.ts";
import { type Doors, signUpBrand, signUpCreator } from "./sign-up.ts";

/** So many days before the start the percents are set: a cut, which waits 14 days, is in force the day before. */
const PROLOGUE_DAYS = 15;
/** The clock is moved in steps of at most so many days: a request that takes minutes would be given up. */
const STRIDE_DAYS = 7;

/** Amazon lets go of a brand that has not consented for a year; in a longer run brands consent again so many days later. */
const CONSENT_DAYS = 180;

const EVENTS_AT = "09:00";
const REPORTS_AT = "12:00";
const LAST_MINUTE = "23:59";

const prologueOf = ({ start }: Pick<Scenario, "start">): Day => addDays(start, -PROLOGUE_DAYS);

/** The instant at which the clock must stand before the scenario is played. */
export const beginningOf = (scenario: Pick<Scenario, "start">): string =>
  instantOf(prologueOf(scenario), EVENTS_AT);

function consentDays({ start, days }: Scenario): Day[] {
  const found: Day[] = [];
  for (let after = CONSENT_DAYS; after < days; after += CONSENT_DAYS) found.push(addDays(start, after));
  return found;
}

/** Plays a scenario from the sign-ups to the last minute of its last day; answers who and what came to be. */
export async function playScenario(scenario: Scenario, doors: Doors, admin: Person): Promise<OnStage> {
  const { partners } = doors;
  const stage = new OnStage();
  await liftCeilings(partners);
  await remember(partners, scenario.days);
  for (const [index, brand] of scenario.brands.entries())
    stage.brands.set(brand.key, await signUpBrand(brand, index, doors));
  for (const [index, creator] of scenario.creators.entries())
    stage.creators.set(creator.key, await signUpCreator(creator, index, doors, admin));

  let today = prologueOf(scenario);
  const goTo = async (day: Day, time: string): Promise<void> => {
    while (addDays(today, STRIDE_DAYS) < day) {
      today = addDays(today, STRIDE_DAYS);
      await partners.moveTo(instantOf(today, LAST_MINUTE));
    }
    today = day;
    await partners.moveTo(instantOf(day, time));
  };

  const { events, reports } = scenario;
  const consents = consentDays(scenario);
  const eventful = [...events, ...reports].map(({ on }) => on);
  for (const day of [...new Set([...consents, ...eventful])].sort()) {
    const settled = () => goTo(day, EVENTS_AT);
    await settled();
    if (consents.includes(day))
      for (const { person, account } of stage.brands.values()) await connectAmazon(person, account);
    for (const event of events) if (event.on === day) await act(event, stage, settled);
    const rows = reports.filter(({ on }) => on === day);
    if (rows.length === 0) continue;
    await goTo(day, REPORTS_AT);
    await publish(
      partners,
      rows.map((row) => ({ row, link: stage.link(row.link) })),
    );
  }
  await goTo(addDays(scenario.start, scenario.days - 1), LAST_MINUTE);
  return stage;
}
