// TAP as runners write it to a file: every test point by its name, those of a subtest in the place of the point that ends it.

import type { TestResult, TestState } from "../options.ts";
import type { Finding } from "./types.ts";

const POINT = /^( *)(not )?ok\b *\d*(?: *-)? *((?:\\.|[^#\\])*?) *(?:# *(?:(skip|todo)\b)?.*)?$/i;

interface Point extends TestResult {
  failure: string;
  depth: number;
}

/** Reads a report; one without its plan, or with fewer points than that says, is truncated. */
export function readTap(text: string): Finding {
  const tests: Point[] = [];
  let ended = 0;
  for (const line of text.split("\n")) {
    const [, indent, not, name = "", directive = ""] = POINT.exec(line) ?? [];
    const last = tests.at(-1);
    if (indent === undefined && last?.state === "failed") last.failure += `${line.trim()}\n`;
    if (indent === undefined) continue;
    const [depth, state] = [indent.length, stateOf(not === undefined, directive.toLowerCase())];
    const inner = tests.splice(tests.findLastIndex((each) => each.depth <= depth) + 1);
    const isTold = inner.length > 0 && (state !== "failed" || inner.some((each) => each.state === "failed"));
    tests.push(...inner.map((each) => ({ ...each, depth, name: `${name} > ${each.name}` })));
    if (!isTold) tests.push({ name, state, failure: "", depth });
    if (depth === 0) ended++;
  }
  const plan = /^1\.\.(\d+)/m.exec(text)?.[1];
  if (plan === undefined || Number(plan) !== ended || /^Bail out!/m.test(text))
    return { fault: `the test report is truncated: ${ended} of ${plan ?? "an unknown number of"} test points` };
  return { tests: tests.map(({ depth: _, ...test }) => test) };
}

function stateOf(isOk: boolean, directive: string): TestState {
  if (directive === "skip") return "skipped";
  if (directive === "todo") return isOk ? "passed" : "xfailed";
  return isOk ? "passed" : "failed";
}
