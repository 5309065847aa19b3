// What is asked of models: a prompt of this loop with what the run knows in place, for a role and with its profile.
//
// The philosophy stands before every system text, whoever wrote the prompt. No time, no run's id and no path outside the
// workspace goes into any of them, so that the same state asks the same. What a test run says to a model is failure lines only, the
// clues in its assertions, and where the run stands.

import { basename, isAbsolute } from "node:path";
import { sha256 } from "@loopwright/core";
import { type Question, type RenderedPrompt, readPrompt, renderPrompt } from "@loopwright/models";
import { type FileBlock, judge, nameSome } from "@loopwright/workspace";
import { promptsFolder } from "../folders.ts";
import { ledgerToText, proofToText } from "../proof/evidence.ts";
import type { Role } from "../roles.ts";
import { onStep } from "../stuck.ts";
import type { Approach, Baseline, CodeContext, CodeState, CodeTask, PassedTest, Report } from "../task.ts";
import { parseSections } from "../task-file.ts";

type Profile = Pick<RenderedPrompt, "temperature" | "topP" | "maxTokens">;

/** How a role is asked where it takes over a prompt that was written for another one. */
const consultantProfile: Profile = { temperature: 0.3, topP: 0.9, maxTokens: 8192 };

interface Asking {
  role?: Role;
  /** What the answer may have to hold whole: there is room for it. */
  room?: readonly { content: string }[];
}

/** A prompt of this loop, ready to be asked. */
export async function makeQuestion(
  ctx: CodeContext,
  id: string,
  variables: Readonly<Record<string, unknown>>,
  { role, room = [] }: Asking = {},
): Promise<Question & { prompt: RenderedPrompt }> {
  const prompt = await readPrompt(ctx, { loop: "code", folder: promptsFolder }, id);
  const rendered = withPhilosophy(await renderPrompt(prompt, variables), ctx.input.philosophy);
  const isTakenOver = role === "consultant" && rendered.role !== role;
  const profiled = isTakenOver ? { ...rendered, ...consultantProfile } : rendered;
  const { maxTokens } = profiled;
  const roomy = maxTokens === undefined ? profiled : { ...profiled, maxTokens: Math.max(maxTokens, tokensFor(room)) };
  return { prompt: roomy, ...(role !== undefined && role !== rendered.role && { role }) };
}

/** Room to give these texts back whole, with something said about them. */
function tokensFor(texts: readonly { content: string }[]): number {
  const characters = texts.reduce((sum, { content }) => sum + content.length, 0);
  return Math.min(MOST_TOKENS, Math.ceil(characters / CHARACTERS_PER_TOKEN) + SAID_TOKENS);
}

const CHARACTERS_PER_TOKEN = 3;
const SAID_TOKENS = 1024;
const MOST_TOKENS = 32_768;

function withPhilosophy(prompt: RenderedPrompt, philosophy: string): RenderedPrompt {
  if (philosophy.trim() === "") return prompt;
  const system = [philosophy.trim(), prompt.system ?? ""].filter((text) => text !== "").join("\n\n");
  return { ...prompt, system, hash: sha256(JSON.stringify([system, prompt.text])) };
}

/** The tests that models may see: those that were given, else those that were planned. */
export function visibleTests(
  task: CodeTask,
  { test_file, given_tests }: Pick<CodeState, "test_file" | "given_tests">,
): FileBlock[] {
  const tests = given_tests ?? task.tests;
  if (!tests) return test_file ? [test_file] : [];
  return tests.map(({ path, content }) => ({ path: isAbsolute(path) ? basename(path) : path, content }));
}

/** What every prompt may use of what the run knows; each takes what it names. */
export function variablesOf(state: CodeState, task: CodeTask, files: readonly FileBlock[]): Record<string, unknown> {
  return {
    ...parseSections(state.task),
    ...{ agents: agentsFor(state), said: state.said },
    summary: state.summary,
    plan: state.plan,
    tests: visibleTests(task, state),
    given_tests: task.tests ? visibleTests(task, state) : [],
    test_file: state.test_file ?? null,
    baseline: state.baseline ? describeBaseline(state.baseline) : "",
    baseline_failures: state.baseline?.failures ?? "",
    files,
    status: describeStatus(state, task),
    failures: state.test_report ? failuresOf(state.test_report) : "",
    regressions: regressionsToText(state.regressions),
    hidden_fail: state.hidden_results.includes("failed"),
    diagnosis: state.last_diagnosis,
    review_code: state.last_review_code,
    approaches: approachesToText(state.approaches),
    feedback: [...state.feedback, ...(state.demands ?? [])].join("\n\n"),
    printed: state.feedback.join("\n\n"),
    demands: state.demands?.join("\n\n") ?? "",
    change: "",
    proof: proofToText(state),
    requirements: ledgerToText(state),
    issues: state.audit_issues.join("\n"),
    stuck_hint: onStep(state, "hint") !== undefined,
    stable_count: state.impl_stable_count,
  };
}

/** The AGENTS.md of the workspace, and those of the folders that the plan is about. */
function agentsFor({ agents, agents_below, plan }: CodeState): string {
  const isFor = ({ path }: FileBlock) =>
    plan.some(({ file }) => file.startsWith(path.slice(0, path.lastIndexOf("/") + 1)));
  const below = agents_below.filter(isFor).map(({ path, content }) => `${path}:\n\n${content}`);
  return [agents, ...below].filter((text) => text !== "").join("\n\n");
}

const MOST_CLUES = 40;
const CLUE = /^\s*(?:E\s|>|assert\b|[+-]\s)|AssertionError|ERR_ASSERTION|\b(?:expected|actual|received)\b|[!=]==?\s/i;

/** The failing tests' own words; where the tests could not be run, why. */
export function failuresOf({ fault, failureLines, tests }: Report): string {
  if (fault !== undefined) return fault.trim();
  if (failureLines.trim() !== "") return failureLines.trim();
  const failing = tests.filter(({ state }) => state === "failed");
  return failing.map(({ name, failure }) => (failure ? `${name}\n${failure}` : name)).join("\n\n");
}

/** The names of failing tests, one a line. */
export function failingNames({ tests }: Report): string {
  return tests.flatMap(({ name, state }) => (state === "failed" ? [name] : [])).join("\n");
}

/** The lines of failures that compare values, each once, with the test that they belong to. */
export function assertionClues(report: Report): string {
  const failing = report.tests.filter(({ state }) => state === "failed");
  const own = failing.flatMap(({ name, failure = "" }) => cluesIn(failure).map((clue) => `${name}: ${clue}`));
  const clues = own.length > 0 ? own : cluesIn(report.fault ?? report.failureLines);
  return [...new Set(clues)].slice(0, MOST_CLUES).join("\n");
}

function cluesIn(text: string): string[] {
  return text.split("\n").flatMap((line) => (CLUE.test(line) ? [line.trim()] : []));
}

/** Where a run stands, in a sentence or two of our own. */
export function describeStatus(
  { test_report, known_tests, hidden_results, baseline, targets = [] }: CodeState,
  { min_iterations }: CodeTask,
): string {
  if (!test_report) return "";
  const { verdict, passed, failed, missing } = judge(test_report, known_tests, hidden_results);
  if (test_report.fault !== undefined) return "The tests could not be run.";
  if (verdict.verdict === "pass" && baseline)
    return `All tests pass: those that the change is for (${targets.length}), and every one of the program's own that passed before.`;
  if (verdict.verdict === "pass") return `All tests pass. The run goes on for at least ${min_iterations} iterations.`;
  const collected = passed.length + failed.length + missing.length;
  if (collected === 0) return "No test was run: none was collected, or all were skipped.";
  const ratio = `${passed.length} of ${collected} tests pass.`;
  const gone = missing.length > 0 ? ` Gone or skipped, which counts as failing: ${nameSome(missing)}.` : "";
  return ratio + gone;
}

const REMEMBERED = 12;
const LONGEST = 240;

/** The approach that an answer names in its line APPROACH; the first sentence of the diagnosis it went by, else. */
export function approachOf(answer: string, diagnosis: string): string {
  const named = /^[ \t>*_#-]*APPROACH\b[*_]*[ \t]*:[*_]*[ \t]*(.+)$/im.exec(answer)?.[1];
  const words = (named ?? diagnosis.split(/(?<=[.!?])\s/, 1)[0] ?? "").replace(/\s+/g, " ").trim();
  return words.slice(0, LONGEST) || "as planned";
}

/** The list with one more; the oldest are forgotten. */
export function addApproach(approaches: readonly Approach[], failed: Approach): Approach[] {
  return [...approaches, failed].slice(-REMEMBERED);
}

/** The list as a prompt shows it: the same approach with the same result is said once. */
export function approachesToText(approaches: readonly Approach[]): string {
  const lines = new Map<string, number[]>();
  for (const { iteration, approach, result } of approaches) {
    const line = `${approach} → ${result}`;
    lines.set(line, [...(lines.get(line) ?? []), iteration]);
  }
  return [...lines].map(([line, iterations]) => `iteration ${iterations.join(", ")}: ${line}`).join("\n");
}

/** Regressions as a prompt shows them. */
export function regressionsToText(regressions: readonly PassedTest[]): string {
  return regressions.map(({ name, iteration }) => `${name} (passed in iteration ${iteration})`).join("\n");
}

const MOST_NAMES = 40;

/** A baseline in words, for a prompt. */
function describeBaseline({ passing, failing, flaky, blocked }: Baseline): string {
  const names = failing.slice(0, MOST_NAMES).map((name) => `- ${name}`);
  const more = failing.length > MOST_NAMES ? [`- … and ${failing.length - MOST_NAMES} more`] : [];
  return [
    `${passing.length === 1 ? "1 test passes" : `${passing.length} tests pass`}${failing.length > 0 ? `, and ${failing.length === 1 ? "1 fails" : `${failing.length} fail`}, which may have nothing to do with the task:` : ", and none fails."}`,
    ...names,
    ...more,
    ...(flaky.length > 0 ? [`${flaky.length} more pass at one time and fail at another, and decide nothing.`] : []),
    ...(blocked.length > 0 ? [`${blocked.length} more fail because of where they are run, and decide nothing.`] : []),
  ].join("\n");
}
