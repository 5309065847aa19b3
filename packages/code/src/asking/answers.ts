// The forms of answers: what each prompt asks for, and how what came is read.
//
// A form's schema is what a server may be held to and what a model is told. Reading is more patient: other names for the same
// thing are understood, and what cannot be is a mismatch in words that a model can act on (E2).

import { SECRET_MARK } from "@loopwright/core";
import { parseObject, type Question, retryWithModel } from "@loopwright/models";
import type { FileBlock } from "@loopwright/workspace";
import { z } from "zod";
import type { Requirement } from "../proof/evidence.ts";
import type { CodeContext, CodeState, CodeTask } from "../task.ts";
import { ANY_TEST_NAME_FORM, isAnyTestName, isTestFile, TEST_NAME_FORM, workspacePath } from "../testing/test-files.ts";
import {
  extractReviewCode,
  isLoose,
  type Loose,
  normalizePlan,
  type PlanEntry,
  pick,
  type ReviewCode,
  textOf,
} from "./plan-entries.ts";

/** An answer as it is asked for, and as it is read. */
export interface Form<Answer> {
  schema: z.ZodType;
  reading: z.ZodType<Answer>;
}

export type Asked<Answer> = { answer: Answer; fault?: undefined } | { answer?: undefined; fault: string };

/** Asks, with fast retry where the form is wrong (E2), or where `check` throws; where no answer was usable, says why. */
export async function askForm<Answer>(
  ctx: CodeContext,
  question: Question,
  { schema, reading }: Form<Answer>,
  check: (scope: CodeContext, answer: Answer) => Promise<void> = async () => {},
): Promise<Asked<Answer>> {
  const tried = await retryWithModel<CodeTask, CodeState, Answer, void>(ctx, {
    ...{ ...question, schema },
    read: (text) => parseObject(text, reading),
    execute: check,
    maxRetries: ctx.input.max_retries,
  });
  return tried.failure ? { fault: tried.failure.message } : { answer: tried.work as Answer };
}

const TestsSchema = z.object({ filename: z.string(), content: z.string().describe("the whole file") });
const AddedTestsSchema = z.object({
  filename: z.string(),
  after: z.string().optional().describe("a test of that file, behind which they go"),
  content: z.string().describe("what is added to a file that is there, or the whole of a new one"),
});
const EntrySchema = z.object({
  file: z.string(),
  action: z.string().describe("create or change, and what for"),
  functions: z.array(z.object({ name: z.string(), signature: z.string(), pseudocode: z.string() })),
});
const PackagesSchema = z
  .array(z.string())
  .describe("packages that are not in the standard library, as `requests>=2,<3`")
  .optional();
/** The ledger: what the task asks for, and which tests show it. */
const LedgerSchema = z.array(z.object({ statement: z.string(), tests: z.array(z.string()) })).optional();
const PlanSchema = z.object({
  packages: PackagesSchema,
  tests: TestsSchema,
  plan: z.array(EntrySchema).min(1),
  requirements: LedgerSchema,
});

export interface PlanAnswer {
  tests?: FileBlock;
  /** What the program needs beyond the standard library. */
  packages?: string[];
  requirements?: Requirement[];
  plan: PlanEntry[];
}

interface PlanWants {
  areGiven: boolean;
  isFirst: boolean;
  fallbackFile?: string | undefined;
}

/** A plan; its tests are wanted for the first one only, and those that are given are the only ones. */
export function planForm({ areGiven, isFirst, fallbackFile }: PlanWants): Form<PlanAnswer> {
  const reading = readingOf<PlanAnswer>((value, mismatch) => {
    const packages = readNames(value.packages);
    const plan = readPlan(value, mismatch, fallbackFile);
    const tests = readTests(value);
    const fault = tests && (faultIn(tests) ?? faultOfName(tests.path, isTestFile, TEST_NAME_FORM));
    const ledger = readLedger(value);
    if (areGiven || !isFirst) {
      const isUsable = tests && (!fault || (tests.path === "" && !faultIn(tests)));
      return { plan, ...ledger, ...(isUsable && { tests }) };
    }
    if (!tests) mismatch("tests", "the tests, as { filename, content }");
    else if (fault) mismatch(...fault);
    return { plan, ...ledger, ...(tests && { tests }), ...(packages.length > 0 && { packages }) };
  });
  return { schema: areGiven ? PlanSchema.omit({ tests: true }) : PlanSchema, reading };
}

export interface ChangeAnswer extends PlanAnswer {
  /** New tests; those of a file that is there may go behind one of its tests. */
  tests?: FileBlock & { after?: string };
  target_tests: string[];
  /** What of the program the planner wants to see first. */
  look: string[];
}

const LookSchema = z
  .array(z.string())
  .describe("what you must see first: READ path:from-to, GREP text, LIST folder, RUN test")
  .optional();

interface ChangeWants {
  tests: "new" | "corrected" | undefined;
  mayLook: boolean;
}

/** The schema of a plan of a change, with and without tests; it may first ask to see more of the program. */
export function planChangeSchema({ tests, mayLook }: ChangeWants): z.ZodType {
  const entries = z.array(EntrySchema);
  return z.object({
    ...(mayLook && { look: LookSchema }),
    ...(tests === "new" && { target_tests: z.array(z.string()).optional(), tests: AddedTestsSchema.optional() }),
    ...(tests === "corrected" && { tests: TestsSchema.optional() }),
    plan: mayLook ? entries : entries.min(1),
    requirements: LedgerSchema,
  });
}

export const planChangeReading = readingOf<ChangeAnswer>((value, mismatch) => {
  const look = readNames(pick(value, "look"));
  const plan = readPlan(value, look.length > 0 ? () => {} : mismatch);
  const target_tests = readNames(pick(value, "target_tests"));
  const ledger = readLedger(value);
  const tests = readTests(value);
  if (!tests || tests.content.trim() === "") return { plan, target_tests, look, ...ledger };
  const fault = faultIn(tests) ?? faultOfName(tests.path, isAnyTestName, ANY_TEST_NAME_FORM);
  if (fault) mismatch(...fault);
  const after = textOf((pick(value, "tests") as Loose).after);
  return { plan, target_tests, tests: { ...tests, ...(after !== "" && { after }) }, look, ...ledger };
});

export const auditForm = {
  schema: z.object({
    tests_correct: z.boolean(),
    issues: z.array(z.object({ test_name: z.string(), problem: z.string(), fix: z.string() })),
    tests: TestsSchema.optional().describe("the whole corrected file, where tests_correct is false"),
  }),
  reading: readingOf((value, mismatch) => {
    const said = pick(value, "tests_correct");
    const isCorrect = typeof said === "boolean" ? said : { true: true, false: false }[textOf(said).toLowerCase()];
    if (isCorrect === undefined) mismatch("tests_correct", "true or false");
    const tests = readTests(value);
    const issues = pick(value, "issues");
    return {
      tests_correct: isCorrect ?? true,
      issues: (Array.isArray(issues) ? issues : []).map(issueToText).filter((text) => text !== ""),
      ...(tests && !faultIn(tests) && { tests }),
    };
  }),
};

export interface ReviewAnswer {
  diagnosis: string;
  /** Whether the program does all that the task asks for, where its tests pass. */
  complete: boolean;
  /** Empty where no entry could be understood: the plan then stays as it is. */
  plan: PlanEntry[];
  code: ReviewCode[];
  /** The ledger, corrected; tests for what none shows; and which of the findings on the proof cannot matter, by their number. */
  requirements?: Requirement[];
  tests?: FileBlock;
  cannot_matter?: { number: number; why: string }[];
  /** Why no program can pass, and the tests that are in the way. */
  obstacle?: { kind: Obstacle; tests: string[] };
}

const Obstacle = z.enum(["tests_contradict", "environment"]);
type Obstacle = z.infer<typeof Obstacle>;

const ReviewSchema = z.object({
  diagnosis: z.string(),
  complete: z.boolean().optional(),
  plan: z.array(EntrySchema.extend({ code: z.string().optional() })),
});
const ProofSchema = z.object({
  requirements: LedgerSchema,
  tests: TestsSchema.optional(),
  cannot_matter: z.array(z.object({ number: z.number(), why: z.string() })).optional(),
});
/** Where tests were not written by the run, they may be ones that no program can pass. */
const ReviewOrGiveUpSchema = ReviewSchema.extend({
  obstacle: Obstacle.optional(),
  obstacle_tests: z.array(z.string()).optional(),
});

interface ReviewWants {
  canGiveUp: boolean;
  hasProof: boolean;
  fallbackFile: string | undefined;
}

export function reviewForm({ canGiveUp, hasProof, fallbackFile }: ReviewWants) {
  const reading = readingOf<ReviewAnswer>((value, mismatch) => {
    const diagnosis = textOf(pick(value, "cause"));
    const plan = pick(value, "plan");
    if (diagnosis === "" && plan === undefined) mismatch("diagnosis", "the cause in words, and the plan beside it");
    const tests = readTests(value);
    const { data: kind } = Obstacle.safeParse(textOf(value.obstacle).toLowerCase());
    return {
      ...{ diagnosis, complete: textOf(value.complete).toLowerCase() === "true" },
      ...{ plan: normalizePlan(plan, fallbackFile), code: extractReviewCode(plan, fallbackFile) },
      ...(kind && { obstacle: { kind, tests: readNames(value.obstacle_tests) } }),
      ...readLedger(value),
      ...(tests && !faultIn(tests) && { tests }),
      ...readExcuses(value.cannot_matter),
    };
  });
  const schema = canGiveUp ? ReviewOrGiveUpSchema : ReviewSchema;
  return { schema: hasProof ? schema.extend(ProofSchema.shape) : schema, reading };
}

/** An amendment. An addition may be empty: that is an answer, and says that there is none. */
export const amendForm = {
  schema: z.object({
    diagnosis: z.string(),
    dk_addition: z.string().describe("at most 500 characters"),
    confidence: z.enum(["high", "medium", "low"]),
  }),
  reading: readingOf((value, mismatch) => {
    const addition = pick(value, "dk_addition");
    const confidence = textOf(pick(value, "confidence")).toLowerCase();
    if (addition === undefined && value.dk_addition !== null) mismatch("dk_addition", "text");
    if (!["low", "medium", "high"].includes(confidence)) mismatch("confidence", '"high", "medium" or "low"');
    return { diagnosis: textOf(pick(value, "diagnosis")), dk_addition: textOf(addition), confidence };
  }),
};

type Mismatch = (path: string, expected: string) => void;

/** A schema that reads an object; a place that does not fit is said with what was expected there. */
function readingOf<Answer>(read: (value: Loose, mismatch: Mismatch) => Answer): z.ZodType<Answer> {
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

function readPlan(value: Loose, mismatch: Mismatch, fallbackFile?: string): PlanEntry[] {
  const plan = normalizePlan(pick(value, "plan"), fallbackFile);
  if (plan.length === 0) mismatch("plan", "a list with at least one entry that names a file, none of them a test file");
  return plan;
}

function readNames(value: unknown): string[] {
  return (Array.isArray(value) ? value : [value]).map(textOf).filter((name) => name !== "");
}

function readLedger({ requirements }: Loose): { requirements?: Requirement[] } {
  const entries = (Array.isArray(requirements) ? requirements : []).filter(isLoose);
  const read = entries.map(({ statement, tests }) => ({ statement: textOf(statement), tests: readNames(tests ?? []) }));
  const found = read.filter(({ statement }) => statement !== "");
  return found.length > 0 ? { requirements: found } : {};
}

function readExcuses(value: unknown): Pick<ReviewAnswer, "cannot_matter"> {
  const entries = (Array.isArray(value) ? value : []).filter(isLoose);
  const read = entries.map(({ number, why }) => ({ number: Number(number), why: textOf(why) }));
  return read.length > 0 ? { cannot_matter: read.filter(({ why }) => why !== "") } : {};
}

function readTests(value: Loose): FileBlock | undefined {
  const found = pick(value, "tests");
  const one = Array.isArray(found) && found.length === 1 ? found[0] : found;
  if (typeof one === "string") return { path: "", content: one };
  const content = isLoose(one) ? pick(one, "content") : undefined;
  if (!isLoose(one) || typeof content !== "string") return undefined;
  const path = textOf(pick(one, "filename"));
  return { path: workspacePath(path) ?? path, content };
}

function faultIn({ content }: FileBlock): Parameters<Mismatch> | undefined {
  if (content.trim() === "") return ["tests.content", "the tests' text, which is not empty"];
  if (!content.includes(SECRET_MARK)) return undefined;
  const why = "which only stands where a value was taken out of what you were shown";
  return ["tests.content", `tests without '${SECRET_MARK}', ${why}`];
}

function faultOfName(path: string, fits: (path: string) => boolean, form: string): Parameters<Mismatch> | undefined {
  return workspacePath(path) !== undefined && fits(path) ? undefined : ["tests.filename", form];
}

function issueToText(issue: unknown): string {
  if (!isLoose(issue)) return textOf(issue);
  const [name, problem, fix] = (["test_name", "problem", "fix"] as const).map((key) => textOf(pick(issue, key)));
  return [name, problem, fix && `it must read: ${fix}`].filter((part) => part !== "").join(": ");
}
