import type { Sql } from "@tributary/runtime/client";
import { SetClock } from "@tributary/runtime/ports/clock";
import { systemRandom } from "@tributary/runtime/ports/random";
import { given } from "@tributary/runtime/testing/harness";
import { expect, test } from "vitest";
import { amazon } from "../src/amazon/amazon.ts";
import { GrantLost } from "../src/amazon/failures.ts";
import { type SellerTokens, sellerTokens } from "../src/amazon/seller-tokens.ts";
import { tokenCipher } from "../src/amazon/token-cipher.ts";
import { attribution } from "../src/main.ts";
import { env } from "./support/fake-amazon.ts";

const cipher = tokenCipher(Buffer.alloc(32, 7).toString("base64"), systemRandom);

/** The service's own private tables, with locks that hold between connections. */
async function realSql(): Promise<Sql> {
  let lent: Sql | undefined;
  const borrow = { ...amazon, make: ({ sql }: { sql: Sql }) => (lent = sql) };
  const app = await given(attribution, { env });
  app.mounted.acting("test").use(borrow as never);
  return lent!;
}

/** Two processes over the same tables; each renewal answers when the test says so. */
async function twoProcesses() {
  const sql = await realSql();
  const clock = new SetClock("2026-01-05T18:00:00Z");
  const renewals: { resolve: (failed?: Error) => void }[] = [];
  const process = (): SellerTokens =>
    sellerTokens(sql, clock, cipher, async (refresh_token) => {
      await new Promise<void>((resolve, reject) =>
        renewals.push({ resolve: (failed) => (failed ? reject(failed) : resolve()) }),
      );
      return { access_token: `Atza|${renewals.length + 1}`, refresh_token, expires_in: 3600 };
    });
  const [one, two] = [process(), process()];
  await one.keep("b1", { access_token: "Atza|1", refresh_token: "Atzr|1", expires_in: 3600 });
  return { one, two, clock, renewals, sql };
}

const until = async (there: () => boolean): Promise<void> => {
  while (!there()) await new Promise((resolve) => setImmediate(resolve));
};

test("two processes that need a renewed token at once cause one renewal, and both use what it brought", async () => {
  const { one, two, clock, renewals } = await twoProcesses();
  clock.set("2026-01-05T18:59:30Z");
  const asked = [one.access("b1"), one.access("b1"), two.access("b1"), two.access("b1")];
  await until(() => renewals.length > 0);
  renewals[0]!.resolve();

  expect(await Promise.all(asked)).toEqual(Array(4).fill("Atza|2"));
  expect(renewals).toHaveLength(1);
});

test("a consent given while an old grant is being renewed is not overwritten by it", async () => {
  const { one, two, clock, renewals } = await twoProcesses();
  clock.set("2026-01-05T18:59:30Z");
  const old = one.access("b1");
  await until(() => renewals.length > 0);
  await two.keep("b1", { access_token: "Atza|fresh", refresh_token: "Atzr|2", expires_in: 3600 });
  renewals[0]!.resolve();
  await old;
  expect(await two.access("b1")).toBe("Atza|fresh");
});

test("tokens lie sealed in their table; what can't be renewed is lost, and a brand without tokens has none", async () => {
  const { one, clock, renewals, sql } = await twoProcesses();
  const rows = await sql.query("select * from private.seller_tokens");
  expect(JSON.stringify(rows)).not.toContain("Atz");

  clock.set("2026-01-05T20:00:00Z");
  const asked = one.access("b1");
  await until(() => renewals.length > 0);
  renewals[0]!.resolve(new GrantLost("taken back"));
  await expect(asked).rejects.toBeInstanceOf(GrantLost);
  await expect(one.access("b2")).rejects.toBeInstanceOf(GrantLost);
});
