import { z } from "zod";

/** How a field of a document is compared, sorted and summed. */
export type FieldKind = "text" | "number" | "boolean" | "integer";

/** Reads the kind of a top-level field off the declaration; money is a whole number kept as text. Throws for a field it doesn't have. */
export function kindOf(schema: z.ZodObject, field: string): FieldKind {
  let type = schema.shape[field] as z.ZodType | undefined;
  if (!type) throw new Error(`the document has no field ${field}`);
  while (true) {
    if (type.meta()?.stored === "integer") return "integer";
    if (type instanceof z.ZodOptional || type instanceof z.ZodNullable || type instanceof z.ZodDefault)
      type = type.unwrap() as z.ZodType;
    else break;
  }
  if (type instanceof z.ZodNumber) return "number";
  if (type instanceof z.ZodBoolean) return "boolean";
  return "text";
}

/** The field's value in SQL. */
export function expression(schema: z.ZodObject, field: string): string {
  const text = `doc->>'${field}'`;
  switch (kindOf(schema, field)) {
    case "number":
      return `((${text})::numeric)`;
    case "integer":
      return `((${text})::bigint)`;
    case "boolean":
      return `((${text})::boolean)`;
    default:
      return `((${text}) collate "C")`;
  }
}

/** The parameter a value becomes, and the cast it needs. */
export function parameter(schema: z.ZodObject, field: string): string {
  return { number: "numeric", integer: "bigint", boolean: "boolean", text: "text" }[kindOf(schema, field)];
}

/** A value as it is sent to the engine. */
export const sent = (value: unknown): unknown => (typeof value === "bigint" ? value.toString() : value);
