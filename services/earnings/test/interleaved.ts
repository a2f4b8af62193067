/** Another order of the same things, which keeps the order of each group; the choices say whose turn it is and for how many. */
export function interleaved<T>(
  things: readonly T[],
  by: (thing: T) => string,
  choices: Iterator<number>,
): T[] {
  const groups = new Map<string, T[]>();
  for (const thing of things) groups.set(by(thing), [...(groups.get(by(thing)) ?? []), thing]);
  const waiting = [...groups.values()];
  const order: T[] = [];
  while (waiting.length > 0) {
    const turn = choices.next().value % waiting.length;
    order.push(...waiting[turn]!.splice(0, 1 + (choices.next().value % 20)));
    if (waiting[turn]!.length === 0) waiting.splice(turn, 1);
  }
  return order;
}
