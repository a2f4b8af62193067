import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { asCents, asE4, formatE4, percentOf } from "@tributary/contracts/money";
import type pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { removeDirectory } from "../src/demo/throw-away.ts";
import { type Postgres, startPostgres } from "../src/postgres/start-postgres.ts";
import { checkoutRoot } from "../src/state/checkout.ts";
import type { Violation } from "../src/verify/findings.ts";
import type { Verdict } from "../src/verify/verify.ts";
import { connected, damaged, one, type Picked, rowOf, undamaged } from "./verify-copies.ts";
import { playInto } from "./verify-played.ts";

const MINUTES_MS = 60_000;

let directory: string;
let postgres: Postgres;
let stoppedAgain: { code: number | null; out: string; err: string };
const atWork: Verdict[][] = [];

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), "tributary-verify-"));
  await playInto(directory, async (url) => void atWork.push(await undamaged(url, atWork.length)));
  stoppedAgain = await npmRunVerify("--data", directory);
  postgres = await startPostgres({ dataDir: join(directory, "postgres"), name: "postgres" });
}, 5 * MINUTES_MS);

afterAll(async () => {
  await postgres?.stop();
  removeDirectory(directory);
}, MINUTES_MS);

async function npmRunVerify(...args: string[]): Promise<typeof stoppedAgain> {
  const words = ["deploy/scripts/run.mjs", "deploy/src/verify.ts", ...args];
  const child = spawn(process.execPath, words, { cwd: checkoutRoot() });
  let [out, err] = ["", ""];
  child.stdout.on("data", (text) => (out += text));
  child.stderr.on("data", (text) => (err += text));
  const [code] = await once(child, "close");
  return { code, out, err };
}

const broken = (verdicts: readonly Verdict[]): string[] =>
  verdicts.filter(({ holds }) => !holds).map(({ invariant }) => invariant);
const violationsOf = (verdicts: readonly Verdict[], invariant: string): readonly Violation[] =>
  verdicts.find((verdict) => verdict.invariant === invariant)!.violations;

/** The invariant is named with this very row, and others only those that `follow`, each for its reason. */
function expectNamed(
  verdicts: readonly Verdict[],
  invariant: string,
  violation: Partial<Violation>,
  follow: Readonly<Record<string, string>> = {},
): void {
  expect(broken(verdicts)).toEqual([invariant, ...Object.keys(follow)].sort());
  expect(violationsOf(verdicts, invariant)).toContainEqual(expect.objectContaining(violation));
}

/** Picks one event that the condition describes, the first by stream, and gives some of its data as text. */
const pick = <D extends string>(client: pg.Client, log: string, where: string, ...fields: D[]) =>
  one<Picked & Record<D, string>>(
    client,
    `select stream, partition, sequence::int as sequence${fields.map((field) => `, data->>'${field}' as ${field}`).join("")}
       from ${log}.events e where ${where} order by stream, version limit 1`,
  );

const change = (
  client: pg.Client,
  log: string,
  { partition, sequence }: Picked,
  to: string,
  ...values: unknown[]
) =>
  client.query(`update ${log}.events set ${to} where partition = $1 and sequence = $2`, [
    partition,
    sequence,
    ...values,
  ]);

const setField = (client: pg.Client, log: string, of: Picked, field: string, value: unknown) =>
  change(client, log, of, `data = jsonb_set(data, $3, $4)`, field.split("."), JSON.stringify(value));

const e4 = (text: string): bigint => BigInt(text.replace(".", ""));
/** A ten-thousandth of a dollar more. */
const more = (text: string): string => formatE4(asE4(e4(text) + 1n));

const LATEST = (log: string): string =>
  `not exists (select from ${log}.events l where l.stream = e.stream and l.version > e.version)`;
const FOLDED_BEFORE = "its read models were folded from the event as it was";

describe("npm run verify on a short story", () => {
  it("finds that everything holds while the system is at work", () => {
    expect(atWork.length).toBeGreaterThan(2);
    for (const verdicts of atWork) expect(verdicts.flatMap(({ violations }) => violations)).toEqual([]);
    expect(atWork.at(-1)!.map(({ invariant }) => invariant)).toEqual([
      "I1",
      "I2",
      "I3",
      "I4",
      "I5",
      "I6",
      "I9",
    ]);
  });

  it("finds that everything holds in the stopped directory, says over how much, and stops it again", () => {
    expect(stoppedAgain).toMatchObject({ code: 0, err: "" });
    expect(stoppedAgain.out).toMatch(/^I1 {2}holds: .*\d+ earnings, \d+ metrics; \d+\.\d s\)$/m);
    expect(stoppedAgain.out.match(/ {2}holds: /g)).toHaveLength(7);
    expect(postgres.adopted).toBe(false);
  });

  it("finds nothing in the copy nobody damaged, whatever order the partitions are replayed in", async () => {
    for (const seed of [1, 2, 3]) {
      const verdicts = await undamaged(postgres.url, seed);
      expect(verdicts.flatMap(({ violations }) => violations)).toEqual([]);
      for (const { counted } of verdicts) expect(Math.max(...Object.values(counted))).toBeGreaterThan(2);
      const { digests } = verdicts.find(({ invariant }) => invariant === "I6")!;
      for (const { live, replayed } of Object.values(digests)) expect(replayed).toBe(live);
    }
  });
});

describe("I1, earnings and the retailer's metrics", () => {
  it("names the earning that is a ten-thousandth more than base x percent", async () => {
    const { of, verdicts } = await damaged(postgres.url, "earnings", async (client) => {
      const of = await pick(
        client,
        "earnings",
        `type = 'EarningAccrued' and ${LATEST("earnings")}`,
        "amount",
      );
      await setField(client, "earnings", of, "amount", more(of.amount));
      return of;
    });
    expectNamed(
      verdicts,
      "I1",
      { service: "earnings", stream: of.stream, row: rowOf("earnings", of), amount: "0.0001" },
      { I6: FOLDED_BEFORE },
    );
  });

  it("names the metric whose sales are a cent more than what was earned of them", async () => {
    const { of, verdicts } = await damaged(postgres.url, "attribution", async (client) => {
      const sold = "type = 'PerfMetricIngested' and data->>'total_attributed_sales_14d' <> '0.00'";
      const of = await pick(client, "attribution", `${sold} and ${LATEST("attribution")}`, "metric_id");
      await change(
        client,
        "attribution",
        of,
        `data = jsonb_set(data, '{total_attributed_sales_14d}', to_jsonb(((data->>'total_attributed_sales_14d')::numeric + 0.01)::text))`,
      );
      return of;
    });
    const { percent } = await connected(postgres.url, "tributary_earnings", (client) =>
      one<{ percent: number }>(
        client,
        `select (data->>'commission_rate')::int as percent from earnings.events
           where type = 'EarningAccrued' and data->>'metric_id' = $1 and data->>'earning_type' = 'commission'`,
        [of.metric_id],
      ),
    );
    expectNamed(
      verdicts,
      "I1",
      {
        ...{ service: "attribution", stream: of.stream, row: rowOf("attribution", of) },
        amount: formatE4(percentOf(asCents(-1n), percent)),
      },
      { I3: "the months have not booked what the latest revision now says", I6: FOLDED_BEFORE },
    );
  });

  it("names the metric with sales that earned nothing", async () => {
    const { of, verdicts } = await damaged(postgres.url, "attribution", async (client) => {
      const nothing = "type = 'PerfMetricIngested' and data->>'total_attributed_sales_14d' = '0.00'";
      const of = await pick(client, "attribution", `${nothing} and version = 1 and ${LATEST("attribution")}`);
      await setField(client, "attribution", of, "total_attributed_sales_14d", "10.00");
      return of;
    });
    expectNamed(
      verdicts,
      "I1",
      { service: "attribution", stream: of.stream, row: rowOf("attribution", of), amount: "10.00" },
      { I6: FOLDED_BEFORE },
    );
  });
});

describe("I2, statements", () => {
  it("names the statement that carries out a ten-thousandth more than it should", async () => {
    const { of, verdicts } = await damaged(postgres.url, "billing", async (client) => {
      const of = await pick(client, "billing", "type = 'StatementIssued'", "carried_out");
      await setField(client, "billing", of, "carried_out", more(of.carried_out));
      return of;
    });
    expectNamed(
      verdicts,
      "I2",
      { service: "billing", stream: of.stream, row: rowOf("billing", of), amount: "0.0001" },
      { I6: FOLDED_BEFORE },
    );
  });

  it("names the carry that does not chain to the month before", async () => {
    const { of, verdicts } = await damaged(postgres.url, "billing", async (client) => {
      const of = await pick(client, "billing", "type = 'CarriedIn'", "amount");
      await setField(client, "billing", of, "amount", more(of.amount));
      return of;
    });
    expectNamed(
      verdicts,
      "I2",
      { service: "billing", stream: of.stream, row: rowOf("billing", of), amount: "0.0001" },
      { I6: FOLDED_BEFORE },
    );
  });

  it("names the charge that asks for a cent more than its statement", async () => {
    const { of, verdicts } = await damaged(postgres.url, "billing", async (client) => {
      const of = await pick(client, "billing", "type = 'ChargeRequested'");
      await change(
        client,
        "billing",
        of,
        `data = jsonb_set(data, '{breakdown,0,net_cents}', to_jsonb((data #>> '{breakdown,0,net_cents}')::int + 1))`,
      );
      return of;
    });
    expectNamed(
      verdicts,
      "I2",
      { service: "billing", stream: of.stream, row: rowOf("billing", of), amount: "0.0100" },
      { I6: FOLDED_BEFORE },
    );
  });
});

describe("I2, carries and payouts", () => {
  it("names the statement that carries dollars for no reason", async () => {
    const { of, verdicts } = await damaged(postgres.url, "billing", async (client) => {
      const below = "type = 'StatementIssued' and data->>'carried_reason' = 'below_minimum'";
      const of = await pick(client, "billing", below, "carried_out");
      await setField(client, "billing", of, "carried_reason", null);
      return of;
    });
    expectNamed(
      verdicts,
      "I2",
      { service: "billing", stream: of.stream, row: rowOf("billing", of), amount: of.carried_out },
      { I6: FOLDED_BEFORE },
    );
  });

  it("names the payout of a cent more than was charged", async () => {
    const { of, verdicts } = await damaged(postgres.url, "billing", async (client) => {
      const of = await pick(client, "billing", "type = 'PayoutSucceeded'", "amount_cents");
      await setField(client, "billing", of, "amount_cents", Number(of.amount_cents) + 1);
      return of;
    });
    expectNamed(
      verdicts,
      "I2",
      { service: "billing", stream: of.stream, row: rowOf("billing", of), amount: "0.0100" },
      { I6: FOLDED_BEFORE },
    );
  });
});

describe("I3, restatements", () => {
  it("names the entry that entered a month after its statement was issued", async () => {
    const { of, verdicts } = await damaged(postgres.url, "billing", async (client) => {
      const of = await pick(
        client,
        "billing",
        "type = 'EarningBooked' and data->>'month' = '2026-01'",
        "amount",
      );
      await change(
        client,
        "billing",
        of,
        "version = (select max(version) + 1 from billing.events l where l.stream = events.stream)",
      );
      return of;
    });
    expectNamed(
      verdicts,
      "I3",
      { service: "billing", stream: of.stream, row: rowOf("billing", of), amount: of.amount },
      { I5: "the version it had is missing" },
    );
  });

  it("names the entry that makes all months together book more than the latest revision is worth", async () => {
    const { of, verdicts } = await damaged(postgres.url, "billing", async (client) => {
      const of = await pick(
        client,
        "billing",
        "type = 'EarningBooked' and data->>'month' = '2026-02'",
        "amount",
      );
      await setField(client, "billing", of, "amount", more(of.amount));
      return of;
    });
    expectNamed(
      verdicts,
      "I3",
      { service: "billing", stream: of.stream, row: rowOf("billing", of), amount: "0.0001" },
      { I6: FOLDED_BEFORE },
    );
  });

  it("names the entry of a closed month, whose statement then differs too", async () => {
    const { of, verdicts } = await damaged(postgres.url, "billing", async (client) => {
      const of = await pick(
        client,
        "billing",
        "type = 'EarningBooked' and data->>'month' = '2026-01'",
        "amount",
      );
      await setField(client, "billing", of, "amount", more(of.amount));
      return of;
    });
    expectNamed(
      verdicts,
      "I3",
      { service: "billing", stream: of.stream, row: rowOf("billing", of), amount: "0.0001" },
      { I2: "the statement was issued over what was booked", I6: FOLDED_BEFORE },
    );
    expect(violationsOf(verdicts, "I2")).toEqual([
      expect.objectContaining({ stream: of.stream, amount: "-0.0001" }),
    ]);
  });
});

describe("I4, charged once", () => {
  /** Two successful charges of one month and brand, for different creators. */
  const twoCharges = async (client: pg.Client) => {
    const of = "type = 'ChargeSucceeded' and data->>'kind' = ";
    const mine = await pick(client, "billing", `${of}'platform'`, "amount", "brand_id", "attempt");
    const other = await pick(
      client,
      "billing",
      `${of}'creator' and data->>'brand_id' = '${mine.brand_id}'`,
      "creator_id",
      "stripe_payment_intent_id",
      "amount",
    );
    return { mine, other };
  };

  it("names both charges of one PaymentIntent", async () => {
    const { of, verdicts } = await damaged(postgres.url, "billing", async (client) => {
      const charges = await twoCharges(client);
      const intent = charges.other.stripe_payment_intent_id;
      await setField(client, "billing", charges.mine, "stripe_payment_intent_id", intent);
      return charges;
    });
    const { mine, other } = of;
    expectNamed(
      verdicts,
      "I4",
      { service: "billing", stream: mine.stream, row: rowOf("billing", mine), amount: mine.amount },
      { I6: FOLDED_BEFORE },
    );
    expect(
      violationsOf(verdicts, "I4")
        .map(({ stream }) => stream)
        .sort(),
    ).toEqual([mine.stream, other.stream].sort());
  });

  it("names the attempt that used another charge's idempotency key", async () => {
    const { of, verdicts } = await damaged(postgres.url, "billing", async (client) => {
      const { mine, other } = await twoCharges(client);
      const attempt = (stream: string) =>
        pick(client, "billing", `type = 'ChargeAttemptStarted' and stream = '${stream}'`, "idempotency_key");
      const [started, taken] = [await attempt(mine.stream), await attempt(other.stream)];
      await setField(client, "billing", started, "idempotency_key", taken.idempotency_key);
      return { ...started, amount: mine.amount };
    });
    const { stream, amount } = of;
    expectNamed(verdicts, "I4", { service: "billing", stream, row: rowOf("billing", of), amount });
  });

  it("names the charge that is for the month, brand and creator of another", async () => {
    const { of, verdicts } = await damaged(postgres.url, "billing", async (client) => {
      const { mine, other } = await twoCharges(client);
      await setField(client, "billing", mine, "breakdown.0.creator_id", other.creator_id);
      return mine;
    });
    expectNamed(verdicts, "I4", { service: "billing", stream: of.stream, row: rowOf("billing", of) });
  });
});

describe("I5, no gaps", () => {
  it("names the event whose version leaves one out", async () => {
    const { of, verdicts } = await damaged(postgres.url, "earnings", async (client) => {
      const of = await pick(client, "earnings", `type = 'AccruedThrough' and ${LATEST("earnings")}`);
      await change(client, "earnings", of, "version = version + 1");
      return of;
    });
    const { stream } = of;
    expectNamed(verdicts, "I5", { service: "earnings", stream, row: rowOf("earnings", of), amount: "1" });
  });

  it("names the event before which sequences are missing", async () => {
    const { of, verdicts } = await damaged(postgres.url, "catalog", async (client) => {
      const head =
        "not exists (select from catalog.events l where l.partition = e.partition and l.sequence > e.sequence)";
      const of = await pick(client, "catalog", `type = 'DayBegan' and ${head}`);
      await change(client, "catalog", of, "sequence = sequence + 3");
      return { ...of, sequence: of.sequence + 3 };
    });
    const { stream } = of;
    expectNamed(verdicts, "I5", { service: "catalog", stream, row: rowOf("catalog", of), amount: "3" });
  });

  it("names the reader that has heard the end of a log which is gone", async () => {
    const { of, verdicts } = await damaged(postgres.url, "catalog", async (client) => {
      const head =
        "not exists (select from catalog.events l where l.partition = e.partition and l.sequence > e.sequence)";
      const of = await pick(client, "catalog", `type = 'DayBegan' and ${head}`);
      await client.query("delete from catalog.events where partition = $1 and sequence = $2", [
        of.partition,
        of.sequence,
      ]);
      return of;
    });
    const row = `runtime.checkpoints (agreements, catalog, ${of.partition})`;
    expectNamed(verdicts, "I5", { service: "earnings", row, amount: "1" });
  });
});

describe("I6, read models and their replay", () => {
  const damagedDocument = (damage: string) =>
    damaged(postgres.url, "earnings", async (client) => {
      const { id } = await one<{ id: string }>(
        client,
        "select id from documents.earnings_v1 where doc is not null order by id limit 1",
      );
      await client.query(damage, [id]);
      return id;
    });
  const changed = `update documents.earnings_v1 set doc = jsonb_set(doc, '{amount}', to_jsonb(((doc->>'amount')::bigint + 7)::text)) where id = $1`;
  const copied = `insert into documents.earnings_v1 select 'nobody', doc, revision, watermark, held from documents.earnings_v1 where id = $1`;

  it("names the document that has another amount than its replay", async () => {
    const { of, verdicts } = await damagedDocument(changed);
    const row = `documents.earnings_v1 (${of})`;
    expectNamed(verdicts, "I6", { service: "earnings", stream: null, row, amount: "7" });
  });

  it("names the document that is gone, and the one that no event speaks of", async () => {
    const gone = await damagedDocument("delete from documents.earnings_v1 where id = $1");
    expectNamed(gone.verdicts, "I6", { service: "earnings", row: `documents.earnings_v1 (${gone.of})` });
    const added = await damagedDocument(copied);
    expectNamed(added.verdicts, "I6", { service: "earnings", row: "documents.earnings_v1 (nobody)" });
  });

  it("names the document that is held and folds when replayed", async () => {
    const held = `{"cause": "no reason", "type": "EarningAccrued", "since": "2026-01-01T00:00:00.000Z", "from": {}}`;
    const { of, verdicts } = await damagedDocument(
      `update documents.earnings_v1 set held = '${held}' where id = $1`,
    );
    expectNamed(verdicts, "I6", { service: "earnings", row: `documents.earnings_v1 (${of})` });
  });
});

describe("I9, double entry", () => {
  it("names the charge by which the brand's debt falls by a cent more than its shares", async () => {
    const { of, verdicts } = await damaged(postgres.url, "billing", async (client) => {
      const of = await pick(client, "billing", "type = 'ChargeSucceeded'");
      await change(
        client,
        "billing",
        of,
        `data = jsonb_set(data, '{amount}', to_jsonb(((data->>'amount')::numeric + 0.01)::text))`,
      );
      return of;
    });
    const { stream } = of;
    expectNamed(verdicts, "I9", { service: "billing", stream, row: rowOf("billing", of), amount: "0.0100" });
  });

  it("names the row of the live books that does not add up to nothing", async () => {
    const { of, verdicts } = await damaged(postgres.url, "billing", async (client) => {
      const { id } = await one<{ id: string }>(
        client,
        "select id from documents.ledger_v1 order by id limit 1",
      );
      const cash = `jsonb_set(doc, '{cash_stripe}', to_jsonb(((doc->>'cash_stripe')::bigint + 25)::text))`;
      await client.query(`update documents.ledger_v1 set doc = ${cash} where id = $1`, [id]);
      return id;
    });
    expectNamed(
      verdicts,
      "I9",
      { service: "billing", stream: null, row: `documents.ledger_v1 (${of})`, amount: "0.0025" },
      { I6: "the live books are not what their replay makes of them" },
    );
  });
});

describe("npm run verify", () => {
  it("names an event that cannot be read, whoever has to read it, and goes on", async () => {
    const { of, verdicts } = await damaged(postgres.url, "billing", async (client) => {
      const of = await pick(client, "billing", "type = 'EarningBooked'");
      await change(client, "billing", of, "data = data - 'amount'");
      return of;
    });
    const unread = { service: "billing", stream: of.stream, row: rowOf("billing", of) };
    const reads = "it has to read the entry";
    expectNamed(verdicts, "I3", unread, { I2: reads, I6: reads, I9: reads });
    for (const invariant of ["I2", "I6", "I9"])
      expect(violationsOf(verdicts, invariant)).toContainEqual(expect.objectContaining(unread));
  });

  it("ends with 1 where something doesn't hold, tells it as JSON, and lets a system at work go on", async () => {
    await connected(postgres.url, "tributary_billing", (client) =>
      client.query("update documents.ledger_v1 set doc = jsonb_set(doc, '{writeoff}', '\"1\"')"),
    );
    const { code, out } = await npmRunVerify("--data", directory, "--json", "--seed", "9");
    expect(code).toBe(1);
    const told = JSON.parse(out);
    expect(told).toMatchObject({ directory, seed: 9, holds: false });
    expect(broken(told.verdicts)).toEqual(["I6", "I9"]);
    await connected(postgres.url, "postgres", (client) => client.query("select 1"));
  });

  it("ends with 2 where there is no data", async () => {
    const empty = mkdtempSync(join(tmpdir(), "tributary-nothing-"));
    const { code, out, err } = await npmRunVerify("--data", empty);
    rmSync(empty, { recursive: true });
    expect({ code, out }).toEqual({ code: 2, out: "" });
    expect(err).toContain("holds no data");
  });
});
