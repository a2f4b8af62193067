import type { ExplainTree } from "./explain.ts";

/** Where an explanation does not add up: the way down to the node (`kind/id` each) and what its children leave unexplained. */
export interface Unexplained {
  readonly path: readonly string[];
  readonly residual: string;
}

/** Every node of an explanation whose children don't add up to it, from the top; none when every cent is explained. */
export function unexplainedIn(tree: ExplainTree, above: readonly string[] = []): Unexplained[] {
  const path = [...above, `${tree.kind}/${tree.id}`];
  const here = /[1-9]/.test(tree.residual) ? [{ path, residual: tree.residual }] : [];
  return [...here, ...tree.inner.flatMap((inner) => unexplainedIn(inner, path))];
}
