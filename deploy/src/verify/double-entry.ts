import { balance } from "@tributary/billing/ledger";
import { ledger } from "@tributary/billing/read-models/ledger";
import type { Heard } from "@tributary/contracts/event";
import { ChargeSucceeded } from "@tributary/contracts/events/billing";
import { asE4, centsToE4, formatE4, NO_E4, sum } from "@tributary/contracts/money";
import { documents } from "./documents.ts";
import { events } from "./events.ts";
import { type Findings, placeOf } from "./findings.ts";
import type { Ground } from "./ground.ts";

/** Every event that the books know, entered into books that are empty. */
async function everyEntry(ground: Ground, findings: Findings): Promise<void> {
  const folds = new Map(ledger.on.map(({ event, fold }) => [event.type, fold]));
  const types = ledger.on.map(({ event }) => event);
  for await (const event of events(ground, types)) {
    findings.count("journal entries");
    const entered = folds.get(event.type)!(null, event as Heard<string, never>);
    const left = entered ? balance(entered) : NO_E4;
    if (left !== NO_E4)
      findings.found(placeOf(event), `${event.type} does not add up to nothing`, formatE4(left));
  }
}

/** A charge's entry is made of its shares; the amount that was to arrive says the same a second time. */
async function everyCharge(ground: Ground, findings: Findings): Promise<void> {
  for await (const event of events(ground, [ChargeSucceeded])) {
    findings.count("charges");
    const { amount, breakdown } = event.data;
    const shares = sum(breakdown.flatMap(({ net_cents, payout_fee_cents }) => [net_cents, payout_fee_cents]));
    if (amount !== shares)
      findings.found(
        placeOf(event),
        "the brand's debt falls by another amount than arrived",
        formatE4(asE4(centsToE4(amount) - centsToE4(shares))),
      );
  }
}

/** I9: every event of the journal gives as much as it takes, and so do the live books, row by row (all of it in USD). */
export async function doubleEntry(ground: Ground, findings: Findings): Promise<void> {
  await everyEntry(ground, findings);
  await everyCharge(ground, findings);
  for await (const { place, document } of documents(ground, "billing", ledger)) {
    findings.count("rows of the books");
    const left = balance(document);
    if (left !== NO_E4) findings.found(place, "the live books do not add up to nothing", formatE4(left));
  }
}
