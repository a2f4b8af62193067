import { logger } from "@tributary/runtime/logs";
import { expect, test } from "vitest";
import { ClickRecorder, type Noted } from "../src/redirect/click-recorder.ts";
import { RecentLinks } from "../src/redirect/recent-links.ts";

const click = (n: number): Noted => ({
  link_id: `l${n}`,
  at: "2026-01-05T18:00:00Z",
  address: "",
  agent: "",
  referrer: "",
});
const silent = logger("test", "silent");

test("a link is read once for all who ask at once, and then never again", async () => {
  let reads = 0;
  const links = new RecentLinks(async (id) => {
    reads++;
    return `https://shop/${id}`;
  });
  expect(links.get("a")).toBeUndefined();
  expect(await Promise.all([links.find("a"), links.find("a"), links.find("a")])).toEqual(
    Array(3).fill("https://shop/a"),
  );
  expect(links.get("a")).toBe("https://shop/a");
  expect(reads).toBe(1);
});

test("an unknown link is asked for again, for it may come to be", async () => {
  const known = new Map<string, string>();
  const links = new RecentLinks(async (id) => known.get(id) ?? null);
  expect(await links.find("a")).toBeNull();
  known.set("a", "https://shop/a");
  expect(await links.find("a")).toBe("https://shop/a");
});

test("the links followed last stay, the others go", () => {
  const links = new RecentLinks(async () => null, 2);
  links.put("a", "A");
  links.put("b", "B");
  links.get("a");
  links.put("c", "C");
  expect([links.get("a"), links.get("b"), links.get("c")]).toEqual(["A", undefined, "C"]);
});

test("clicks are written in batches, one at a time, in order, and none is lost", async () => {
  const written: number[] = [];
  let atOnce = 0;
  let most = 0;
  const work: Promise<unknown>[] = [];
  const recorder = new ClickRecorder(
    async (clicks) => {
      most = Math.max(most, ++atOnce);
      await Promise.resolve();
      written.push(...clicks.map(({ link_id }) => Number(link_id.slice(1))));
      atOnce--;
    },
    async () => undefined,
    silent,
    (one) => work.push(one),
  );
  for (let n = 0; n < 5000; n++) {
    recorder.note(click(n));
    if (n % 700 === 0) await Promise.resolve();
  }
  await Promise.all(work);
  expect(written).toEqual([...Array(5000).keys()]);
  expect(most).toBe(1);
});

test("what couldn't be written is written later, before what came after it", async () => {
  const written: string[] = [];
  const work: Promise<unknown>[] = [];
  let fails = 2;
  const recorder: ClickRecorder = new ClickRecorder(
    async (clicks) => {
      if (fails-- > 0) throw new Error("no database");
      written.push(...clicks.map(({ link_id }) => link_id));
    },
    async () => recorder.note(click(9)),
    silent,
    (one) => work.push(one),
  );
  recorder.note(click(1));
  recorder.note(click(2));
  await Promise.all(work);
  expect(written.slice(0, 4)).toEqual(["l1", "l2", "l9", "l9"]);
});

test("more clicks than fit into memory are lost and said to be, those that fit are kept", async () => {
  const written: string[] = [];
  const said: unknown[] = [];
  const work: Promise<unknown>[] = [];
  const log = { ...silent, error: (about: unknown) => said.push(about) } as unknown as typeof silent;
  const recorder = new ClickRecorder(
    async (clicks) => {
      written.push(...clicks.map(({ link_id }) => link_id));
    },
    async () => undefined,
    log,
    (one) => work.push(one),
  );
  const long = { ...click(1), agent: "x".repeat(60_000) };
  for (let n = 0; n < 2050; n++) recorder.note(long);
  await Promise.all(work);
  expect(written).toHaveLength(2049);
  expect(said).toEqual([{ lost: 1 }]);
});

test("at the end everything noted is written, also when the drain was cut short", async () => {
  const written: string[] = [];
  const recorder = new ClickRecorder(
    async (clicks) => {
      written.push(...clicks.map(({ link_id }) => link_id));
    },
    () => Promise.reject(new Error("the service stops")),
    silent,
    (work) => void work.catch(() => undefined),
  );
  for (let n = 0; n < 2500; n++) recorder.note(click(n));
  await recorder.finish();
  expect(written).toHaveLength(2500);
});
