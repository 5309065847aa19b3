// What is asked of models: a prompt of this loop with what the run knows in place, for a role and with its profile.
//
// The philosophy stands before every system text, whoever wrote the prompt. No time, no run's id and no path outside the
// workspace goes into any of them, so that the same state asks the same.

import { basename, isAbsolute } from "node:path";
import { sha256 } from "@loopwright/core";
import { type Question, type RenderedPrompt, readPrompt, renderPrompt } from "@loopwright/models";
import type { FileBlock } from "@loopwright/workspace";
import { promptsFolder } from "../folders.ts";
import { onStep } from "../stuck.ts";
import type { CodeContext, CodeState, CodeTask, TestFile } from "../task.ts";
import { describeBaseline } from "../testing/baseline.ts";
import { regressionsToText } from "../testing/regressions.ts";
import { approachesToText } from "./approaches.ts";
import { describeStatus, failuresOf } from "./clues.ts";
import { parseSections } from "./sections.ts";

export type Role = "consultant" | "implementer" | "reviewer";

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
): TestFile[] {
  const tests = given_tests ?? task.tests;
  if (!tests) return test_file ? [test_file] : [];
  return tests.map(({ path, content }) => ({ filename: isAbsolute(path) ? basename(path) : path, content }));
}

/** What every prompt may use of what the run knows; each takes what it names. */
export function variablesOf(state: CodeState, task: CodeTask, files: readonly FileBlock[]): Record<string, unknown> {
  const failures = state.test_report ? failuresOf(state.test_report) : "";
  const feedback = [...state.feedback, ...(state.demands ?? [])].join("\n\n");
  return {
    ...parseSections(state.task),
    agents: state.agents,
    summary: state.summary,
    plan: state.plan,
    tests: visibleTests(task, state),
    given_tests: task.tests ? visibleTests(task, state) : [],
    test_file: state.test_file ?? null,
    baseline: state.baseline ? describeBaseline(state.baseline) : "",
    baseline_failures: state.baseline?.failures ?? "",
    files,
    status: describeStatus(state, task),
    failures,
    regressions: regressionsToText(state.regressions),
    hidden_fail: state.hidden_results.includes("failed"),
    diagnosis: state.last_diagnosis,
    review_code: state.last_review_code,
    approaches: approachesToText(state.approaches),
    feedback,
    // As a project's own copy of a prompt may still call it.
    said_back: feedback,
    printed: state.feedback.join("\n\n"),
    demands: state.demands?.join("\n\n") ?? "",
    change: "",
    issues: state.audit_issues.join("\n"),
    stuck_hint: onStep(state, "hint") !== undefined,
    stable_count: state.impl_stable_count,
  };
}
