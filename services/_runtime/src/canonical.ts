/**
 * JSON with sorted keys: the same value has the same bytes, so that a rebuilt read model can be compared with the live one, and a
 * body with the one sent before under the same idempotency key.
 */
export function canonical(value: unknown): string {
  if (value === null || typeof value !== "object") return JSON.stringify(value) ?? "null";
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  const parts: string[] = [];
  for (const key of Object.keys(value).sort()) {
    const field = (value as Record<string, unknown>)[key];
    if (field !== undefined) parts.push(`${JSON.stringify(key)}:${canonical(field)}`);
  }
  return `{${parts.join(",")}}`;
}
