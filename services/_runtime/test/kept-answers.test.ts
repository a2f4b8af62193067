import pg from "pg";
import { expect, test } from "vitest";
import { forgetOldAnswers, keptAnswer } from "../src/kept-answers.ts";
import { logger } from "../src/logs.ts";
import { as, given } from "../src/testing/harness.ts";
import { toy } from "./toy.ts";

test("an answer is forgotten after its 7 days, and only then", async () => {
  const app = await given(toy);
  const key = { "idempotency-key": "k1" };
  await app.as(as.brand("b1")).post("/api/shelves", { label: "top" }, key);
  const pool = new pg.Pool({ connectionString: app.databaseUrl });
  const log = logger("test", "silent");
  try {
    await forgetOldAnswers(pool, log);
    expect(await keptAnswer(pool, "uid-b1", "k1")).toMatchObject({ status: 201, answer: { label: "top" } });
    await pool.query("update runtime.answers set kept_until = clock_timestamp() - interval '1 second'");
    await forgetOldAnswers(pool, log);
    expect((await pool.query("select from runtime.answers")).rowCount).toBe(0);
  } finally {
    await pool.end();
  }
});
