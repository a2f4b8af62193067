/**
 * The text of one member of a JSON object, exactly as it was written: a signature counts the bytes that came, which
 * parsing and writing anew would change. The text must be valid JSON; null when the object has no such member.
 */
export function rawMember(json: string, name: string): string | null {
  let depth = 0;
  let start = -1;
  for (let at = 0; at < json.length; at++) {
    const c = json[at]!;
    if (c === '"') {
      const end = endOfString(json, at);
      if (depth === 1 && start < 0 && JSON.parse(json.slice(at, end)) === name) {
        const colon = /^\s*:\s*/.exec(json.slice(end));
        if (colon) {
          start = end + colon[0].length;
          at = start - 1;
          continue;
        }
      }
      at = end - 1;
    } else if (c === "{" || c === "[") depth++;
    else if (c === "}" || c === "]") {
      depth--;
      if (start >= 0 && depth === 0) return json.slice(start, at).trimEnd();
    } else if (c === "," && depth === 1 && start >= 0) return json.slice(start, at).trimEnd();
  }
  return null;
}

function endOfString(json: string, from: number): number {
  for (let at = from + 1; at < json.length; at++) {
    if (json[at] === "\\") at++;
    else if (json[at] === '"') return at + 1;
  }
  throw new SyntaxError("a string of the JSON text does not end");
}
