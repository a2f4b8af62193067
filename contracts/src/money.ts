import { z } from "zod";

/** Dollars in ten-thousandths, the precision of earnings (product specification, 12,4). */
export type E4 = bigint & { readonly unit: "usd/10000" };
/** Dollars in cents, the precision of charges (12,2). */
export type Cents = bigint & { readonly unit: "usd/100" };

const decimal = /^(-?)(\d+)(?:\.(\d+))?$/;

/** Brands a whole number of ten-thousandths of a dollar. */
export const asE4 = (value: bigint): E4 => value as E4;
/** Brands a whole number of cents. */
export const asCents = (value: bigint): Cents => value as Cents;

/** Nothing, in ten-thousandths. */
export const NO_E4 = asE4(0n);
/** Nothing, in cents. */
export const NO_CENTS = asCents(0n);

function parseExactly(text: string, digits: number): bigint | null {
  const match = decimal.exec(text);
  if (!match) return null;
  const [, sign, whole = "", fraction = ""] = match;
  if (fraction.length > digits) return null;
  const value = BigInt(whole + fraction.padEnd(digits, "0"));
  return sign ? -value : value;
}

function format(value: bigint, digits: number): string {
  const text = (value < 0n ? -value : value).toString().padStart(digits + 1, "0");
  return `${value < 0n ? "-" : ""}${text.slice(0, -digits)}.${text.slice(-digits)}`;
}

/** "30.1250": four digits, a minus only before an amount below zero. */
export const formatE4 = (amount: E4): string => format(amount, 4);
/** "30.13": two digits, a minus only before an amount below zero. */
export const formatCents = (amount: Cents): string => format(amount, 2);

/** Reads decimal text with at most four digits; null when it is anything else. */
export const parseE4 = (text: string): E4 | null => parseExactly(text, 4) as E4 | null;
/** Reads decimal text with at most two digits; null when it is anything else. */
export const parseCents = (text: string): Cents | null => parseExactly(text, 2) as Cents | null;

/**
 * Reads an amount of a retailer's report, which may carry float noise ("191.95999999999998"), and rounds it once, from the
 * text as written, half away from zero to cents. Null when it is no decimal text.
 */
export function parseReported(text: string): Cents | null {
  const match = decimal.exec(text);
  if (!match) return null;
  const [, sign, whole = "", fraction = ""] = match;
  const kept = BigInt(whole + fraction.slice(0, 2).padEnd(2, "0"));
  const value = (fraction[2] ?? "0") >= "5" ? kept + 1n : kept;
  return asCents(sign ? -value : value);
}

/** Cents times whole percent is exact in ten-thousandths, so accrual never rounds. */
export const percentOf = (base: Cents, percent: number): E4 => asE4(base * BigInt(percent));

/** The one rounding rule: half away from zero, to cents. Used once, when a cycle closes (money rules, 6.5). */
export function roundToCents(amount: E4): Cents {
  const magnitude = amount < 0n ? -amount : amount;
  const rounded = (magnitude + 50n) / 100n;
  return asCents(amount < 0n ? -rounded : rounded);
}

/** The same amount at the finer precision. */
export const centsToE4 = (amount: Cents): E4 => asE4(amount * 100n);

/** Adds amounts of one precision. */
export function sum<M extends E4 | Cents>(amounts: Iterable<M>): M {
  let total = 0n;
  for (const amount of amounts) total += amount;
  return total as M;
}

/** Wire form of an earning amount: decimal text with four digits. */
export const e4 = z.codec(
  z
    .string()
    .refine(
      (text) => /\.\d{4}$/.test(text) && parseE4(text) !== null,
      "must be decimal text with four digits",
    ),
  z.custom<E4>((value) => typeof value === "bigint", "must be a whole number of ten-thousandths"),
  { decode: (text) => parseE4(text)!, encode: formatE4 },
);

/** Wire form of a charge, a price or a sale: decimal text with two digits. */
export const usd = z.codec(
  z
    .string()
    .refine(
      (text) => /\.\d{2}$/.test(text) && parseCents(text) !== null,
      "must be decimal text with two digits",
    ),
  z.custom<Cents>((value) => typeof value === "bigint", "must be a whole number of cents"),
  { decode: (text) => parseCents(text)!, encode: formatCents },
);

/** Wire form of a `*_cents` field: a whole JSON number. */
export const centsInteger = z.codec(
  z.int(),
  z.custom<Cents>((value) => typeof value === "bigint", "must be a whole number of cents"),
  { decode: (value) => asCents(BigInt(value)), encode: (value) => Number(value) },
);

const whole = z.string().regex(/^-?\d+$/);

/** Stored form inside a document: the whole number of ten-thousandths as text, so that the engine can sum it exactly. */
export const storedE4 = z
  .codec(
    whole,
    z.custom<E4>((value) => typeof value === "bigint"),
    {
      decode: (text) => asE4(BigInt(text)),
      encode: (value) => value.toString(),
    },
  )
  .meta({ stored: "integer" });

/** Stored form inside a document: the whole number of cents as text. */
export const storedCents = z
  .codec(
    whole,
    z.custom<Cents>((value) => typeof value === "bigint"),
    {
      decode: (text) => asCents(BigInt(text)),
      encode: (value) => value.toString(),
    },
  )
  .meta({ stored: "integer" });
