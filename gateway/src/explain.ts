import { ExplainKind, ExplainNode, type ExplainTree } from "@tributary/contracts/http/explain";
import { asE4, formatE4, parseE4 } from "@tributary/contracts/money";
import { notFound, Refusal, tryLater, unprocessable } from "@tributary/runtime/refusal";
import type { Said, ServiceName } from "./upstream.ts";

type Kind = ExplainKind;
type Key = `${Kind}/${string}`;

/** Who decided what is explained, and so answers its level. */
const OWNER: Readonly<Record<Kind, ServiceName>> = {
  payout: "billing",
  charge: "billing",
  statement: "billing",
  earning: "earnings",
  metric: "attribution",
};

const AT_ONCE = 16;

/** How deep and how wide an explanation may get; the road of a cent is five levels long. */
export interface Bounds {
  readonly levels: number;
  readonly nodes: number;
}
export const BOUNDS: Bounds = { levels: 8, nodes: 10_000 };

/** Asks the owner of a kind for one level, as the caller. */
export type AskLevel = (service: ServiceName, path: string) => Promise<Said>;

function amountOf(node: ExplainNode, name: string): bigint {
  const amount = parseE4(node.amounts[name] ?? "");
  if (amount === null) throw new Error(`${node.kind} ${node.id} has no amount "${name}"`);
  return amount;
}

function partOf(node: ExplainNode, { label, amount }: { label: string; amount: string }): bigint {
  const part = parseE4(amount);
  if (part === null) throw new Error(`the part "${label}" of ${node.kind} ${node.id} is no amount`);
  return part;
}

/** Exact: in ten-thousandths, or with two more digits where a percentage leaves a fraction of one. */
function exactly(hundredths: bigint): string {
  if (hundredths % 100n === 0n) return formatE4(asE4(hundredths / 100n));
  const digits = (hundredths < 0n ? -hundredths : hundredths).toString().padStart(7, "0");
  return `${hundredths < 0n ? "-" : ""}${digits.slice(0, -6)}.${digits.slice(-6)}`;
}

/** What the level below leaves unexplained, from the amounts that level tells itself, never from a sum somebody stored. */
export function residualOf(node: ExplainNode, children: readonly ExplainNode[]): string {
  if (node.explains === null) return exactly(0n);
  let left = amountOf(node, node.explains) * 100n;
  for (const part of node.parts) left -= partOf(node, part) * 100n;
  node.children.forEach(({ value, percent }, index) => {
    left -= amountOf(children[index]!, value) * BigInt(percent);
  });
  return exactly(left);
}

async function askFor(ask: AskLevel, kind: Kind, id: string, isRoot: boolean): Promise<ExplainNode> {
  const { status, body } = await ask(OWNER[kind], `/api/explain/${kind}/${encodeURIComponent(id)}`);
  if (status === 200) return ExplainNode.parse(body);
  if (!isRoot && status !== 502 && status !== 500)
    throw tryLater("explanation_incomplete", `A part of this (${kind} ${id}) can't be shown yet`, 2);
  const { code, message } = (body ?? {}) as { code?: string; message?: string };
  throw status === 404
    ? notFound("Explanation")
    : new Refusal(status, code ?? "internal", message ?? `The ${kind} could not be explained`);
}

/**
 * Why an amount is what it is, down to what a partner reported: walks level by level with the caller's own rights, asks for a node
 * that several levels share once, and computes each residual from the children. Throws 404 for what isn't the caller's, 422 for an
 * explanation beyond the bounds.
 */
export async function explain(
  ask: AskLevel,
  kind: Kind,
  id: string,
  bounds: Bounds = BOUNDS,
): Promise<ExplainTree> {
  const nodes = new Map<Key, ExplainNode>();
  let level = new Map<Key, { kind: Kind; id: string }>([[`${kind}/${id}`, { kind, id }]]);
  for (let depth = 0; level.size > 0; depth++) {
    if (depth >= bounds.levels)
      throw new Error(`the explanation of ${kind} ${id} is deeper than ${bounds.levels} levels`);
    if (nodes.size + level.size > bounds.nodes)
      throw unprocessable(
        "explanation_too_wide",
        `This has more than ${bounds.nodes} parts; ask for one of them instead`,
      );
    const told = await inTurns([...level], async ([key, one]) => {
      const node = await askFor(ask, one.kind, one.id, depth === 0);
      nodes.set(key, node);
      return node;
    });
    level = new Map();
    for (const node of told)
      for (const child of node.children) {
        const key: Key = `${child.kind}/${child.id}`;
        if (!nodes.has(key)) level.set(key, child);
      }
  }
  return treeOf(nodes, `${kind}/${id}`, bounds.levels);
}

async function inTurns<T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  let next = 0;
  const worker = async () => {
    for (let index = next++; index < items.length; index = next++) results[index] = await work(items[index]!);
  };
  await Promise.all(Array.from({ length: Math.min(AT_ONCE, items.length) }, worker));
  return results;
}

function treeOf(nodes: ReadonlyMap<Key, ExplainNode>, key: Key, levels: number): ExplainTree {
  if (levels === 0) throw new Error(`the explanation goes round in a circle at ${key}`);
  const node = nodes.get(key)!;
  const inner = node.children.map((child) => treeOf(nodes, `${child.kind}/${child.id}`, levels - 1));
  return { ...node, residual: residualOf(node, inner), inner };
}

/** Reads the kind out of a path; 404 for one that nobody explains. */
export function explainable(kind: string): Kind {
  const known = ExplainKind.safeParse(kind);
  if (!known.success) throw notFound("Explanation");
  return known.data;
}
