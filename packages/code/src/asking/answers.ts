// The forms of answers: what each prompt asks for, and how what came is read. Pure.
//
// The form is what a server may be held to and what a model is told. Reading is more patient: other names for the same
// thing are understood, and what cannot be is a mismatch in words that a model can act on (E2).

import { SECRET_MARK } from "@loopwright/core";
import { z } from "zod";
import type { TestFile } from "../task.ts";
import { ANY_TEST_NAME_FORM, isAnyTestName, isTestFile, TEST_NAME_FORM, workspacePath } from "../testing/test-files.ts";
import {
  extractReviewCode,
  isLoose,
  normalizePlan,
  type PlanEntry,
  pickNamed,
  type ReviewCode,
  textOf,
} from "./plan-entries.ts";

const TestsForm = z.object({ filename: z.string(), content: z.string().describe("the whole file") });
const EntryForm = z.object({
  file: z.string(),
  action: z.string().describe("create or change, and what for"),
  functions: z.array(z.object({ name: z.string(), signature: z.string(), pseudocode: z.string() })),
});

/** What PLAN is asked for, with and without tests. */
export const PlanForm = z.object({ tests: TestsForm, plan: z.array(EntryForm).min(1) });
export const PlanOnlyForm = PlanForm.omit({ tests: true });

/** What PLAN is asked for where there is a program already, with and without tests; it may first ask to see more of it. */
const LookForm = z
  .array(z.string())
  .describe("what you must see first: READ path:from-to, GREP text, LIST folder, RUN test")
  .optional();
const TargetsForm = z.object({ target_tests: z.array(z.string()), tests: TestsForm.optional() });

/** The form of a plan of a change. */
export function planChangeForm({ wantsTests, mayLook }: { wantsTests: boolean; mayLook: boolean }): z.ZodType {
  const entries = z.array(EntryForm);
  return z.object({
    ...(mayLook && { look: LookForm }),
    ...(wantsTests && TargetsForm.shape),
    plan: mayLook ? entries : entries.min(1),
  });
}

/** What AUDIT is asked for. */
export const AuditForm = z.object({
  tests_correct: z.boolean(),
  issues: z.array(z.object({ test_name: z.string(), problem: z.string(), fix: z.string() })),
  tests: TestsForm.optional().describe("the whole corrected file, where tests_correct is false"),
});

/** What REVIEW is asked for. */
export const ReviewForm = z.object({
  diagnosis: z.string(),
  plan: z.array(EntryForm.extend({ code: z.string().optional() })),
});

/** What REVIEW is asked for where tests were not written by the run, and may be ones that no program can pass. */
export const ReviewOrGiveUpForm = ReviewForm.extend({
  obstacle: z.enum(["tests_contradict", "environment"]).optional(),
  obstacle_tests: z.array(z.string()).optional(),
});

/** What AMEND is asked for. */
export const AmendForm = z.object({
  diagnosis: z.string(),
  dk_addition: z.string().describe("at most 500 characters"),
  confidence: z.enum(["high", "medium", "low"]),
});

export interface PlanAnswer {
  tests?: TestFile;
  plan: PlanEntry[];
}

/** Reads a plan; its tests are wanted for the first one only, and those that are given are the only ones. */
export function planAnswer({ wantsTests, fallbackFile }: { wantsTests: boolean; fallbackFile?: string | undefined }) {
  return reading<PlanAnswer>((value, mismatch) => {
    const tests = readTests(value);
    const plan = normalizePlan(pickNamed(value, PLAN_NAMES), fallbackFile);
    if (plan.length === 0)
      mismatch("plan", "a list with at least one entry that names a file, none of them a test file");
    if (!wantsTests) return { plan, ...(isUsableTests(tests) && { tests }) };
    if (tests === undefined) mismatch("tests", "the tests, as { filename, content }");
    else if (tests.content.trim() === "") mismatch("tests.content", "the tests' text, which is not empty");
    else if (tests.content.includes(SECRET_MARK)) mismatch("tests.content", WITHOUT_MARK);
    else if (!isTestName(tests.filename)) mismatch("tests.filename", TEST_NAME_FORM);
    return { plan, ...(tests && { tests }) };
  });
}

export interface ChangeAnswer extends PlanAnswer {
  target_tests: string[];
  /** What of the program the planner wants to see first. */
  look: string[];
}

/** Reads the plan of a change. */
export const planChangeAnswer = reading<ChangeAnswer>((value, mismatch) => {
  const tests = readTests(value);
  const plan = normalizePlan(pickNamed(value, PLAN_NAMES));
  const look = readNames(pickNamed(value, ["look", "looks", "read"]));
  if (plan.length === 0 && look.length === 0)
    mismatch("plan", "a list with at least one entry that names a file, none of them a test file");
  const target_tests = readNames(pickNamed(value, ["target_tests", "targets", "failing_tests"]));
  if (!tests || tests.content.trim() === "") return { plan, target_tests, look };
  if (tests.content.includes(SECRET_MARK)) mismatch("tests.content", WITHOUT_MARK);
  else if (workspacePath(tests.filename) === undefined || !isAnyTestName(tests.filename))
    mismatch("tests.filename", ANY_TEST_NAME_FORM);
  return { plan, target_tests, tests, look };
});

function readNames(value: unknown): string[] {
  return (Array.isArray(value) ? value : [value]).map(textOf).filter((name) => name !== "");
}

export interface AuditAnswer {
  tests_correct: boolean;
  issues: string[];
  tests?: TestFile;
}

/** Reads an audit. */
export const auditAnswer = reading<AuditAnswer>((value, mismatch) => {
  const said = pickNamed(value, ["tests_correct", "correct", "tests_are_correct", "valid"]);
  const isCorrect = typeof said === "boolean" ? said : { true: true, false: false }[textOf(said).toLowerCase()];
  if (isCorrect === undefined) mismatch("tests_correct", "true or false");
  const tests = readTests(value);
  const issues = pickNamed(value, ["issues", "problems", "findings"]);
  return {
    tests_correct: isCorrect ?? true,
    issues: (Array.isArray(issues) ? issues : []).map(issueToText).filter((text) => text !== ""),
    ...(tests && hasTests(tests) && { tests }),
  };
});

export interface ReviewAnswer {
  diagnosis: string;
  /** Empty where no entry could be understood: the plan then stays as it is. */
  plan: PlanEntry[];
  code: ReviewCode[];
  /** Why no program can pass, and the tests that are in the way. */
  obstacle?: Obstacle;
}

export interface Obstacle {
  kind: "tests_contradict" | "environment";
  tests: string[];
}

/** Reads a review. */
export function reviewAnswer(fallbackFile: string | undefined) {
  return reading<ReviewAnswer>((value, mismatch) => {
    const diagnosis = textOf(pickNamed(value, ["diagnosis", "analysis", "problem", "cause", "root_cause", "summary"]));
    const plan = pickNamed(value, PLAN_NAMES);
    if (diagnosis === "" && plan === undefined) mismatch("diagnosis", "the cause in words, and the plan beside it");
    const obstacle = readObstacle(value);
    return {
      ...{ diagnosis, plan: normalizePlan(plan, fallbackFile), code: extractReviewCode(plan, fallbackFile) },
      ...(obstacle && { obstacle }),
    };
  });
}

function readObstacle(value: Readonly<Record<string, unknown>>): Obstacle | undefined {
  const kind = textOf(value.obstacle).toLowerCase();
  if (kind !== "tests_contradict" && kind !== "environment") return undefined;
  return { kind, tests: readNames(value.obstacle_tests) };
}

export interface AmendAnswer {
  diagnosis: string;
  dk_addition: string;
  confidence: string;
}

/** Reads an amendment. An addition may be empty: that is an answer, and says that there is none. */
export const amendAnswer = reading<AmendAnswer>((value, mismatch) => {
  const addition = pickNamed(value, ["dk_addition", "addition", "domain_knowledge", "domain_knowledge_addition"]);
  const confidence = textOf(pickNamed(value, ["confidence"])).toLowerCase();
  if (addition === undefined && value.dk_addition !== null) mismatch("dk_addition", "text");
  if (!["low", "medium", "high"].includes(confidence)) mismatch("confidence", '"high", "medium" or "low"');
  return { diagnosis: textOf(pickNamed(value, ["diagnosis"])), dk_addition: textOf(addition), confidence };
});

const PLAN_NAMES = ["plan", "implementation_plan", "entries", "steps", "changes", "files"];

type Mismatch = (path: string, expected: string) => void;

/** A schema that reads an object; a place that does not fit is said with what was expected there. */
function reading<Answer>(
  read: (value: Readonly<Record<string, unknown>>, mismatch: Mismatch) => Answer,
): z.ZodType<Answer> {
  return z.unknown().transform((value, ctx) => {
    if (!isLoose(value)) {
      ctx.addIssue({ code: "custom", message: "Invalid input: expected an object" });
      return z.NEVER;
    }
    let isSound = true;
    const answer = read(value, (path, expected) => {
      isSound = false;
      ctx.addIssue({ code: "custom", path: path.split("."), message: `Invalid input: expected ${expected}` });
    });
    return isSound ? answer : z.NEVER;
  });
}

function readTests(value: Readonly<Record<string, unknown>>): TestFile | undefined {
  const found = pickNamed(value, ["tests", "test", "test_file", "corrected_tests", "updated_tests"]);
  const one = Array.isArray(found) && found.length === 1 ? found[0] : found;
  if (typeof one === "string") return { filename: "", content: one };
  if (!isLoose(one)) return undefined;
  const content = pickNamed(one, ["content", "code", "source", "text", "body"]);
  if (typeof content !== "string") return undefined;
  const filename = textOf(pickNamed(one, ["filename", "file", "path", "file_path", "name"]));
  return { filename: workspacePath(filename) ?? filename, content };
}

function isUsableTests(tests: TestFile | undefined): boolean {
  return tests !== undefined && hasTests(tests) && (tests.filename === "" || isTestName(tests.filename));
}

const WITHOUT_MARK = `tests without '${SECRET_MARK}', which only stands where a value was taken out of what you were shown`;

function hasTests({ content }: TestFile): boolean {
  return content.trim() !== "" && !content.includes(SECRET_MARK);
}

function isTestName(filename: string): boolean {
  return workspacePath(filename) !== undefined && isTestFile(filename);
}

function issueToText(issue: unknown): string {
  if (!isLoose(issue)) return textOf(issue);
  const name = textOf(pickNamed(issue, ["test_name", "test", "name"]));
  const problem = textOf(pickNamed(issue, ["problem", "issue", "description", "why"]));
  const fix = textOf(pickNamed(issue, ["fix", "correction", "suggestion"]));
  return [name, problem, fix && `it must read: ${fix}`].filter((part) => part !== "").join(": ");
}
