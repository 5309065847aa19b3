// Small sums over samples.

/** The middle of some numbers; the lower one of two. */
export function median(values: readonly number[]): number {
  if (values.length === 0) throw new Error("there is nothing to take a median of");
  return values.toSorted((a, b) => a - b)[(values.length - 1) >> 1]!;
}

/** Rounded to so many digits after the point. */
export function rounded(value: number, digits = 0): number {
  return Number(value.toFixed(digits));
}

/** The differences between neighbors. */
export function gaps(marks: readonly number[]): number[] {
  return marks.slice(1).map((mark, index) => mark - marks[index]!);
}

/** Says on stderr what a benchmark is doing. */
export function say(text: string): void {
  process.stderr.write(`${text}\n`);
}
