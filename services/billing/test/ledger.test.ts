import { asCents, formatE4, parseE4 } from "@tributary/contracts/money";
import fc from "fast-check";
import { expect, test } from "vitest";
import { ACCOUNTS, balance, posted, whenBooked, whenCharged, whenPaid, whenReturned } from "../src/ledger.ts";
import { ledger } from "../src/read-models/ledger.ts";

const cents = (amount: bigint) => asCents(amount);
const charged = (kind: "creator" | "platform", gross: bigint, fee: bigint, nets: bigint[]) => ({
  kind,
  amount_grossed_cents: cents(gross),
  fee_cents: cents(fee),
  breakdown: nets.map((net) => ({
    statement_id: "s",
    creator_id: "c",
    rail: kind === "creator" ? ("stripe" as const) : ("paypal" as const),
    net_cents: cents(net),
    payout_fee_cents: cents(kind === "creator" ? 0n : 25n),
  })),
});
type Charged = Parameters<typeof whenCharged>[0];
const told = (posting: ReturnType<typeof whenCharged>) =>
  Object.fromEntries(Object.entries(posting).map(([account, amount]) => [account, formatE4(amount)]));

test("a destination charge of 31.34 pays 30.13 on, costs 1.21, and leaves nothing with us", () => {
  expect(told(whenCharged(charged("creator", 3134n, 121n, [3013n]) as Charged))).toEqual({
    cash_stripe: "0.0000",
    brand_due: "-30.1300",
    creator_due: "30.1300",
    payout_fees: "0.0000",
    processing: "0.0000",
  });
});

test("a platform charge keeps what PayPal will pay and its 25 cents each", () => {
  expect(told(whenCharged(charged("platform", 4370n, 157n, [4188n]) as Charged))).toEqual({
    cash_stripe: "42.1300",
    brand_due: "-41.8800",
    creator_due: "0.0000",
    payout_fees: "-0.2500",
    processing: "0.0000",
  });
  expect(told(whenPaid({ rail: "paypal", amount_cents: cents(4188n), fee_cents: cents(25n) }))).toEqual({
    creator_due: "41.8800",
    payout_fees: "0.2500",
    cash_paypal: "-42.1300",
  });
});

test("where nothing is grossed up, the processing fee is ours", () => {
  expect(told(whenCharged(charged("creator", 2000n, 16n, [2000n]) as Charged))).toMatchObject({
    cash_stripe: "-0.1600",
    processing: "0.1600",
  });
});

test("every entry of the journal adds up to nothing, whatever its amounts", () => {
  const amount = fc.bigInt({ min: 0n, max: 9_999_999n });
  fc.assert(
    fc.property(
      fc.constantFrom("creator" as const, "platform" as const),
      amount,
      amount,
      fc.array(amount, { minLength: 1, maxLength: 5 }),
      fc.boolean(),
      (kind, gross, fee, nets, was_paid) => {
        const shares = kind === "creator" ? nets.slice(0, 1) : nets;
        const entries = [
          whenBooked({ amount: parseE4("-12.3456")! }),
          whenCharged(charged(kind, gross, fee, shares) as Charged),
          whenPaid({ rail: "venmo", amount_cents: cents(gross), fee_cents: cents(fee) }),
          whenReturned({ was_paid, amount_cents: cents(gross) }),
        ];
        for (const entry of entries) expect(balance(entry)).toBe(0n);
        const empty = Object.fromEntries(ACCOUNTS.map((account) => [account, parseE4("0.0000")!]));
        expect(balance(entries.reduce(posted, empty as never))).toBe(0n);
      },
    ),
  );
});

test("the books are the same in whatever order the streams of a pair are heard", () => {
  const parties = { brand_id: "b1", creator_id: "c1" };
  const streams = [
    [1n, 2n, -3n, 40_000n].map((amount) => ["EarningBooked", { ...parties, amount }] as const),
    [["ChargeSucceeded", { ...parties, ...charged("creator", 1061n, 61n, [1000n]) }]] as const,
    [
      ["PayoutSucceeded", { ...parties, rail: "paypal", amount_cents: cents(300n), fee_cents: cents(25n) }],
      ["PayoutReturned", { ...parties, was_paid: true, amount_cents: cents(300n) }],
    ] as const,
  ];
  const folded = (order: readonly (readonly [string, object])[]) =>
    order.reduce(
      (row, [type, data]) =>
        ledger.on.find(({ event }) => event.type === type)!.fold(row as never, { type, data } as never),
      null as unknown,
    );
  const told = (row: unknown) =>
    JSON.stringify(row, (_, value) => (typeof value === "bigint" ? `${value}` : value));
  const inOrder = told(folded(streams.flat()));
  for (let round = 0; round < 50; round++) {
    const queues = streams.map((stream) => [...stream]);
    const mixed: (readonly [string, object])[] = [];
    for (let step = round; queues.some((queue) => queue.length > 0); step = step * 31 + 7) {
      const waiting = queues.filter((queue) => queue.length > 0);
      mixed.push(waiting[step % waiting.length]!.shift()!);
    }
    expect(told(folded(mixed))).toBe(inOrder);
  }
});
