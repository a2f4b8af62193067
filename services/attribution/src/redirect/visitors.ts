import { hash } from "node:crypto";
import { type Day, dayAt } from "@tributary/contracts/dates";
import { client, type Sql } from "@tributary/runtime/client";
import type { Random } from "@tributary/runtime/ports/random";

/** Private table of the salt of the day; yesterday's is thrown away, and with it every way back to an address. */
export const SALTS_TABLE =
  "create table if not exists private.visitor_salts (day text primary key, salt text not null);";

/** Tells visitors of one day apart without knowing them. */
export interface Visitors {
  /** The hash of a visitor under the salt of a day: the same in every process, another the next day. */
  hash(salt: string, address: string, agent: string): string;
  saltOf(day: Day): Promise<string>;
  pause(milliseconds: number): Promise<void>;
}

/** Salts are drawn once per day for all processes. */
export const visitors = client("visitors", ({ sql, random, clock, pause }): Visitors => {
  let known: { day: Day; salt: string } | null = null;
  return {
    pause,
    hash: (salt, address, agent) => hash("sha256", `${salt}\n${address}\n${agent}`, "base64url").slice(0, 22),
    async saltOf(day) {
      if (known?.day !== day) known = { day, salt: await drawnSalt(sql, random, day, dayAt(clock.now())) };
      return known.salt;
    },
  };
});

async function drawnSalt(sql: Sql, random: Random, day: Day, today: Day): Promise<string> {
  await sql.query("delete from private.visitor_salts where day < $1", [today < day ? today : day]);
  await sql.query(
    "insert into private.visitor_salts (day, salt) values ($1, $2) on conflict (day) do nothing",
    [day, random.bytes(32).toString("base64")],
  );
  const [row] = await sql.query<{ salt: string }>("select salt from private.visitor_salts where day = $1", [
    day,
  ]);
  return row!.salt;
}
