import { logger } from "@tributary/runtime/logs";
import type { Network } from "@tributary/runtime/ports/network";
import { expect, test } from "vitest";
import { askAmazon, BROWSER, JOB } from "../src/amazon/asking.ts";
import { AmazonUnavailable } from "../src/amazon/failures.ts";

const line = (answers: (() => Response)[]) => {
  const waits: number[] = [];
  const network: Network = async () => {
    const answer = answers.length > 1 ? answers.shift() : answers[0];
    return answer!();
  };
  const pause = async (milliseconds: number): Promise<void> => {
    waits.push(milliseconds / 1000);
  };
  return { network, pause, log: logger("test", "silent"), waits };
};
const ok = () => Response.json({ fine: true });
const busy = (retryAfter?: string) => () =>
  new Response("{}", { status: 429, headers: retryAfter ? { "retry-after": retryAfter } : {} });
const ask = (from: ReturnType<typeof line>, patience = JOB) =>
  askAmazon(from, "https://amazon.test/x", {}, patience);

test("an overloaded retailer is asked again when it says so, and a failing one after growing waits", async () => {
  const overloaded = line([busy("42"), ok]);
  expect(await ask(overloaded)).toMatchObject({ status: 200, body: { fine: true } });
  expect(overloaded.waits).toEqual([42]);

  const failing = line([
    () => new Response("<html>", { status: 503 }),
    () => new Response("", { status: 500 }),
    ok,
  ]);
  expect((await ask(failing)).status).toBe(200);
  expect(failing.waits).toEqual([2, 4]);
});

test("an answer that was lost or garbled is asked for again", async () => {
  const lost = line([
    () => {
      throw new TypeError("fetch failed");
    },
    () => new Response('{"reports": ['),
    ok,
  ]);
  expect((await ask(lost)).body).toEqual({ fine: true });
});

test("patience ends: the caller is told when to come back", async () => {
  const overloaded = line([busy("42")]);
  await expect(ask(overloaded, BROWSER)).rejects.toMatchObject({
    name: "AmazonUnavailable",
    retry_after_seconds: 42,
  });
  expect(overloaded.waits).toEqual([]);

  const failing = line([() => new Response("", { status: 500 })]);
  await expect(ask(failing)).rejects.toBeInstanceOf(AmazonUnavailable);
  expect(failing.waits.reduce((sum, wait) => sum + wait, 0)).toBeLessThanOrEqual(JOB.seconds);
});

test("a refusal is an answer and is not asked for again", async () => {
  const refusing = line([() => Response.json({ code: "400" }, { status: 400 })]);
  expect((await ask(refusing)).status).toBe(400);
  expect(refusing.waits).toEqual([]);
});

test("ids longer than a JavaScript number holds keep every digit", async () => {
  const text = '[{"profileId": 18446744073709551615, "cursorId": "{\\"profileId\\":18446744073709551615}"}]';
  const { body } = await ask(line([() => new Response(text)]));
  expect(body).toEqual([
    { profileId: "18446744073709551615", cursorId: '{"profileId":18446744073709551615}' },
  ]);
});
