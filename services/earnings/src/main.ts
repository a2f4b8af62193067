import { service } from "@tributary/runtime/service";
import { explainEarning } from "./explain-earning.ts";
import { agreements } from "./facts/agreements.ts";
import { accrueEarnings } from "./reactions/accrue-earnings.ts";
import { sayAccruedThrough } from "./reactions/say-accrued-through.ts";
import { earnings as earningsDocuments } from "./read-models/earnings.ts";
import { refusedRestatements } from "./read-models/refused-restatements.ts";

/** What sales earn: commission and referral, by difference when the retailer restates, and how far that is complete. */
export const earnings = service({
  name: "earnings",
  facts: [agreements],
  reactions: [accrueEarnings, sayAccruedThrough],
  readModels: [earningsDocuments, refusedRestatements],
  routes: [explainEarning],
});
