// The nearest right word to a wrong one, for messages that say "did you mean".

/** The known word that is fewest edits away; undefined where none is near. */
export function nearest(word: string, known: readonly string[]): string | undefined {
  const near = known.map((name) => ({ name, edits: editsBetween(word.toLowerCase(), name.toLowerCase()) }));
  const best = near.sort((a, b) => a.edits - b.edits)[0];
  return best && best.edits <= Math.max(1, Math.floor(Math.max(word.length, best.name.length) / 2.5))
    ? best.name
    : undefined;
}

/** ` (did you mean 'x'?)`, or nothing. */
export function suggestion(word: string, known: readonly string[], show = (name: string) => name): string {
  const name = nearest(word, known);
  return name === undefined ? "" : `; did you mean ${show(name)}?`;
}

/** `; did you mean 'x'?`, or what is known where nothing is near. */
export function suggestOrList(word: string, known: readonly string[]): string {
  const near = suggestion(word, known, (name) => `'${name}'`);
  if (near !== "") return near;
  return known.length > 0 ? `; known are ${known.join(", ")}` : "";
}

/** Letters to add, drop, change or swap with their neighbor. */
function editsBetween(a: string, b: string): number {
  let before: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const change = last[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1);
      const swap = a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1] ? (before[j - 2] ?? Infinity) + 1 : Infinity;
      row.push(Math.min(change, swap, last[j]! + 1, row[j - 1]! + 1));
    }
    [before, last] = [last, row];
  }
  return last[b.length]!;
}
