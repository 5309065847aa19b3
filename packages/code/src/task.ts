// What a run of the code loop is given, and what it remembers.

import { type Context, MAX_RETRIES, UsageError } from "@loopwright/core";
import { HiddenResult, Observation, Report } from "@loopwright/workspace";
import { z } from "zod";
import { PlanEntry, ReviewCode } from "./asking/plan-entries.ts";
import { DEFAULT_LOOKS, MOST_LOOKS, MOST_RETRIES } from "./configuration.ts";
import { roleNames } from "./roles.ts";
import { Baseline } from "./testing/baseline.ts";

const count = z.number().int().min(0);

/** A test file: its path in the workspace, and its text. */
export const TestFile = z.object({ filename: z.string().min(1), content: z.string() });
export type TestFile = z.infer<typeof TestFile>;

/** What a run is given. */
export const CodeTask = z.strictObject({
  /** The text of task.md: the sections Task, Scope, Domain Knowledge, Constraints. */
  task: z.string().refine((text) => text.trim() !== "", "it is empty"),
  /** Where task.md is, so that it can be amended and read again; without it, amendments stay in the run. */
  task_file: z.string().min(1).optional(),
  /** Prepended to every system prompt. */
  philosophy: z.string().default(""),
  /** Given tests, as far as models may see them: PLAN then writes none, and no model can replace them. */
  tests: z
    .array(z.object({ path: z.string().min(1), content: z.string() }))
    .min(1)
    .optional(),
  /** Whether the workcell has held-out tests. They decide, and no model hears more of them than that some fail. */
  held_out: z.boolean().default(false),
  /** Whether tests that the sandbox keeps from passing are left out without a question. */
  allow_failing: z.boolean().default(false),
  /** Whether changed lines that no test executes are let pass without a question. */
  allow_unseen: z.boolean().default(false),
  /** The context windows of its models in tokens, as they were when it was started: what is shown of a program grows with them. */
  windows: z.partialRecord(z.enum(roleNames), z.number().int().positive()).optional(),
  /** How often the planner, and in each iteration the implementer, may ask to see more before they answer. */
  looks: z.number().int().min(0).max(MOST_LOOKS).default(DEFAULT_LOOKS),
  /** The least number of iterations in the whole run, whatever the tests say. */
  min_iterations: z.number().int().min(1).default(2),
  /** How often an answer that has not its form, or a program that breaks before its tests, is asked for again. */
  retries: z.number().int().min(0).max(MOST_RETRIES).default(MAX_RETRIES),
});
export type CodeTask = z.output<typeof CodeTask>;

export { Report };

/** An entry of the ledger: what was added to task.md, when, and on what grounds. */
export const Amendment = z.object({
  iteration: count,
  plan_generation: count,
  diagnosis: z.string(),
  addition: z.string(),
  confidence: z.string(),
  /** Whether the section was absent, and was made for it. */
  made_section: z.boolean(),
});
export type Amendment = z.infer<typeof Amendment>;

/** A test that had passed, and the iteration in which it last did. */
export const PassedTest = z.object({ name: z.string(), iteration: count });
export type PassedTest = z.infer<typeof PassedTest>;

/** What was tried, and what came of it. */
export const Approach = z.object({
  iteration: count,
  approach: z.string(),
  result: z.string(),
  /** The tests that it failed by, where they were few. */
  failed: z.array(z.string()).optional(),
});
export type Approach = z.infer<typeof Approach>;

/** The best state so far: the iteration it is of, how it did, and how it is had again. */
export const BestState = z.object({
  iteration: count,
  score: z.number(),
  passed: count,
  snapshot: z.string(),
  report: Report,
});
export type BestState = z.infer<typeof BestState>;

/** A state that was the best when it was made: how it is had again, and what is said of it in a commit. */
export const Accepted = z.object({ iteration: count, snapshot: z.string(), message: z.string() });
export type Accepted = z.infer<typeof Accepted>;

/** Why a run is about to stop. */
export const Stopping = z.object({
  outcome: z.enum(["done", "failed", "escalated", "ceiling"]),
  reason: z.string(),
});
export type Stopping = z.infer<typeof Stopping>;

/** What a run remembers. */
export const CodeState = z.object({
  /** task.md as it was last read or written, and the size that amendments are measured from. */
  task: z.string(),
  original_size: count,
  /** AGENTS.md of the workspace. */
  agents: z.string(),
  summary: z.string(),
  /** The workspace as the last phase that changed it left it. Without one it is taken as it stands. */
  snapshot: z.string().optional(),
  test_file: TestFile.optional(),
  /** Given tests as they were read again, where a person has changed them since the run began. */
  given_tests: z.array(z.object({ path: z.string(), content: z.string() })).optional(),
  original_test_count: count,
  /** Tests that were collected and not skipped: one that is gone, or skipped now, is a failure. */
  known_tests: z.array(z.string()),
  /** The repository's own tests before the first edit; none where there was no program. */
  baseline: Baseline.optional(),
  /** The tests that must pass in the end, beside those that passed before. */
  targets: z.array(z.string()).optional(),
  /** Lines that no test executes: whether the implementer was told of them, or a person would not let them pass. */
  unseen: z.enum(["told", "refused"]).optional(),
  plan: z.array(PlanEntry),
  plan_generation: count,
  test_report: Report.optional(),
  /** Results of held-out tests in their order, without any name. */
  hidden_results: z.array(HiddenResult),
  /** The test runs since the last plan, or the last that passed. */
  history: z.array(Observation),
  impl_hash: z.string().optional(),
  impl_stable_count: count,
  last_diagnosis: z.string(),
  last_review_code: z.array(ReviewCode),
  audit_issues: z.array(z.string()),
  last_approach: z.string(),
  approaches: z.array(Approach),
  /** What the implementer is told of its last blocks and commands. */
  feedback: z.array(z.string()),
  /** What the judge wants changed although all tests pass, or what it took back. */
  demands: z.array(z.string()).optional(),
  /** Whether this iteration's answer changed anything. */
  has_written: z.boolean(),
  passed_tests: z.array(PassedTest),
  regressions: z.array(PassedTest),
  best: BestState.optional(),
  /** The states that were the best in their turn, since the user's files were taken in. */
  accepted: z.array(Accepted).optional(),
  amendments: z.array(Amendment),
  stopping: Stopping.optional(),
  /** How many files the result was applied to, where the run is done. */
  applied: count.optional(),
});
export type CodeState = z.output<typeof CodeState>;

export type CodeContext = Context<CodeTask, CodeState>;

/** What a run knows before its first phase. */
export function initialState({ task }: CodeTask): CodeState {
  return {
    task,
    original_size: task.length,
    agents: "",
    summary: "",
    original_test_count: 0,
    known_tests: [],
    plan: [],
    plan_generation: 0,
    hidden_results: [],
    history: [],
    impl_stable_count: 0,
    last_diagnosis: "",
    last_review_code: [],
    audit_issues: [],
    last_approach: "",
    approaches: [],
    feedback: [],
    has_written: false,
    passed_tests: [],
    regressions: [],
    amendments: [],
  };
}

const CountersOf1 = z.object({
  stuck_count: count,
  failing_set_count: count,
  last_test_hash: z.string().optional(),
  last_failing_set: z.string().optional(),
  approaches: z.array(Approach),
});

/** Carries an older run over. In version 1 one builder was what is a loop of its own since, and it counted what is read from a
 * history now; in version 2 the planner could ask once, by a phase of its own, for what it may look at since; in version 3
 * `feedback` was called `said_back`. */
export function migrate({ said_back, ...kept }: Readonly<Record<string, unknown>>, from = 1): CodeState {
  const state: Record<string, unknown> = { feedback: said_back, ...kept };
  if (from > 1) return CodeState.parse(state);
  if (state.search !== undefined)
    throw new UsageError("LOOP_CHANGED", "this run repaired by search, which is no part of Loopwright any more");
  return CodeState.parse({ ...state, history: countersToHistory(CountersOf1.parse(state)) });
}

/** The shortest history of which the counts are the same; its last test run is that of the last approach that failed. */
function countersToHistory(counters: z.infer<typeof CountersOf1>): Observation[] {
  const { stuck_count, failing_set_count, last_test_hash, last_failing_set, approaches } = counters;
  const last = approaches.at(-1)?.iteration ?? 0;
  return Array.from({ length: Math.max(stuck_count, failing_set_count) }, (_, back) => ({
    iteration: last - back,
    ...(back < stuck_count && { sequence: last_test_hash }),
    ...(back < failing_set_count && { failing: last_failing_set }),
  })).reverse();
}
