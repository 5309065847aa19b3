// Runs of the code loop with scripted answers and a workspace in memory.

import { CodeTask, code } from "@loopwright/code";
import type { StampedEvent, StartOptions } from "@loopwright/core";
import {
  memoryEngine,
  type Scripted,
  type ScriptedModels,
  scriptedModels,
  type TestEngine,
} from "@loopwright/core/testing";
import { type FakeProject, fakeProject } from "./project-cell.ts";

/** A test file in which each word is a test of its own: it passes once the program holds the word. */
export function testsFor(...words: string[]): string {
  return words.map((word) => `def test_${word}():\n    assert has("${word}")\n`).join("\n");
}

export const planEntry = {
  file: "calc.py",
  action: "create",
  functions: [{ name: "f", signature: "def f()", pseudocode: "return it" }],
};

/** A plan with a test for each word. */
export function planFor(...words: string[]) {
  return { tests: { filename: "test_calc.py", content: testsFor(...words) }, plan: [planEntry] };
}

/** An implementer's answer: a program that is nothing but this text. */
export function program(text: string, approach = text): string {
  return `APPROACH: ${approach}\n===FILE: calc.py===\n${text}\n===END FILE===\n`;
}

export const rightTests: Scripted = { json: { tests_correct: true, issues: [] } };

/** A review with this diagnosis, which leaves the plan as it is; "nothing" says that the program is complete. */
export function reviewOf(diagnosis: string): Scripted {
  return { json: { diagnosis, complete: diagnosis === "nothing", plan: [planEntry] } };
}

/** An amendment. */
export function amendmentOf(dk_addition: string, confidence = "high"): Scripted {
  return { json: { diagnosis: "the task does not say it", dk_addition, confidence } };
}

/** A script whose prompts all have an answer; a test gives those that matter to it. */
export function scriptOf(given: Readonly<Record<string, readonly Scripted[]>> = {}) {
  return {
    plan: [{ json: planFor("alpha", "beta") }],
    implement: [program("alpha")],
    audit: [rightTests],
    review: [reviewOf("something is missing")],
    "plan-change": [{ json: { target_tests: [], ...planFor("alpha", "beta") } }],
    "implement-change": [program("alpha")],
    amend: [amendmentOf("beta is a word")],
    mend: [program("alpha")],
    ...given,
  };
}

export interface CodeRun {
  test: TestEngine;
  scripted: ScriptedModels;
  project: FakeProject;
  start(options?: StartOptions): ReturnType<typeof begin>;
}

export interface CodeRunOptions {
  script?: Readonly<Record<string, readonly Scripted[]>>;
  task?: Partial<CodeTask>;
  project?: FakeProject;
}

/** An engine with a script and a workspace; `start` begins the run. */
export function codeRun({ script, task, project = fakeProject() }: CodeRunOptions = {}): CodeRun {
  const scripted = scriptedModels(scriptOf(script));
  const test = memoryEngine({ models: scripted.models, workcells: { project: project.cells } });
  return { test, scripted, project, start: (options) => begin(test, task, options) };
}

export const taskText =
  "# Words\n\n## Task\n\nSay the words.\n\n## Domain Knowledge\n\nWords matter.\n\n## Constraints\n\nNone.\n";

/** Starts a run of the code loop; what it is worth is proved where a test asks for it. */
export function begin(test: TestEngine, task: Partial<CodeTask> = {}, options: StartOptions = {}) {
  return test.engine.start(code, CodeTask.parse({ task: taskText, proof_budget: 0, ...task }), { seed: 1, ...options });
}

/** The notes that a run left under a name, in order. */
export async function notesOf(test: TestEngine, run: string, name: string): Promise<unknown[]> {
  const chain = await test.chain(run);
  return chain.flatMap((event) => (event.type === "loop-noted" && event.name === name ? [event.data] : []));
}

/** The codes of the warnings that a run left, in order. */
export async function warningsOf(test: TestEngine, run: string): Promise<string[]> {
  return ((await notesOf(test, run, "warning")) as { code: string }[]).map(({ code: each }) => each);
}

/** The phases that a run went through, in order. */
export async function phasesOf(test: TestEngine, run: string): Promise<string[]> {
  const finished = (event: StampedEvent) => (event.type === "phase-finished" ? [event.phase] : []);
  return (await test.chain(run)).flatMap(finished);
}

/** The text of an artifact; the last one that was saved under its path. */
export async function artifactOf(test: TestEngine, run: string, path: string): Promise<string> {
  const saved = (await test.chain(run)).flatMap((event) => (event.type === "artifact-saved" ? [event.artifact] : []));
  const found = saved.findLast((artifact) => artifact.path === path);
  if (!found) throw new Error(`${path} was not saved; there are ${saved.map((each) => each.path).join(", ")}`);
  return Buffer.from(await test.ports.store.get(found.digest)).toString();
}
