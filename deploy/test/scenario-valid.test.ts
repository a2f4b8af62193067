import { expect, test } from "vitest";
import { readScenario } from "../src/scenario/read-scenario.ts";
import { InvalidScenario } from "../src/scenario/scenario.ts";

type Json = Record<string, unknown>;

const partner = (on: string, creator = "ana", brand = "acme") => ({ on, do: "partner", brand, creator });
const link = (on: string, key = "l1", creator = "ana", product = "mug") => ({
  ...{ on, do: "link", key, brand: "acme", creator, product },
});
const report = (changes: Json = {}) => ({
  ...{ on: "2026-01-20", link: "l1", date: "2026-01-18", clicks: 20, promoted: "100.00", total: "120.50" },
  ...changes,
});

/** A valid scenario, with some of its members changed; `undefined` leaves one out. */
const scenario = (changes: Json = {}): Json => ({
  start: "2026-01-01",
  days: 75,
  brands: [
    { key: "acme", payment: "card", products: [{ key: "mug", price: "19.99", percent: 20 }] },
    { key: "bolt", payment: "ach", commission_base: "promoted", products: [] },
  ],
  creators: [
    { key: "ana", payout: "stripe" },
    { key: "bo", payout: "none" },
  ],
  events: [partner("2026-01-02"), link("2026-01-02")],
  reports: [report()],
  ...changes,
});
const read = (changes: Json = {}) => readScenario(JSON.stringify(scenario(changes)));
const events = (...list: Json[]) => ({ events: list, reports: [] });
const refusal = (changes: Json): string => {
  try {
    read(changes);
  } catch (error) {
    if (error instanceof InvalidScenario) return error.message;
    throw error;
  }
  return "valid";
};
const brands = (changes: Json, product: Json = {}) => ({
  brands: [
    {
      ...{ key: "acme", payment: "card", products: [{ key: "mug", price: "1", percent: 20, ...product }] },
      ...changes,
    },
  ],
});

test("what may be left out is filled in: settings, each of its members, the commission base, events and reports", () => {
  const full = { close_day: 3, min_payout: "10.00", gross_up: "card" };
  const { settings, brands, ...rest } = read({ events: undefined, reports: undefined });
  expect(settings).toEqual(full);
  expect(brands.map((brand) => brand.commission_base)).toEqual(["total", "promoted"]);
  expect(rest).toMatchObject({ events: [], reports: [] });
  expect(read({ settings: {} }).settings).toEqual(full);
  expect(read({ settings: { close_day: 31 } }).settings).toEqual({ ...full, close_day: 31 });
  expect(read({ settings: { gross_up: "none" } }).settings).toEqual({ ...full, gross_up: "none" });
});

test("a scenario without brands, creators or products is one", () => {
  expect(refusal({ brands: [], creators: [], events: [], reports: [] })).toBe("valid");
});

test("a file that is no JSON, has comments, or holds something else than an object is refused", () => {
  for (const text of ["", "{", '{ "start": "2026-01-01" // first day\n}', "[]", "7", "null"])
    expect(() => readScenario(text), text).toThrow(InvalidScenario);
});

test("members that are not shown are refused, wherever they stand", () => {
  for (const changes of [
    { name: "mine" },
    { settings: { close_hour: 3 } },
    brands({ name: "Acme" }),
    brands({}, { asin: "B0" }),
    { creators: [{ key: "ana", payout: "stripe", minimum: "5.00" }] },
    events({ ...partner("2026-01-02"), percent: 5 }),
    events(partner("2026-01-02"), { ...link("2026-01-02"), percent: 5 }),
    events({ on: "2026-01-02", do: "fee", brand: "acme", product: "mug", percent: 5, referrer: "bo" }),
    events({ on: "2026-01-02", do: "payout", creator: "ana", payout: "none", brand: "acme" }),
    { reports: [report({ halo: "20.50" })] },
  ])
    expect(refusal(changes)).toMatch(/nrecognized key/);
});

test("every member that is not said to be optional must be there", () => {
  for (const member of ["start", "days", "brands", "creators"])
    expect(refusal({ [member]: undefined })).toMatch(new RegExp(`^${member}`));
  for (const member of ["key", "payment", "products"])
    expect(refusal(brands({ [member]: undefined }))).toMatch(member);
  for (const member of ["key", "price", "percent"])
    expect(refusal(brands({}, { [member]: undefined }))).toMatch(member);
  for (const member of ["key", "payout"])
    expect(refusal({ creators: [{ key: "ana", payout: "none", [member]: undefined }] })).toMatch(member);
  for (const member of ["on", "do", "brand", "creator"])
    expect(refusal(events({ ...partner("2026-01-02"), [member]: undefined }))).toMatch(member);
  for (const member of ["on", "link", "date", "clicks", "promoted", "total"])
    expect(refusal({ reports: [report({ [member]: undefined })] })).toMatch(member);
});

test("null stands for nothing: a member may be left out, not be empty", () => {
  expect(refusal({ settings: null })).toMatch("settings");
  expect(refusal({ settings: { close_day: null } })).toMatch("settings.close_day");
  expect(refusal(brands({ commission_base: null }))).toMatch("commission_base");
  expect(
    refusal(
      events({ on: "2026-01-02", do: "fee", brand: "acme", product: "mug", creator: null, percent: 5 }),
    ),
  ).toMatch("creator");
});

test("keys are 1 to 40 of a-z, A-Z, 0-9, - and _", () => {
  for (const key of ["", "a".repeat(41), "a b", "ä", "a.b", 7])
    expect(refusal(brands({ key })), String(key)).toMatch("brands.0.key");
  for (const key of ["a", "A-_9", "-", "_", "0".repeat(40), "toString", "__proto__"])
    expect(refusal({ ...brands({ key }), events: [], reports: [] }), key).toBe("valid");
});

test("keys are unique in their list without regard to case; products within their brand, links among all", () => {
  const one = (key: string) => ({ key, payment: "none", products: [{ key: "mug", price: "1", percent: 1 }] });
  expect(refusal({ brands: [one("acme"), one("Acme")], events: [], reports: [] })).toMatch("brands.1.key");
  expect(refusal({ brands: [one("acme"), one("bolt")], events: [], reports: [] })).toBe("valid");
  const twice = [1, 2].map((percent) => ({ key: percent === 1 ? "mug" : "MUG", price: "1", percent }));
  expect(refusal(brands({ products: twice }))).toMatch("products.1.key");
  const ana = { key: "ana", payout: "none" };
  expect(refusal({ creators: [ana, { ...ana, key: "ANA" }], events: [], reports: [] })).toMatch(
    "creators.1.key",
  );
  expect(refusal({ creators: [ana, { ...ana, key: "acme" }], events: [], reports: [] })).toBe("valid");
  expect(
    refusal(
      events(
        partner("2026-01-02"),
        partner("2026-01-02", "bo"),
        link("2026-01-02"),
        link("2026-01-02", "L1", "bo"),
      ),
    ),
  ).toMatch("links.1.key");
});

test("price, min_payout and a report's amounts are decimal text: digits, perhaps a point and more digits", () => {
  for (const amount of ["-1", "+1", "1e2", "1.", ".5", "", " 1", "1,5", "0x1", 5, null]) {
    expect(refusal(brands({}, { price: amount })), String(amount)).toMatch("price");
    expect(refusal({ settings: { min_payout: amount } }), String(amount)).toMatch("min_payout");
    expect(refusal({ reports: [report({ promoted: amount })] }), String(amount)).toMatch("promoted");
    expect(refusal({ reports: [report({ total: amount })] }), String(amount)).toMatch("total");
  }
  for (const amount of ["0", "00120.50", "191.95999999999998", "120"])
    expect(refusal({ reports: [report({ promoted: "0", total: amount })] }), amount).toBe("valid");
});

test("clicks is a whole number of at least 0, days of at least 1", () => {
  for (const clicks of [-1, 0.5, "3"]) expect(refusal({ reports: [report({ clicks })] })).toMatch("clicks");
  for (const clicks of [0, 1e20]) expect(refusal({ reports: [report({ clicks })] })).toBe("valid");
  for (const days of [0, -1, 1.5, "75"]) expect(refusal({ days })).toMatch("days");
  expect(refusal({ days: 1, events: [], reports: [] })).toBe("valid");
});

test("percents are whole numbers from 1 to 100, of products, of fees and of referrals", () => {
  for (const percent of [0, 101, 12.5, "20", -5]) {
    expect(refusal(brands({}, { percent })), String(percent)).toMatch("percent");
    const fee = { on: "2026-01-02", do: "fee", brand: "acme", product: "mug", percent };
    expect(refusal(events(fee)), String(percent)).toMatch("percent");
    const refer = { on: "2026-01-02", do: "refer", brand: "acme", referrer: "ana", creator: "bo", percent };
    expect(refusal(events(partner("2026-01-02"), refer)), String(percent)).toMatch("percent");
  }
});

test("the settings, payments, payouts and bases are those named: close_day 1 to 31, gross_up card, all or none", () => {
  for (const close_day of [0, 32, 1.5, "3"])
    expect(refusal({ settings: { close_day } })).toMatch("close_day");
  expect(refusal({ settings: { gross_up: "ach" } })).toMatch("gross_up");
  expect(refusal(brands({ payment: "cash" }))).toMatch("payment");
  expect(refusal(brands({ commission_base: "halo" }))).toMatch("commission_base");
  expect(refusal({ creators: [{ key: "ana", payout: "card" }] })).toMatch("payout");
  expect(refusal(events({ on: "2026-01-02", do: "rename", brand: "acme", creator: "ana" }))).toMatch("do");
});

test("days are those that a calendar has", () => {
  for (const start of ["2026-02-29", "2026-13-01", "26-01-01", "2026-1-1", "2026-01-01T00:00:00Z", 20260101])
    expect(refusal({ start }), String(start)).toMatch("start");
  expect(refusal({ start: "2028-02-29", events: [], reports: [] })).toBe("valid");
});

test("every `on` lies in the run, its first and its last day included", () => {
  expect(refusal(events(partner("2026-01-01")))).toBe("valid");
  expect(refusal(events(partner("2026-03-16")))).toBe("valid");
  expect(refusal(events(partner("2025-12-31")))).toMatch("events.0.on");
  expect(refusal(events(partner("2026-03-17")))).toMatch("events.0.on");
  expect(refusal({ reports: [report({ on: "2026-03-17" })] })).toMatch("reports.0.on");
});

test("every name used is defined, letter by letter", () => {
  expect(refusal(events(partner("2026-01-02", "eve")))).toMatch('no creator "eve"');
  expect(refusal(events(partner("2026-01-02", "ana", "ACME")))).toMatch('no brand "ACME"');
  expect(refusal(events(partner("2026-01-02"), link("2026-01-02", "l1", "ana", "cup")))).toMatch(
    'no product "cup"',
  );
  expect(refusal(events({ on: "2026-01-02", do: "fee", brand: "bolt", product: "mug", percent: 5 }))).toMatch(
    'no product "mug"',
  );
  expect(refusal(events({ on: "2026-01-02", do: "payout", creator: "eve", payout: "none" }))).toMatch(
    "no creator",
  );
  expect(refusal({ reports: [report({ link: "L1" })] })).toMatch('no link "L1"');
});

const refer = (on: string, referrer: string, creator: string) => ({
  ...{ on, do: "refer", brand: "acme", referrer, creator, percent: 5 },
});
const end = (on: string, creator = "ana") => ({ on, do: "end", brand: "acme", creator });

test("a creator becomes a partner of a brand once, by `partner` or `refer`, and never again after `end`", () => {
  expect(refusal(events(partner("2026-01-02"), partner("2026-01-03")))).toMatch("events.1");
  expect(
    refusal(events(partner("2026-01-02"), partner("2026-01-02", "bo"), refer("2026-01-03", "ana", "bo"))),
  ).toMatch("events.2");
  expect(refusal(events(partner("2026-01-02"), end("2026-01-03"), partner("2026-01-04")))).toMatch(
    "events.2",
  );
  expect(refusal(events(partner("2026-01-02"), partner("2026-01-02", "ana", "bolt")))).toBe("valid");
});

test("the referrer is another creator whose partnership at that brand is active at that moment", () => {
  expect(refusal(events(partner("2026-01-02"), refer("2026-01-02", "ana", "bo")))).toBe("valid");
  expect(refusal(events(refer("2026-01-02", "ana", "bo"), partner("2026-01-02")))).toMatch("referrer");
  expect(refusal(events(partner("2026-01-02"), end("2026-01-02"), refer("2026-01-02", "ana", "bo")))).toMatch(
    "referrer",
  );
  expect(refusal(events(partner("2026-01-02", "ana", "bolt"), refer("2026-01-02", "ana", "bo")))).toMatch(
    "referrer",
  );
  expect(refusal(events(refer("2026-01-02", "bo", "bo")))).toMatch("referrer");
  expect(refusal(events(partner("2026-01-02", "bo"), refer("2026-01-03", "bo", "bo")))).toMatch("referrer");
});

test("a link, an end and a private fee need a partnership that is active at that moment; a private fee needs no link", () => {
  const fee = (on: string) => ({ on, do: "fee", brand: "acme", product: "mug", creator: "ana", percent: 30 });
  for (const act of [fee, (on: string) => link(on), (on: string) => end(on)]) {
    expect(refusal(events(act("2026-01-02"), partner("2026-01-02")))).toMatch("has not begun");
    expect(refusal(events(partner("2026-01-02"), act("2026-01-02")))).toBe("valid");
    expect(refusal(events(partner("2026-01-02"), end("2026-01-03"), act("2026-01-03")))).toMatch("has ended");
  }
  expect(refusal(events({ on: "2026-01-02", do: "fee", brand: "acme", product: "mug", percent: 30 }))).toBe(
    "valid",
  );
});

test("there is one link per brand, creator and product", () => {
  expect(refusal(events(partner("2026-01-02"), link("2026-01-02"), link("2026-01-03", "l2")))).toMatch(
    "events.2",
  );
});

test("a payout method may be set at any time, to none too", () => {
  const payout = (on: string, how: string) => ({ on, do: "payout", creator: "bo", payout: how });
  expect(refusal(events(payout("2026-01-01", "venmo"), payout("2026-01-01", "none")))).toBe("valid");
});

test("days may come in any order in the list; the events of one day are judged in their order", () => {
  expect(refusal(events(link("2026-01-03"), partner("2026-01-02")))).toBe("valid");
  expect(refusal(events(link("2026-01-02"), partner("2026-01-02")))).toMatch("events.0");
  expect(refusal(events(end("2026-01-04"), link("2026-01-03"), partner("2026-01-02")))).toBe("valid");
});

test("a report comes when its link has been made, that day included, for a date from the start to its own day", () => {
  expect(refusal({ reports: [report({ on: "2026-01-01", date: "2026-01-01" })] })).toMatch("reports.0.on");
  expect(refusal({ reports: [report({ on: "2026-01-02", date: "2026-01-02" })] })).toBe("valid");
  expect(refusal({ reports: [report({ date: "2026-01-01" })] })).toBe("valid");
  expect(refusal({ reports: [report({ date: "2025-12-31" })] })).toMatch("reports.0.date");
  expect(refusal({ reports: [report({ date: "2026-01-21" })] })).toMatch("reports.0.date");
});

test("once both are rounded to cents, promoted is not more than total", () => {
  expect(refusal({ reports: [report({ promoted: "120.51" })] })).toMatch("promoted");
  expect(refusal({ reports: [report({ promoted: "120.504999", total: "120.50" })] })).toBe("valid");
  expect(refusal({ reports: [report({ promoted: "120.505", total: "120.50" })] })).toMatch("promoted");
});
