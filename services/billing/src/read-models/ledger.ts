import {
  ChargeDisputed,
  ChargeRefunded,
  ChargeSucceeded,
  ChargeTransferReversed,
  ChargeWrittenOff,
  EarningBooked,
  PayoutReturned,
  PayoutSucceeded,
} from "@tributary/contracts/events/billing";
import { type E4, NO_E4, storedE4 } from "@tributary/contracts/money";
import { readModel } from "@tributary/runtime/read-models/read-model";
import { when } from "@tributary/runtime/stream";
import { z } from "zod";
import {
  ACCOUNTS,
  type Account,
  type Posting,
  posted,
  whenBooked,
  whenCharged,
  whenDisputed,
  whenPaid,
  whenRefunded,
  whenReturned,
  whenReversed,
  whenWrittenOff,
} from "../ledger.ts";

const balances = {
  brand_due: storedE4,
  creator_due: storedE4,
  processing: storedE4,
  payout_fees: storedE4,
  cash_stripe: storedE4,
  cash_paypal: storedE4,
  writeoff: storedE4,
};

const Balances = z.object({
  id: z.string(),
  brand_id: z.string(),
  creator_id: z.string().nullable(),
  ...balances,
});
type Balances = z.infer<typeof Balances>;

const EMPTY = Object.fromEntries(ACCOUNTS.map((account) => [account, NO_E4])) as Record<Account, E4>;

interface Parties {
  readonly brand_id: string;
  readonly creator_id: string | null;
}

const idOf = ({ brand_id, creator_id }: Parties): string => `${brand_id}:${creator_id ?? "platform"}`;

const post = (row: Balances | null, { brand_id, creator_id }: Parties, posting: Posting): Balances => ({
  id: idOf({ brand_id, creator_id }),
  brand_id,
  creator_id,
  ...posted(row ?? EMPTY, posting),
});

/** Our own books, per brand and creator (platform charges apart): every row adds up to nothing. */
export const ledger = readModel("ledger", Balances, {
  on: [
    when(EarningBooked, (row, { data }) => post(row, data, whenBooked(data))),
    when(ChargeSucceeded, (row, { data }) => post(row, data, whenCharged(data))),
    when(ChargeRefunded, (row, { data }) => post(row, data, whenRefunded(data))),
    when(ChargeTransferReversed, (row, { data }) => post(row, data, whenReversed(data))),
    when(ChargeDisputed, (row, { data }) => post(row, data, whenDisputed(data))),
    when(ChargeWrittenOff, (row, { data }) => post(row, data, whenWrittenOff(data))),
    when(PayoutSucceeded, (row, { data }) => post(row, data, whenPaid(data))),
    when(PayoutReturned, (row, { data }) => post(row, data, whenReturned(data))),
  ],
  key: ({ data }) => idOf(data),
  indexes: [["brand_id"]],
});
