import { eventsOf } from "@tributary/contracts/event";
import { z } from "zod";
import { readModel } from "../../src/read-models/read-model.ts";
import { when } from "../../src/stream.ts";

const event = eventsOf("program");
const Fields = { crate: z.string(), yard: z.string() };

/** Crates are made in a yard, filled, and burnt. */
export const CrateMade = event("CrateMade", z.object(Fields));
export const CrateFilled = event("CrateFilled", z.object({ ...Fields, count: z.int() }));
export const CrateBurnt = event("CrateBurnt", z.object(Fields));

const Crate = z.object({ crate: z.string(), yard: z.string(), total: z.int(), fillings: z.array(z.int()) });
const Yard = z.object({
  yard: z.string(),
  total: z.int(),
  most: z.int(),
  crates: z.record(z.string(), z.int()),
});

/** One document per crate, gone when it is burnt; a new one may be made under its name. */
export const cratesOf = (version = 1) =>
  readModel("crates", Crate, {
    version,
    on: [
      when(CrateMade, (_, { data: { crate, yard } }) => ({ crate, yard, total: 0, fillings: [] })),
      when(
        CrateFilled,
        (doc, { data: { count } }) =>
          doc && { ...doc, total: doc.total + count, fillings: [...doc.fillings, count].slice(-5) },
      ),
      when(CrateBurnt, () => null),
    ],
    key: ({ data }) => data.crate,
    indexes: [["yard"]],
  });

/** One document per yard, to which many crates belong: sums, a maximum, a set keyed by crate. */
export const yardsOf = (version = 1) =>
  readModel("yards", Yard, {
    version,
    on: [
      when(CrateFilled, (doc, { data: { crate, yard, count } }) => {
        const known = doc ?? { yard, total: 0, most: 0, crates: {} };
        return {
          ...known,
          total: known.total + count,
          most: Math.max(known.most, count),
          crates: { ...known.crates, [crate]: (known.crates[crate] ?? 0) + count },
        };
      }),
    ],
    key: ({ data }) => data.yard,
  });
