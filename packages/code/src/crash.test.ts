// A run through the whole ladder, killed before and after every one of its commits: the same end, the same workspace, the
// same task file, and no request whose answer is on record is sent again (L1, L2).

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { InfrastructureError } from "@loopwright/core";
import { describe, expect, it } from "vitest";
import { amendmentOf, begin, planFor, program, scriptOf, taskText, testsFor } from "../../../test/fakes/code-runs.ts";
import { Crash, doomed, type Fate, memoryEngine, runOf, type TestEngine } from "../../../test/fakes/engine.ts";
import { fakeProject } from "../../../test/fakes/project-cell.ts";
import { scriptedModels } from "../../../test/fakes/scripted-model.ts";
import { code } from "./index.ts";

/** Fast retry at three phases, corrected tests, a refused block, mending, hint, consultant, amendment, re-plan, done. */
const script = scriptOf({
  plan: ["no plan yet", { json: planFor("alpha", "beta") }, { json: planFor("alpha", "gamma", "delta") }],
  implement: [
    program("SYNTAX ERROR"),
    "nothing of use",
    `${program("alpha")}\n===FILE: test_calc.py===\nx\n===END FILE===\n===CMD===\nls\n===END CMD===\n`,
    program("alpha"),
    program("alpha"),
    program("alpha"),
    program("alpha"),
    program("alpha gamma delta"),
  ],
  mend: [program("alpha mended")],
  audit: [
    { json: { tests_correct: false, issues: [], tests: { filename: "", content: testsFor("alpha", "gamma") } } },
    "?",
    { json: { tests_correct: true, issues: [] } },
  ],
  amend: [amendmentOf("The words are gamma and delta.")],
});

interface World {
  survivor: TestEngine;
  task_file: string;
  project: ReturnType<typeof fakeProject>;
  scripted: ReturnType<typeof scriptedModels>;
  ports: {
    models: ReturnType<typeof scriptedModels>["models"];
    workcells: { project: ReturnType<typeof fakeProject>["cells"] };
  };
}

function world(folder: string): World {
  const task_file = join(folder, "task.md");
  writeFileSync(task_file, taskText);
  const project = fakeProject({ "AGENTS.md": "be kind" });
  const scripted = scriptedModels(script);
  const ports = { models: scripted.models, workcells: { project: project.cells } };
  return { survivor: memoryEngine(ports), task_file, project, scripted, ports };
}

/** What must be the same however often a run was killed. */
async function outcomeOf({ survivor, task_file, project }: World, run: string) {
  const { outcome, reason, iterations, state } = await survivor.engine.resume(code, run);
  const saved = (await survivor.chain(run)).flatMap((event) =>
    event.type === "artifact-saved" ? [event.artifact] : [],
  );
  const files = new Map(saved.map(({ path, digest }) => [path, digest]));
  return { outcome, reason, iterations, state, files, task: readFileSync(task_file, "utf8"), workspace: project.files };
}

/** The keys of the model calls that are on record. */
async function recordedCalls({ survivor, scripted }: World, run: string): Promise<Set<string>> {
  const finished = (await survivor.chain(run)).filter(
    (event) => event.type === "effect-finished" && event.key.endsWith("/ask"),
  );
  return new Set(scripted.sent.slice(0, finished.length).map(({ key }) => key));
}

/** Notes which events begin a commit: those of one commit are written together or not at all. */
function commitStarts(): { fate: Fate; starts: number[] } {
  const starts: number[] = [];
  let [count, isOpen] = [0, false];
  const fate: Fate = () => {
    count += 1;
    if (!isOpen) starts.push(count);
    isOpen = true;
    queueMicrotask(() => {
      isOpen = false;
    });
    return undefined;
  };
  return { fate, starts };
}

describe("a run that is killed", () => {
  it("before or after any of its commits ends the same, and sends no recorded request again", {
    timeout: 600_000,
  }, async () => {
    const folder = mkdtempSync(join(tmpdir(), "code-crash-"));
    const whole = world(folder);
    const { fate: counting, starts } = commitStarts();
    const given = { task_file: whole.task_file, philosophy: "Be brief." };
    const { run: first } = await begin(doomed(whole.survivor, counting, whole.ports), given);
    const expected = await outcomeOf(whole, first);
    expect(expected).toMatchObject({ outcome: "done", state: { plan_generation: 2, original_test_count: 3 } });
    expect(expected.task).toContain("[Auto-DK iteration");
    expect(new Set(whole.scripted.sent.map(({ id }) => id)).size).toBe(6);
    expect(starts.length).toBeGreaterThan(100);

    // The first commit makes the run; before it there is none.
    const deaths = starts.flatMap((nth) =>
      nth === 1
        ? []
        : [
            { nth, side: "before" as const },
            { nth, side: "after" as const },
          ],
    );
    for (const { nth, side } of [{ nth: 1, side: "after" as const }, ...deaths]) {
      const at = world(folder);
      let count = 0;
      const dying = doomed(at.survivor, () => (++count === nth ? side : undefined), at.ports);
      await expect(begin(dying, given), `killed ${side} event ${nth}`).rejects.toThrow(Crash);
      const run = await runOf(at.survivor);
      const recorded = await recordedCalls(at, run);
      const before = at.scripted.sent.length;
      expect(await outcomeOf(at, run), `killed ${side} event ${nth}`).toEqual(expected);
      const again = at.scripted.sent.slice(before).filter(({ key }) => recorded.has(key));
      expect(again, `killed ${side} event ${nth}`).toEqual([]);
      expect(new Set(at.scripted.sent.map(({ key }) => key)).size).toBe(whole.scripted.sent.length);
    }
    console.log(`kill points tried: ${deaths.length + 1}`);
    rmSync(folder, { recursive: true });
  });
});

describe("a workcell that is lost", () => {
  it("is restarted from the snapshot, and no model hears of it (E0)", async () => {
    const at = world(mkdtempSync(join(tmpdir(), "code-lost-")));
    let lost = 0;
    at.project.beforeTests = () => {
      if (++lost === 3) throw new InfrastructureError("SANDBOX_GONE", "the sandbox does not answer");
    };
    const { outcome, run } = await begin(at.survivor, { task_file: at.task_file });
    expect(outcome).toBe("done");
    expect(await at.survivor.types(run)).toContain("workcell-restarted");
    for (const { text } of at.scripted.sent) expect(text).not.toContain("does not answer");
  });
});
