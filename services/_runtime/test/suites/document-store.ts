import { storedCents } from "@tributary/contracts/money";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import type { DocumentRow, DocumentStore } from "../../src/read-models/document-store.ts";
import type { Documents } from "../../src/read-models/documents.ts";
import { type ReadModel, readModel } from "../../src/read-models/read-model.ts";
import { Refusal } from "../../src/refusal.ts";
import { zero } from "../../src/store/partition.ts";

const Tin = z.object({
  tin: z.string(),
  label: z.string().nullable(),
  maker: z.string().optional(),
  count: z.int().nullable(),
  weight: z.number().optional(),
  fresh: z.boolean(),
  worth: storedCents,
});
type Tin = z.output<typeof Tin>;

/** The read model all adapters keep. */
export const tins = (version = 1): ReadModel<never> =>
  readModel("tins", Tin, {
    version,
    on: [],
    key: () => null,
    indexes: [["label"], ["worth", "count"]],
  }) as never;

/** A store of the documents of `tins`, empty and not yet built, and whatever another process would open. */
export interface Opened {
  readonly store: DocumentStore;
  again(version?: number): DocumentStore;
}

const cents = (worth: bigint): Tin["worth"] => worth as Tin["worth"];
const tin = (
  id: string,
  { worth = 0n, ...more }: Partial<Omit<Tin, "worth"> & { worth: bigint }> = {},
): Tin => ({
  tin: id,
  label: null,
  count: null,
  fresh: true,
  ...more,
  worth: cents(worth),
});
const encoded = (document: Tin): unknown => z.encode(Tin, document);
const row = (id: string, doc: unknown, more: Partial<DocumentRow> = {}): DocumentRow => ({
  id,
  doc,
  revision: 0,
  watermark: { "program:3": 7 },
  held: null,
  ...more,
});
const positions = (at: number): number[] => zero().map((_, partition) => at + partition);

/** What must hold of any engine that keeps documents. */
export function keepsDocuments(name: string, open: () => Promise<Opened>): void {
  const built = async (documents: readonly Tin[] = []) => {
    const opened = await open();
    const rows = documents.map((document) => row(document.tin, encoded(document), { revision: 1 }));
    await opened.store.build(async () => ({ rows, positions: { program: positions(1) } }));
    return { ...opened, documents: opened.store.documents<Tin>() };
  };
  const idsOf = async (documents: Documents<Tin>) => (await documents.all()).map(({ tin: id }) => id);

  describe(`${name} keeps documents`, () => {
    test("of two writes on the same revision one stands, for new documents too", async () => {
      const { store, again } = await built();
      const other = again();
      const [one, two] = await Promise.all([
        store.write([row("a", encoded(tin("a", { count: 1 })))]),
        other.write([row("a", encoded(tin("a", { count: 2 })))]),
      ]);
      expect([...one, ...two]).toEqual(["a"]);
      const [a] = [...(await store.load(["a", "nobody"])).values()];
      expect(a).toMatchObject({ id: "a", revision: 1, watermark: { "program:3": 7 }, held: null });
      expect(await other.write([row("a", null, { revision: 0 }), row("b", encoded(tin("b")))])).toEqual(
        new Set(["b"]),
      );
      expect(await store.write([{ ...a!, doc: encoded(tin("a", { count: 3 })) }])).toEqual(new Set(["a"]));
      expect((await store.load(["a"])).get("a")).toMatchObject({ revision: 2, doc: { count: 3 } });
    });

    test("a deleted document is not shown, and a write on what it was before doesn't bring it back", async () => {
      const { store, documents } = await built([tin("a", { label: "x" }), tin("b", { label: "x" })]);
      const before = (await store.load(["a"])).get("a")!;
      expect(await store.write([{ ...before, doc: null, watermark: { "program:3": 9 } }])).toEqual(
        new Set(["a"]),
      );
      expect(await store.write([before])).toEqual(new Set());
      expect(await store.write([{ ...before, revision: 0 }])).toEqual(new Set());
      expect((await store.load(["a"])).get("a")).toMatchObject({ doc: null, watermark: { "program:3": 9 } });
      expect(await documents.get("a")).toBe(null);
      expect([...(await documents.find(["a", "b"])).keys()]).toEqual(["b"]);
      expect(await documents.where({ label: "x" }).count()).toBe(1);
    });

    test("a held document keeps its cause and from where it waits, and is still shown as it was", async () => {
      const { store, documents } = await built([tin("a", { count: 4 })]);
      const held = {
        cause: 'too "hot" 😀',
        type: "Boiled",
        since: "2026-01-05T00:00:00Z",
        from: { program: positions(3) },
      };
      await store.write([{ ...(await store.load(["a"])).get("a")!, held }]);
      expect((await store.heldDocuments()).map(({ id, held: why }) => [id, why])).toEqual([["a", held]]);
      expect(await documents.get("a")).toMatchObject({ count: 4 });
    });

    test("a checkpoint moves only from where it stands, partition by partition; who is late is told where it stands", async () => {
      const { store, again } = await built();
      const other = again();
      expect(await store.checkpoint("program")).toEqual(positions(1));
      expect(await store.checkpoint("catalog")).toEqual(zero());
      expect(await store.move("program", positions(1), positions(5))).toBe(null);
      expect(await other.move("program", positions(1), positions(4))).toEqual(positions(5));
      expect(await other.move("program", positions(1), positions(9))).toEqual(positions(5));
      expect(await other.move("program", positions(5), positions(9))).toBe(null);
      const mixed = positions(9).with(0, 2);
      expect(await store.move("program", mixed, positions(12))).toEqual(positions(12).with(0, 9));
      expect(await store.move("catalog", zero(), positions(2))).toBe(null);
      expect(await other.move("catalog", zero(), positions(7))).toEqual(positions(2));
    });

    test("a version is built once, by one builder; the others wait and find it ready", async () => {
      const { store, again } = await open();
      let folds = 0;
      const fold = async () => {
        folds++;
        return { rows: [row("a", encoded(tin("a")), { revision: 1 })], positions: { program: positions(2) } };
      };
      expect(await store.ready()).toBe(false);
      await Promise.all([store.build(fold), again().build(fold), again().build(fold)]);
      expect([folds, await store.ready(), await again(2).ready()]).toEqual([1, true, false]);
      await again(2).build(async () => ({ rows: [], positions: { program: positions(8) } }));
      expect(await store.checkpoint("program")).toEqual(positions(2));
      expect(await store.documents<Tin>().get("a")).toMatchObject({ tin: "a" });
      await expect(again(3).build(() => Promise.reject(new Error("can't fold")))).rejects.toThrow(
        "can't fold",
      );
      expect(await again(3).ready()).toBe(false);
    });

    test("any text, number and amount comes back as it was written", async () => {
      const { store, documents } = await built();
      const text = fc.string({ unit: "grapheme", maxLength: 20 }).filter((one) => !one.includes("\u0000"));
      const made = fc.record({
        label: fc.option(text),
        count: fc.option(fc.maxSafeInteger()),
        worth: fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
        fresh: fc.boolean(),
      });
      const drawn = fc.sample(made, { numRuns: 100, seed: 5 }).map((one, n) => tin(`t${n}`, one));
      const odd = ["\\", "\t", "\n\r", "\\N", "\\.", '"', "'", "%_", "\u007f", "\u2028", "𝄞"].map(
        (label, n) => tin(`odd${n}`, { label, maker: label }),
      );
      const all = [...drawn, ...odd];
      await store.write(all.map((one) => row(one.tin, encoded(one))));
      expect(await documents.many(all.map(({ tin: id }) => id))).toEqual(all);
      const second = await built(all);
      expect(await second.documents.many(all.map(({ tin: id }) => id))).toEqual(all);
    });
  });

  describe(`${name} is asked in the declared vocabulary`, () => {
    test("equals, in, null, and conditions that are not there", async () => {
      const { documents } = await built([
        tin("a", { label: "x", count: 0, fresh: false }),
        tin("b", { label: "y", maker: "m", count: 2 }),
        tin("c", { label: null, count: 2 }),
        tin("d", { label: "", maker: "" }),
      ]);
      expect(await idsOf(documents.where({ label: "x" }))).toEqual(["a"]);
      expect(await idsOf(documents.where({ label: null }))).toEqual(["c"]);
      expect(await idsOf(documents.where({ maker: null }))).toEqual(["a", "c"]);
      expect(await idsOf(documents.where({ label: "" }))).toEqual(["d"]);
      expect(await idsOf(documents.where({ label: { in: ["x", "y", "z"] } }))).toEqual(["a", "b"]);
      expect(await idsOf(documents.where({ label: { in: [] } }))).toEqual([]);
      expect(await idsOf(documents.where({ count: 0 }))).toEqual(["a"]);
      expect(await idsOf(documents.where({ fresh: false }))).toEqual(["a"]);
      expect(await idsOf(documents.where({ count: 2 }).where({ label: "y" }))).toEqual(["b"]);
      expect(await idsOf(documents.where({ label: undefined }))).toEqual(["a", "b", "c", "d"]);
      expect(await documents.where({ count: 2 }).get("a")).toBe(null);
      expect(await documents.where({ count: 2 }).get("b")).toMatchObject({ tin: "b" });
    });

    test("ranges leave out what is missing, and amounts beyond 2^53 are compared exactly", async () => {
      const big = 2n ** 53n;
      const { documents } = await built([
        tin("a", { count: 9, worth: big }),
        tin("b", { count: 10, worth: big + 1n }),
        tin("c", { count: -1, worth: -big - 1n }),
        tin("d", { weight: 0.5 }),
      ]);
      expect(await idsOf(documents.where({ count: { gte: 9 } }))).toEqual(["a", "b"]);
      expect(await idsOf(documents.where({ count: { gt: 9, lt: 11 } }))).toEqual(["b"]);
      expect(await idsOf(documents.where({ count: { lte: 9 } }))).toEqual(["a", "c"]);
      expect(await idsOf(documents.where({ worth: { gt: cents(big) } }))).toEqual(["b"]);
      expect(await idsOf(documents.where({ worth: cents(big + 1n) }))).toEqual(["b"]);
      expect(await idsOf(documents.where({ weight: { lt: 0.75 } }))).toEqual(["d"]);
    });

    test("a prefix is exact, a piece ignores the case of plain letters, and wildcards are letters like any other", async () => {
      const { documents } = await built([
        tin("a", { label: "100% Apple_pie" }),
        tin("b", { label: "1000 apples" }),
        tin("c", { label: "back\\slash" }),
        tin("d", { label: "𝄞 music" }),
      ]);
      expect(await idsOf(documents.where({ label: { prefix: "100" } }))).toEqual(["a", "b"]);
      expect(await idsOf(documents.where({ label: { prefix: "100%" } }))).toEqual(["a"]);
      expect(await idsOf(documents.where({ label: { prefix: "back\\" } }))).toEqual(["c"]);
      expect(await idsOf(documents.where({ label: { prefix: "𝄞" } }))).toEqual(["d"]);
      expect(await idsOf(documents.where({ label: { contains: "APPLE" } }))).toEqual(["a", "b"]);
      expect(await idsOf(documents.where({ label: { contains: "e_p" } }))).toEqual(["a"]);
      expect(await idsOf(documents.where({ label: { prefix: "Apple" } }))).toEqual([]);
    });

    test("texts sort by code point, numbers by size, what is missing comes last both ways, ties go by id", async () => {
      const labels = ["b", "B", "é", "a", "10", "9", "𝄞", "\uffee", null, ""];
      const { documents } = await built(
        labels.map((label, n) => tin(`t${n}`, { label, count: label === "b" ? 100 : n % 3 })),
      );
      const sorted = async (...by: Parameters<Documents<Tin>["sort"]>) =>
        (await documents.sort(...by).all()).map(({ label }) => label);
      expect(await sorted("label")).toEqual(["", "10", "9", "B", "a", "b", "é", "\uffee", "𝄞", null]);
      expect(await sorted("-label")).toEqual(["𝄞", "\uffee", "é", "b", "a", "B", "9", "10", "", null]);
      expect(await sorted("-count", "label")).toEqual([
        "b",
        "9",
        "é",
        null,
        "10",
        "B",
        "\uffee",
        "",
        "a",
        "𝄞",
      ]);
      expect(await idsOf(documents.sort("fresh"))).toEqual(labels.map((_, n) => `t${n}`));
    });

    test("pages put together are the whole list, each document once, whatever it is sorted by", async () => {
      const made = fc.record({
        label: fc.option(fc.constantFrom("a", "b", "é", "𝄞", "")),
        count: fc.option(fc.integer({ min: -3, max: 3 })),
        worth: fc.bigInt({ min: 2n ** 60n, max: 2n ** 60n + 3n }),
        fresh: fc.boolean(),
      });
      const { documents } = await built(
        fc.sample(made, { numRuns: 60, seed: 2 }).map((one, n) => tin(`t${n}`, one)),
      );
      for (const by of [
        ["label"],
        ["-label", "count"],
        ["-worth", "-count"],
        ["fresh", "-label", "worth"],
        [],
      ] as const) {
        const list = documents.sort(...by);
        const paged: Tin[] = [];
        let after: string | null = null;
        do {
          const page: { items: Tin[]; next: string | null } = await list.page({ after, limit: 7 });
          expect(page.items.length).toBeLessThanOrEqual(7);
          paged.push(...page.items);
          after = page.next;
        } while (after);
        expect(paged).toEqual(await list.all());
      }
      for (const after of [
        "nonsense",
        Buffer.from('["x"]').toString("base64url"),
        Buffer.from("[1,2]").toString("base64url"),
      ])
        await expect(documents.sort("label").page({ after })).rejects.toBeInstanceOf(Refusal);
    });

    test("counts and sums are exact, per group too, and asking for too much at once is refused", async () => {
      const big = 2n ** 62n;
      const { documents } = await built([
        tin("a", { label: "x", worth: big, count: 1 }),
        tin("b", { label: "x", worth: big, count: 2 }),
        tin("c", { label: null, worth: 1n }),
        tin("d", { label: "w", worth: -5n, count: 7 }),
      ]);
      expect(await documents.count()).toBe(4);
      expect(await documents.sum("worth", "count")).toEqual({ worth: 2n ** 63n - 4n, count: 10n });
      expect(await documents.where({ label: "nobody" }).sum("worth")).toEqual({ worth: 0n });
      expect(await documents.groupSum("label", "worth")).toEqual([
        { key: "w", count: 1, sums: { worth: -5n } },
        { key: "x", count: 2, sums: { worth: 2n ** 63n } },
        { key: null, count: 1, sums: { worth: 1n } },
      ]);
      await expect(documents.all(3)).rejects.toThrow(/more than 3/);
      await expect(documents.where({ colour: "red" } as never).all()).rejects.toThrow(/no field colour/);
    });
  });
}
