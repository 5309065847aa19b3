// Results and faults in texts of bearable length.

import type { TestResult } from "../cell.ts";

const LONGEST_FAILURE = 2_000;
const LONGEST_TAIL = 1_500;

/** Results by name, each that did not pass with its words; a name that occurs again gets a number. */
export function namedResults(tests: readonly TestResult[]): TestResult[] {
  const counts = new Map<string, number>();
  return tests.map(({ name, state, failure = "" }) => {
    const count = (counts.get(name) ?? 0) + 1;
    counts.set(name, count);
    const words = state === "passed" ? "" : cutMiddle(failure.trim());
    return { name: count > 1 ? `${name} (${count})` : name, state, ...(words !== "" && { failure: words }) };
  });
}

/** The end of an output, where programs say what went wrong. */
export function tailOf(output: string): string {
  const text = output.trim();
  return text.length <= LONGEST_TAIL ? text : `…\n${text.slice(-LONGEST_TAIL)}`;
}

/** A sentence, and what the program last printed under it. */
export function errorWith(sentence: string, output: string): string {
  const tail = tailOf(output);
  return tail === "" ? sentence : `${sentence}\n${tail}`;
}

/** A text without its middle where it is too long. */
export function cutMiddle(text: string): string {
  if (text.length <= LONGEST_FAILURE) return text;
  const half = LONGEST_FAILURE / 2;
  return `${text.slice(0, half)}\n… ${text.length - 2 * half} characters left out …\n${text.slice(-half)}`;
}
