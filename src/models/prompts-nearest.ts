// The nearest known name to a wrong one, for messages about prompts.

/** `; did you mean 'x'?`, or what is known where nothing is near. */
export function suggest(wrong: string, known: readonly string[]): string {
  const near = known.map((name) => ({ name, edits: editsBetween(wrong, name) })).sort((a, b) => a.edits - b.edits)[0];
  if (near && near.edits <= Math.max(1, wrong.length / 2.5)) return `; did you mean '${near.name}'?`;
  return known.length > 0 ? `; known are ${known.join(", ")}` : "";
}

/** Letters to add, drop, change or swap with their neighbour. */
function editsBetween(a: string, b: string): number {
  let before: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const change = last[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1);
      const isSwap = i > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      const swap = isSwap ? before[j - 2]! + 1 : change;
      row.push(Math.min(change, swap, last[j]! + 1, row[j - 1]! + 1));
    }
    [before, last] = [last, row];
  }
  return last[b.length]!;
}
