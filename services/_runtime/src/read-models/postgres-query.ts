import type pg from "pg";
import { z } from "zod";
import { Refusal } from "../refusal.ts";
import type { Documents, Filter, GroupSums, Page } from "./documents.ts";
import { expression, parameter, sent } from "./fields.ts";

interface Asked {
  readonly conditions: readonly { readonly field: string; readonly condition: unknown }[];
  readonly sort: readonly string[];
}

const MOST_PER_PAGE = 500;
const MOST_AT_ONCE = 1000;

const badCursor = () =>
  new Refusal(400, "bad_cursor", "This page of the list is not available any more", [
    { field: "after", message: "is no cursor of this list" },
  ]);

/** Escapes what LIKE would take for a wildcard. */
const literally = (text: string): string => text.replace(/[\\%_]/g, (found) => `\\${found}`);

/** The documents of one read model in PostgreSQL, asked in the declared vocabulary. */
export class PostgresDocuments<T> implements Documents<T> {
  constructor(
    readonly pool: pg.Pool,
    readonly table: string,
    readonly schema: z.ZodObject,
    readonly asked: Asked = { conditions: [], sort: [] },
  ) {}

  #with(asked: Partial<Asked>): PostgresDocuments<T> {
    return new PostgresDocuments(this.pool, this.table, this.schema, { ...this.asked, ...asked });
  }

  #decode(doc: unknown): T {
    return z.decode(this.schema, doc as never) as T;
  }

  /** Numbered parameters of one statement. */
  #where(values: unknown[]): string {
    const parts = ["doc is not null"];
    for (const { field, condition } of this.asked.conditions) {
      const left = expression(this.schema, field);
      const cast = parameter(this.schema, field);
      const value = (given: unknown, type = cast): string => {
        values.push(sent(given));
        return `$${values.length}::${type}`;
      };
      if (condition === undefined) continue;
      if (condition === null) parts.push(`${left} is null`);
      else if (typeof condition !== "object") parts.push(`${left} = ${value(condition)}`);
      else if ("in" in condition)
        parts.push(`${left} = any(${value((condition.in as unknown[]).map(sent), `${cast}[]`)})`);
      else if ("prefix" in condition)
        parts.push(`${left} like ${value(`${literally(String(condition.prefix))}%`)}`);
      else if ("contains" in condition)
        parts.push(`lower(${left}) like lower(${value(`%${literally(String(condition.contains))}%`)})`);
      else {
        const operators = { gt: ">", gte: ">=", lt: "<", lte: "<=" } as const;
        for (const [name, operator] of Object.entries(operators)) {
          const bound = (condition as Record<string, unknown>)[name];
          if (bound !== undefined) parts.push(`${left} ${operator} ${value(bound)}`);
        }
      }
    }
    return parts.join(" and ");
  }

  #order(): { field: string; left: string; descending: boolean }[] {
    return this.asked.sort.map((name) => {
      const field = name.replace(/^-/, "");
      return { field, left: expression(this.schema, field), descending: name.startsWith("-") };
    });
  }

  #orderBy(): string {
    return [
      ...this.#order().map(({ left, descending }) => `${left} ${descending ? "desc" : "asc"} nulls last`),
      "id asc",
    ].join(", ");
  }

  async get(id: string): Promise<T | null> {
    return (await this.find([id])).get(id) ?? null;
  }

  async many(ids: readonly string[]): Promise<T[]> {
    const found = await this.find(ids);
    return ids.flatMap((id) => found.get(id) ?? []);
  }

  async find(ids: readonly string[]): Promise<Map<string, T>> {
    const values: unknown[] = [ids];
    const { rows } = await this.pool.query(
      `select id, doc from ${this.table} where id = any($1::text[]) and ${this.#where(values)}`,
      values,
    );
    return new Map(rows.map(({ id, doc }) => [id as string, this.#decode(doc)]));
  }

  where(filter: Filter<T>): Documents<T> {
    const added = Object.entries(filter).map(([field, condition]) => ({
      field,
      condition: condition as unknown,
    }));
    return this.#with({ conditions: [...this.asked.conditions, ...added] });
  }

  sort(...fields: string[]): Documents<T> {
    return this.#with({ sort: fields });
  }

  async page({
    after,
    limit = 50,
  }: {
    after?: string | null | undefined;
    limit?: number | undefined;
  } = {}): Promise<Page<T>> {
    const size = Math.min(Math.max(1, limit), MOST_PER_PAGE);
    const values: unknown[] = [];
    const where = this.#where(values);
    const beyond = after ? ` and (${this.#beyond(after, values)})` : "";
    values.push(size + 1);
    const order = this.#order();
    const keys = order.map(({ left }, index) => `${left}::text as k${index}`);
    const { rows } = await this.pool.query(
      `select ${["id", "doc", ...keys].join(", ")} from ${this.table} where ${where}${beyond} order by ${this.#orderBy()} limit $${values.length}`,
      values,
    );
    const shown = rows.slice(0, size);
    const last = shown.at(-1);
    const next = rows.length > size && last ? [...order.map((_, index) => last[`k${index}`]), last.id] : null;
    return {
      items: shown.map(({ doc }) => this.#decode(doc)),
      next: next && Buffer.from(JSON.stringify(next)).toString("base64url"),
    };
  }

  /** What comes after the last row of a page, in this order, with nulls last and ties broken by id. */
  #beyond(cursor: string, values: unknown[]): string {
    const order = this.#order();
    let keys: unknown;
    try {
      keys = JSON.parse(Buffer.from(cursor, "base64url").toString());
    } catch {
      throw badCursor();
    }
    const parsed = z
      .array(z.string().nullable())
      .length(order.length + 1)
      .safeParse(keys);
    if (!parsed.success) throw badCursor();
    const marks = parsed.data.map((key, index) => {
      if (key === null) return "null";
      values.push(key);
      const cast = index < order.length ? parameter(this.schema, order[index]!.field) : "text";
      return `$${values.length}::${cast}`;
    });
    const alternatives: string[] = [];
    const equal: string[] = [];
    order.forEach(({ left, descending }, index) => {
      const mark = marks[index]!;
      const isNull = parsed.data[index] === null;
      if (!isNull)
        alternatives.push(
          [...equal, `(${left} ${descending ? "<" : ">"} ${mark} or ${left} is null)`].join(" and "),
        );
      equal.push(isNull ? `${left} is null` : `${left} = ${mark}`);
    });
    alternatives.push([...equal, `id > ${marks.at(-1)}`].join(" and "));
    return alternatives.map((alternative) => `(${alternative})`).join(" or ");
  }

  async all(limit = MOST_AT_ONCE): Promise<T[]> {
    const values: unknown[] = [];
    const where = this.#where(values);
    const most = Math.min(limit, MOST_AT_ONCE);
    values.push(most + 1);
    const { rows } = await this.pool.query(
      `select doc from ${this.table} where ${where} order by ${this.#orderBy()} limit $${values.length}`,
      values,
    );
    if (rows.length > most) throw new Error(`more than ${most} documents of ${this.table} asked for at once`);
    return rows.map(({ doc }) => this.#decode(doc));
  }

  async count(): Promise<number> {
    const values: unknown[] = [];
    const { rows } = await this.pool.query(
      `select count(*) as n from ${this.table} where ${this.#where(values)}`,
      values,
    );
    return Number(rows[0].n);
  }

  async sum<K extends keyof T & string>(...fields: K[]): Promise<Record<K, bigint>> {
    const values: unknown[] = [];
    const sums = fields.map(
      (field) => `coalesce(sum(${expression(this.schema, field)}), 0)::text as "${field}"`,
    );
    const { rows } = await this.pool.query(
      `select ${sums.join(", ")} from ${this.table} where ${this.#where(values)}`,
      values,
    );
    return Object.fromEntries(fields.map((field) => [field, BigInt(rows[0][field])])) as Record<K, bigint>;
  }

  async groupSum<K extends keyof T & string>(by: keyof T & string, ...fields: K[]): Promise<GroupSums<K>[]> {
    const values: unknown[] = [];
    const key = expression(this.schema, by);
    const sums = fields.map(
      (field) => `coalesce(sum(${expression(this.schema, field)}), 0)::text as "sum_${field}"`,
    );
    const { rows } = await this.pool.query(
      `select ${[`${key}::text as key`, "count(*) as n", ...sums].join(", ")} from ${this.table} where ${this.#where(values)} group by ${key} order by ${key} nulls last limit ${MOST_AT_ONCE + 1}`,
      values,
    );
    if (rows.length > MOST_AT_ONCE)
      throw new Error(`more than ${MOST_AT_ONCE} groups of ${this.table} asked for at once`);
    return rows.map((row) => ({
      key: row.key,
      count: Number(row.n),
      sums: Object.fromEntries(fields.map((field) => [field, BigInt(row[`sum_${field}`])])) as Record<
        K,
        bigint
      >,
    }));
  }
}
