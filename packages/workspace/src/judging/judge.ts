// A test run as loops remember it, which names no folder outside the workspace, the ways to get one, and the verdict on it.
//
// A run of no test, one whose tests were skipped or have gone, one that could not be had, one whose held-out tests fail, and
// one of a change with a hard finding do not pass, whatever else they say.

import { errorLine, type Finding, fail, pass, type Verdict } from "@loopwright/core";
import { z } from "zod";
import type { Loaded, ProjectCell, TestOptions, TestReport } from "../options.ts";

const MOST_NAMES = 5;

/** A verdict on a test run, with the names behind it. */
export interface Judgment {
  verdict: Verdict;
  passed: string[];
  failed: string[];
  /** Known tests that were not collected, or were skipped. */
  missing: string[];
}

/** What a test run comes to; `hidden` holds the results of held-out tests, and `doubts` what was found in the change. */
export function judge(
  report: Report,
  known: readonly string[],
  hidden: readonly HiddenResult[] = [],
  doubts: readonly Finding[] = [],
): Judgment {
  const named = (state: string) => report.tests.filter((test) => test.state === state).map(({ name }) => name);
  const [passed, failed] = [named("passed"), named("failed")];
  const missing = missingOf(known, [...passed, ...failed], [...named("skipped"), ...named("xfailed")]);
  const facts = { passed, failed, missing };
  return { ...facts, verdict: verdictOn(report, facts, hidden, doubts) };
}

/** Known tests that did not run. Cases may depend on the program: one of them stands for another of the same test. */
function missingOf(known: readonly string[], ran: readonly string[], skipped: readonly string[]): string[] {
  const [names, tests, skips] = [new Set(ran), new Set(ran.map(withoutCase)), new Set(skipped)];
  return known.filter((name) => !names.has(name) && (skips.has(name) || !tests.has(withoutCase(name))));
}

/** A test's name without the case that it may have. */
export function withoutCase(name: string): string {
  const at = name.endsWith("]") ? name.indexOf("[") : -1;
  return at < 0 ? name : name.slice(0, at);
}

function verdictOn(
  report: Report,
  { passed, failed, missing }: Omit<Judgment, "verdict">,
  hidden: readonly HiddenResult[],
  doubts: readonly Finding[],
): Verdict {
  if (report.fault !== undefined) {
    const message = `The tests could not be run (E1): ${testErrorLine(report.fault)}`;
    return fail(0, message, [hard("TESTS_NOT_RUN", message)]);
  }
  const collected = passed.length + failed.length + missing.length;
  if (collected === 0) {
    const message = "no test was run: none was collected, or all were skipped";
    return fail(0, message, [hard("NO_TESTS", message)]);
  }
  const score = passed.length / collected;
  const ratio = `${passed.length} of ${collected} tests pass`;
  if (failed.length + missing.length > 0) {
    const findings = [
      ...findingsOf(report, failed),
      ...missing.map((name) => hard("TEST_MISSING", `${name}: it was collected before, and is now gone or skipped`)),
    ];
    return fail(score, `${ratio}; failing: ${nameSome([...failed, ...missing])}`, findings);
  }
  if (hidden.includes("failed")) {
    const message = `${ratio}, but hidden checks fail`;
    // Visible and held-out tests together, so that a state that fails the latter is never the best.
    const unseen = passed.length + hidden.filter((state) => state === "passed").length;
    return fail(unseen / (passed.length + hidden.length), message, [hard("HIDDEN_CHECKS_FAIL", message)]);
  }
  const grave = hardOnes(doubts);
  if (grave.length > 0) {
    const message = `${ratio}, but ${grave[0]!.message}`;
    return fail(passed.length / (passed.length + grave.length), message, doubts);
  }
  return pass(1, passWords(report, passed), doubts);
}

function passWords(report: Report, passed: readonly string[]): string {
  if (isOneCommand(report)) return `'${report.runner}' passes, which is one test by its exit code`;
  const words = passed.length === 1 ? "the one test passes" : `all ${passed.length} tests pass`;
  const left = leftOutWords(report);
  return left === "" ? words : `${words} that passed before or that the run aims at (${left})`;
}

/** The failing tests that decide nothing, in words. */
function leftOutWords({ left_out: { failed_before, others } = { failed_before: 0, others: 0 } }: Report): string {
  const fail = (count: number) => (count === 1 ? "fails" : "fail");
  const parts = [
    ...(failed_before > 0 ? [`${failed_before} still ${fail(failed_before)} that failed before`] : []),
    ...(others > 0 ? [`${others} more ${fail(others)}, and ${others === 1 ? "decides" : "decide"} nothing`] : []),
  ];
  return parts.join("; ");
}

function findingsOf({ tests }: Report, failed: readonly string[]): Finding[] {
  return failed.map((name) => {
    const failure = tests.find((test) => test.name === name)?.failure;
    return hard("TEST_FAILED", failure ? `${name}: ${failure.trim().split("\n", 1)[0]!.slice(0, 300)}` : name);
  });
}

/** The findings that keep a run from being done. */
export function hardOnes(findings: readonly Finding[]): Finding[] {
  return findings.filter(({ severity }) => severity === "hard");
}

export function hard(code: string, message: string): Finding {
  return { code, severity: "hard", priority: 1, message };
}

/** A few of many names. */
export function nameSome(names: readonly string[], most = MOST_NAMES): string {
  const more = names.length - most;
  return names.slice(0, most).join(", ") + (more > 0 ? ` and ${more} more` : "");
}

/** Why tests could not be run, in one line: what was seen, and the error that it came from where there is one. */
export function testErrorLine(fault: string): string {
  return errorLine(fault, 300);
}

const State = z.enum(["passed", "failed", "skipped", "xfailed"]);

export const Results = z.array(z.object({ name: z.string(), state: State, failure: z.string().optional() }));

/** What of a test run is remembered. */
export const Report = z.object({
  runner: z.string(),
  tests: Results,
  failureLines: z.string(),
  fault: z.string().optional(),
  /** Failing tests that decide nothing, and are not among the others: those that failed before the first edit, and further ones. */
  left_out: z.object({ failed_before: z.number(), others: z.number() }).optional(),
});
export type Report = z.infer<typeof Report>;

/** The result of one held-out test: its name is nobody's business. */
export const HiddenResult = z.enum(["passed", "failed"]);
export type HiddenResult = z.infer<typeof HiddenResult>;

const digest = z.string().optional();

/** What an iteration has shown, as the stuck detection sees it and a loop remembers it. */
export const Observation = z.object({
  iteration: z.number(),
  score: z.number().optional(),
  artifact: digest,
  sequence: digest,
  failing: digest,
  findings: digest,
});
export type Observation = z.infer<typeof Observation>;

/** Whether a report is of a command that is one test: nothing more can be told of what ran. */
export function isOneCommand({ runner, tests }: Report): boolean {
  return tests.length === 1 && tests[0]!.name === runner;
}

/** The tests' word on the workspace as it stands. */
export async function runTests(
  cell: ProjectCell,
  options: { heldOut?: boolean; signal: AbortSignal },
): Promise<Report> {
  return toReport(await cell.runTests(options), cell.folder);
}

/** A run of the repository's own suite, of some of its files, or of the run's own tests alone: what it says, what it loaded, and how long it took. */
export async function runSuite(
  cell: ProjectCell,
  { signal, files = true }: { signal: AbortSignal; files?: TestOptions["suite"] | "own" },
): Promise<{ report: Report; loaded: Loaded; ms: number }> {
  const told = await cell.runTests({ ...(files !== "own" && { suite: files }), signal });
  return { report: toReport(told, cell.folder), loaded: told.loaded ?? {}, ms: told.ms };
}

/** The results of held-out tests in their order. A run of them that could not be had is one that failed. */
export async function runHeldOut(cell: ProjectCell, signal: AbortSignal): Promise<HiddenResult[]> {
  const { tests, fault } = await cell.runTests({ heldOut: true, signal });
  const results = tests.flatMap(({ state }) => (state === "passed" || state === "failed" ? [state] : []));
  return fault !== undefined || results.length === 0 ? [...results, "failed"] : results;
}

/** A report without its duration, which is another each time. */
function toReport({ runner, tests, failureLines, fault }: TestReport, folder: string): Report {
  return {
    runner,
    tests: tests.map(({ failure, ...test }) =>
      failure === undefined ? test : { ...test, failure: withoutFolder(failure, folder) },
    ),
    failureLines: withoutFolder(failureLines, folder),
    ...(fault !== undefined && { fault: withoutFolder(fault, folder) }),
  };
}

/** A text that calls the workspace by a name that tells no one anything. */
export function withoutFolder(text: string, folder: string): string {
  return folder === "" ? text : text.replaceAll(folder, "/workspace");
}

/** Results as JUnit XML. */
export function writeJunit(suite: string, tests: Report["tests"]): string {
  const cases = tests.map(({ name, state, failure = "" }) => {
    const [file, ...rest] = name.split(/::| > /);
    const names = `classname="${escaped(file!)}" name="${escaped(rest.join(" > ") || name)}"`;
    if (state === "passed") return `    <testcase ${names}/>`;
    const inner =
      state === "failed"
        ? `<failure>${escaped(failure)}</failure>`
        : `<skipped${state === "xfailed" ? ' type="xfail"' : ""}/>`;
    return `    <testcase ${names}>${inner}</testcase>`;
  });
  const failed = tests.filter(({ state }) => state === "failed").length;
  const skipped = tests.filter(({ state }) => state === "skipped" || state === "xfailed").length;
  const counts = `tests="${tests.length}" failures="${failed}" errors="0" skipped="${skipped}"`;
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites>\n  <testsuite name="${suite}" ${counts}>\n${cases.join("\n")}\n  </testsuite>\n</testsuites>\n`;
}

function escaped(text: string): string {
  const codes: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };
  // What no XML may hold is left out.
  return text
    .replace(/[&<>"]/g, (each) => codes[each]!)
    .replace(/[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu, "");
}
