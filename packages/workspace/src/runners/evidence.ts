// What all runners ask of their evidence: a report that the parent of the tested processes wrote, texts of bearable length, an
// output's telling end.

import type { TestResult } from "../cell.ts";
import { isTampered } from "./canaries.ts";
import type { JunitCase } from "./junit.ts";
import type { Evidence, Finding, TestFile } from "./types.ts";

const LONGEST_FAILURE = 2_000;
const LONGEST_TAIL = 1_500;

/** What the parent of the tested processes wrote as its last act; undefined where it did not live to do so. */
export function parentReport(evidence: Evidence): Record<string, unknown> | undefined {
  if (evidence.code !== 0) return undefined;
  try {
    return JSON.parse(evidence.report("report.json") ?? "") as Record<string, unknown>;
  } catch {
    return undefined;
  }
}

/** A failure's words: its text where there is one, else its message; the middle of a long one left out. */
export function failureOf({ text, message }: JunitCase): string {
  const words = text.trim() === "" ? message : text;
  return cutMiddle(words.trim(), LONGEST_FAILURE);
}

/** Results of which each file answers for itself: one that could not be run is a failed test of its name. Only what was done to
 * the judge is everyone's. */
export function eachForItself(
  files: readonly { tests?: TestResult[] | undefined; fault?: string | undefined }[],
  of: readonly TestFile[],
): Finding {
  const tampered = files.find(({ fault }) => fault !== undefined && isTampered(fault));
  if (tampered) return { fault: tampered.fault! };
  return {
    tests: files.flatMap(({ tests, fault }, at): TestResult[] =>
      fault === undefined
        ? (tests ?? [])
        : [{ name: of[at]!.path, state: "failed", failure: cutMiddle(fault, LONGEST_FAILURE) }],
    ),
  };
}

/** Results by name; a name that occurs again gets a number. */
export function namedResults(cases: readonly JunitCase[], nameOf: (each: JunitCase) => string): TestResult[] {
  const numbered = numberAgain();
  return cases.map((each) => {
    const failure = failureOf(each);
    const name = numbered(nameOf(each));
    return { name, state: each.state, ...(each.state === "passed" || failure === "" ? {} : { failure }) };
  });
}

/** Names as they come, those that have come before with a number. */
export function numberAgain(): (name: string) => string {
  const counts = new Map<string, number>();
  return (name) => {
    const count = (counts.get(name) ?? 0) + 1;
    counts.set(name, count);
    return count > 1 ? `${name} (${count})` : name;
  };
}

/** Results of all files together: where one has none, the run has none. */
export function allOrNone(files: readonly Finding[]): Finding {
  const broken = files.find(({ fault }) => fault !== undefined);
  return broken ? { fault: broken.fault! } : { tests: files.flatMap(({ tests }) => tests ?? []) };
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
export function cutMiddle(text: string, limit = LONGEST_FAILURE): string {
  if (text.length <= limit) return text;
  const half = Math.floor(limit / 2);
  return `${text.slice(0, half)}\n… ${text.length - 2 * half} characters left out …\n${text.slice(-half)}`;
}
