// What a run of the code loop is given, and what it remembers.

import { type Context, MAX_RETRIES, MaxRetries } from "@loopwright/core";
import { HiddenResult, Observation, Report } from "@loopwright/workspace";
import { z } from "zod";
import { PlanEntry, ReviewCode } from "./asking/plan-entries.ts";
import { DEFAULT_LOOKS, DEFAULT_PROOF, MOST_LOOKS } from "./configuration.ts";
import { Evidence, Requirement } from "./proof/evidence.ts";
import { roleNames } from "./roles.ts";

const count = z.number().int().min(0);
const counter = count.default(0);
const text = z.string().default("");
const names = z.array(z.string());
const lines = names.default([]);

/** Tests that a model wrote: a file, or what was added to one that was there, between what stands around it. */
export const TestFile = z.object({
  path: z.string().min(1),
  content: z.string(),
  around: z.tuple([z.string(), z.string()]).optional(),
});
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
  tests: z.array(TestFile).min(1).optional(),
  /** Whether the workcell has held-out tests. They decide, and no model hears more of them than that some fail. */
  held_out: z.boolean().default(false),
  /** Whether it is one of several attempts, whose result is applied once one of them was chosen. */
  is_attempt: z.boolean().default(false),
  /** Whether tests that the sandbox keeps from passing are left out without a question. */
  allow_failing: z.boolean().default(false),
  /** Whether changed lines that no test executes are let pass without a question. */
  allow_unseen: z.boolean().default(false),
  /** The context windows of its models in tokens, as they were when it was started: what is shown of a program grows with them. */
  windows: z.partialRecord(z.enum(roleNames), z.number().int().positive()).optional(),
  /** How many times what the tests take the proof of a result may take; 0 leaves it out. */
  proof_budget: z.number().min(0).default(DEFAULT_PROOF),
  /** How often the planner, and in each iteration the implementer, may ask to see more before they answer. */
  looks: z.number().int().min(0).max(MOST_LOOKS).default(DEFAULT_LOOKS),
  /** The least number of iterations in the whole run, whatever the tests say. */
  min_iterations: z.number().int().min(1).default(2),
  /** How often an answer that has not its form, or a program that breaks before its tests, is asked for again. */
  max_retries: MaxRetries.default(MAX_RETRIES),
});
export type CodeTask = z.output<typeof CodeTask>;

export type { Report };

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

/** A test that fails because of where it is run, and why. */
const Blocked = z.object({ name: z.string(), why: z.enum(["network", "read-only", "permission"]) });
export type Blocked = z.infer<typeof Blocked>;

/** The suite before the first edit. */
export const Baseline = z.object({
  passing: names,
  failing: names,
  /** Tests that said one thing in one run and another in the next: they decide nothing. */
  flaky: names,
  /** Tests that fail by the sandbox's own doing. */
  blocked: z.array(Blocked),
  /** What the failing tests say. */
  failures: z.string(),
  /** The test files that load a file of the program, by its path. */
  loaded: z.record(z.string(), names),
  ms: z.number(),
  /** Of a command that is one test and fails: the line that tells most, and whether that is the sandbox's own doing. */
  command: z.object({ said: z.string(), isBlocked: z.boolean() }).optional(),
  /** Why there are no results at all, where there are tests. */
  fault: z.string().optional(),
});
export type Baseline = z.infer<typeof Baseline>;

/** A test that had passed, and the iteration in which it last did. */
const PassedTest = z.object({ name: z.string(), iteration: count });
export type PassedTest = z.infer<typeof PassedTest>;

const Approach = z.object({
  iteration: count,
  approach: z.string(),
  result: z.string(),
  /** The tests that it failed by, where they were few. */
  failed: names.optional(),
});
export type Approach = z.infer<typeof Approach>;

/** The best state so far: the iteration it is of, how it did, and how it is had again. */
const BestState = z.object({
  iteration: count,
  score: z.number(),
  passed: count,
  snapshot: z.string(),
  report: Report,
});
export type BestState = z.infer<typeof BestState>;

/** A state that was the best when it was made: how it is had again, and what is said of it in a commit. */
const Accepted = z.object({ iteration: count, snapshot: z.string(), message: z.string() });
export type Accepted = z.infer<typeof Accepted>;

const Stopping = z.object({
  outcome: z.enum(["done", "failed", "escalated", "ceiling"]),
  reason: z.string(),
});

/** What a run remembers. */
export const CodeState = z.object({
  /** task.md as it was last read or written, and the size that amendments are measured from. */
  task: z.string(),
  original_size: count,
  /** AGENTS.md of the workspace, and those of its folders, which hold for what lies in them. */
  agents: text,
  agents_below: z.array(z.object({ path: z.string(), content: z.string() })).default([]),
  summary: text,
  /** What a person has said with their answer, since the last plan. */
  said: text,
  /** The workspace as the last phase that changed it left it. Without one it is taken as it stands. */
  snapshot: z.string().optional(),
  /** Commands that install what a person has allowed. */
  installs: lines,
  test_file: TestFile.optional(),
  /** Given tests as they were read again, where a person has changed them since the run began. */
  given_tests: z.array(TestFile).optional(),
  original_test_count: counter,
  /** Tests that were collected and not skipped: one that is gone, or skipped now, is a failure. */
  known_tests: lines,
  /** The repository's own tests before the first edit; none where there was no program. */
  baseline: Baseline.optional(),
  /** The tests that must pass in the end, beside those that passed before. */
  targets: names.optional(),
  /** Lines that no test executes: whether the implementer was told of them, or a person would not let them pass. */
  unseen: z.enum(["told", "refused"]).optional(),
  /** The workspace before the first edit. */
  base: z.string().optional(),
  /** What the task asks for, statement by statement, and the tests that are said to show it. */
  requirements: z.array(Requirement).optional(),
  /** What a state whose tests pass is worth; whether the reviewer was told of it; and the verdict that it had. */
  proof: Evidence.optional(),
  is_told: z.boolean().default(false),
  passed: text,
  plan: z.array(PlanEntry).default([]),
  plan_generation: counter,
  test_report: Report.optional(),
  /** Results of held-out tests in their order, without any name. */
  hidden_results: z.array(HiddenResult).default([]),
  /** The test runs since the last plan, or the last that passed. */
  history: z.array(Observation).default([]),
  impl_hash: z.string().optional(),
  impl_stable_count: counter,
  last_diagnosis: text,
  last_review_code: z.array(ReviewCode).default([]),
  audit_issues: lines,
  last_approach: text,
  approaches: z.array(Approach).default([]),
  /** What the implementer is told of its last blocks and commands. */
  feedback: lines,
  /** What the judge wants changed although all tests pass, or what it took back. */
  demands: names.optional(),
  /** Whether this iteration's answer changed anything. */
  has_written: z.boolean().default(false),
  passed_tests: z.array(PassedTest).default([]),
  regressions: z.array(PassedTest).default([]),
  best: BestState.optional(),
  /** The states that were the best in their turn, since the user's files were taken in. */
  accepted: z.array(Accepted).optional(),
  amendments: z.array(Amendment).default([]),
  stopping: Stopping.optional(),
  /** How many files the result was applied to, where the run is done. */
  applied: count.optional(),
});
export type CodeState = z.output<typeof CodeState>;

export type CodeContext = Context<CodeTask, CodeState>;

/** What a run knows before its first phase. */
export function initialState({ task }: CodeTask): CodeState {
  return CodeState.parse({ task, original_size: task.length });
}
