import { addMonths } from "@tributary/contracts/dates";
import { statementId } from "@tributary/contracts/ids";
import {
  asCents,
  asE4,
  centsToE4,
  formatCents,
  formatE4,
  NO_CENTS,
  NO_E4,
  roundToCents,
  sum,
} from "@tributary/contracts/money";
import type { Findings, Place } from "./findings.ts";
import type { Ground } from "./ground.ts";
import { Books, type Statement } from "./statements.ts";

/** The card network takes no less, whatever is waived. */
const NETWORK_MINIMUM = asCents(50n);
/** A cent: what rounding leaves over is less. */
const CENT = 100n;

type Off = (place: Place, what: string, said: bigint, reckoned: bigint) => void;
type Issued = NonNullable<Statement["issued"]>;

/** The lines of an issued statement are what was booked, and its net is charged or carried. */
function lines(statement: Statement, { data, place }: Issued, off: Off): void {
  const { booked, carried } = statement;
  off(place, "commission differs from what was booked", data.commission, booked.commission);
  off(place, "referral differs from what was booked", data.referral, booked.referral);
  off(place, "adjustments differ from what was booked", data.adjustments, booked.adjustments);
  const carriedIn = sum(carried.map((one) => one.data.amount));
  off(place, "carried_in differs from what the month before left", data.carried_in, carriedIn);
  const net = data.carried_in + data.commission + data.referral + data.adjustments;
  off(place, "net is not the sum of its lines", data.net, net);
  const settled = centsToE4(data.charged) + data.carried_out;
  off(place, "charged and carried_out are not the net", settled, data.net);
  if (data.charged > 0n)
    off(place, "rounding and carried_out differ", data.rounding, asE4(-data.carried_out));
}

/** Less than a cent is carried, unless for a reason that is true. */
function carry({ data, place }: Issued, minimum: bigint, findings: Findings): void {
  const { net, carried_out, carried_reason: reason } = data;
  const size = carried_out < 0n ? -carried_out : carried_out;
  const payable = roundToCents(net);
  const below = payable < NETWORK_MINIMUM || (payable < minimum && !data.minimum_waived);
  const wrong =
    (reason === null && size >= CENT) ||
    (reason === "negative" && net >= 0n) ||
    (reason === "below_minimum" && !below) ||
    (reason !== null && data.charged !== NO_CENTS);
  if (wrong)
    findings.found(
      place,
      reason === null ? "a cent or more is carried for no reason" : `carried as ${reason}, which it is not`,
      formatE4(carried_out),
    );
}

/** What is charged stands in one charge, and what was paid out is what was charged. */
function charge({ shares, paid }: Statement, { data, place }: Issued, asked: boolean, off: Off): void {
  const charged = sum(shares.map((share) => share.data.net_cents));
  const cents = (amount: bigint): bigint => amount * CENT;
  if (asked)
    off(
      shares[0]?.place ?? place,
      "the charge asks for another amount than the statement",
      cents(charged),
      cents(data.charged),
    );
  for (const { place, data: moved } of paid)
    off(
      place,
      "another amount was paid out than charged",
      cents(moved < 0n ? -moved : moved),
      cents(data.charged),
    );
  const kept = sum(paid.map((one) => one.data));
  const last = paid.at(-1);
  if (last && (kept < 0n || kept > data.charged))
    off(last.place, "paid out more often than it came back", cents(kept), cents(data.charged));
}

/** What was carried into a statement is what its forerunner carried out. */
function chain(id: string, { carried, month }: Statement, books: Books, off: Off): void {
  for (const { data, place } of carried) {
    const from = books.statements.get(data.from_statement_id)?.issued;
    const follows = from?.data.month === addMonths(month, -1) && data.from_month === from.data.month;
    off(
      place,
      `carried_in is not what ${data.from_month} carried out`,
      data.amount,
      follows ? from.data.carried_out : NO_E4,
    );
  }
  for (const again of carried.slice(1))
    off(again.place, `carried into ${id} again`, again.data.amount, NO_E4);
}

/**
 * I2: per month, brand and creator, what was booked and carried in is what was charged and carried out, to the ten-thousandth; less
 * than a cent is carried unless there is a reason; what one month carries out the next carries in; a charge asks for what its
 * statements say.
 */
export async function statementsAddUp(ground: Ground, findings: Findings): Promise<void> {
  const books = await Books.of(ground);
  const off: Off = (place, what, said, reckoned) => {
    if (said === reckoned) return;
    const told = `${what}: ${formatE4(asE4(said))} instead of ${formatE4(asE4(reckoned))}`;
    findings.found(place, told, formatE4(asE4(said - reckoned)));
  };
  for (const [id, statement] of books.statements) {
    findings.count("statements");
    chain(id, statement, books, off);
    const { issued, month } = statement;
    const cycle = books.cycle(month);
    if (!issued) {
      findings.count("statements not yet issued");
      if (cycle.totalled) findings.found(statement.place, `${month} is totalled, and this was never issued`);
      for (const { place, data } of statement.shares)
        findings.found(place, "a charge for what no statement says", formatCents(data.net_cents));
      continue;
    }
    const { brand_id, creator_id, carried_out, rail } = issued.data;
    lines(statement, issued, off);
    carry(issued, cycle.closed?.min_payout ?? NO_CENTS, findings);
    charge(statement, issued, rail === "stripe" || cycle.charged || statement.shares.length > 0, off);
    const next = books.statements.get(statementId(addMonths(month, 1), brand_id, creator_id));
    if (carried_out !== NO_E4 && !next?.carried.some(({ data }) => data.from_statement_id === id))
      findings.found(issued.place, "carried out, and no month carries it in", formatE4(carried_out));
  }
}
