// What a run says at its end: what it has changed, and what the tests say of it.

import type { Ending, FinishContext } from "@loopwright/core";
import { judge, type Patch, testErrorLine } from "@loopwright/workspace";
import type { CodeState, CodeTask, Report } from "../task.ts";
import { isOf } from "../testing/test-files.ts";
import { type ChangeNote, type ResultsNote, SHOWN_LINES, shownLines, type Tally } from "./result-words.ts";

const MOST_FILES = 30;

/** Keeps the change as a patch, and tells of it and of its tests; gives back where a result is. */
export async function tellResult(
  state: CodeState,
  ctx: FinishContext<CodeTask>,
  patch: Patch,
  ending: Pick<Ending, "outcome">,
): Promise<string> {
  const saved = patch.text === undefined ? undefined : await ctx.save("result.patch", patch.text);
  ctx.tell("change", noteChange(patch, saved?.path));
  const results = noteResults(state, ending.outcome === "done");
  if (results) ctx.tell("results", results);
  if (patch.isOnly) return "in `result.patch` alone";
  return patch.branch === undefined ? "in your files" : `on the branch \`${patch.branch}\``;
}

/** The change as it is told: whole where it is short. */
export function noteChange({ files, text, branch }: Patch, path?: string): ChangeNote & { branch?: string } {
  const isShort = text !== undefined && shownLines(text).length <= SHOWN_LINES;
  return {
    ...{ count: files.length, files: files.slice(0, MOST_FILES) },
    ...(isShort && { diff: text }),
    ...(path !== undefined && { patch: path }),
    ...(branch !== undefined && { branch }),
  };
}

/** What the tests say of the state that is left; undefined where none has been run. */
export function noteResults(state: CodeState, isDone: boolean): ResultsNote | undefined {
  const { best, snapshot, test_report, hidden_results, known_tests, baseline, targets = [] } = state;
  const report = isDone ? test_report : (best?.report ?? test_report);
  if (!report) return undefined;
  if (report.fault !== undefined) return { fault: testErrorLine(report.fault) };
  const isSame = isDone || best === undefined || best.snapshot === snapshot;
  const hidden = isSame ? hidden_results : [];
  const held_out = { passed: hidden.filter((each) => each === "passed").length, of: hidden.length };
  const more = hidden.length > 0 ? { held_out } : {};
  if (!baseline) {
    const { passed, failed, missing } = judge(report, known_tests);
    return { tests: { passed: passed.length, of: passed.length + failed.length + missing.length }, ...more };
  }
  const isTarget = (name: string) => targets.some((each) => isOf(name, each));
  const suite = baseline.passing.filter((name) => !isTarget(name));
  return {
    targets: tallyOf(report, targets),
    ...(suite.length > 0 && { suite: tallyOf(report, suite) }),
    ...(report.left_out && { failed_before: report.left_out.failed_before }),
    ...more,
  };
}

/** How many of some tests pass in a report; one that is there in cases passes where they all do. */
function tallyOf({ tests }: Report, names: readonly string[]): Tally {
  const passes = (name: string) => {
    const own = tests.filter((each) => isOf(each.name, name));
    return own.length > 0 && own.every(({ state }) => state !== "failed");
  };
  return { passed: names.filter(passes).length, of: names.length };
}
