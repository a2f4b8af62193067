/** A form-encoded body, unfolded: every leaf is text, as it came. */
export type Form = { [name: string]: Form | Form[] | string | string[] };

type Node = Map<string, Node> | string;

/** A name Stripe cannot read, such as `metadata[`. */
export class MalformedName extends Error {
  constructor(readonly param: string) {
    super(`Invalid request: the parameter name '${param}' is malformed.`);
  }
}

/** Splits `a[b][0]` into `a`, `b`, `0`. */
function pathOf(name: string): string[] {
  const match = /^([^[\]]+)((?:\[[^[\]]*\])*)$/.exec(name);
  if (!match) throw new MalformedName(name);
  return [match[1]!, ...[...match[2]!.matchAll(/\[([^[\]]*)\]/g)].map(([, step]) => step!)];
}

function place(at: Map<string, Node>, [step, ...rest]: string[], value: string, name: string): void {
  const key = step === "" ? String(at.size) : step!;
  if (rest.length === 0) {
    at.set(key, value);
    return;
  }
  const inner = at.get(key) ?? new Map<string, Node>();
  if (typeof inner === "string") throw new MalformedName(name);
  at.set(key, inner);
  place(inner, rest, value, name);
}

function unfold(node: Node): Form | Form[] | string | string[] {
  if (typeof node === "string") return node;
  const keys = [...node.keys()];
  const isList = keys.length > 0 && keys.every((key, index) => key === String(index));
  if (isList) return [...node.values()].map(unfold) as Form[] | string[];
  return Object.fromEntries([...node].map(([key, inner]) => [key, unfold(inner)]));
}

/** Reads Stripe's form encoding: `a[b]=1`, lists as `a[]=x` or `a[0]=x`. */
export function readForm(text: string): Form {
  const root = new Map<string, Node>();
  for (const [name, value] of new URLSearchParams(text)) place(root, pathOf(name), value, name);
  return Object.fromEntries([...root].map(([key, node]) => [key, unfold(node)]));
}
