// The evidence of a result, gathered in the real sandbox, and run again on a clean checkout.

import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { memoryEngine, type Scripted, scriptedModels } from "@loopwright/core/testing";
import { projectCells } from "@loopwright/workspace";
import { hunksOf } from "@loopwright/workspace/hunks";
import { describe, expect, it } from "vitest";
import { artifactOf, begin, notesOf, reviewOf } from "../../../../test/fakes/code-runs.ts";
import { bwrap } from "../../../../test/sandbox/bwrap-works.ts";
import { applyEdit } from "../mutants/mutants.ts";
import type { CodeTask } from "../task.ts";
import { replayBundle, type Stage } from "./replay.ts";
import { listTrials } from "./trials.ts";

describe("hunks", () => {
  it.each([
    ["a\nb\nc\n", "a\nx\nc\n"],
    ["a\nb\nc\n", "a\nb\nnew\nc\nmore\n"],
    ["a\nb\nc\n", "b\n"],
    ["", "a\nb\n"],
    ["a\nb", "a\nb\nc"],
    ["a\nb\nc\nd\n", "x\nb\nd\ne\n"],
  ])("of %j to %j are each taken out alone, and all together give back what was", (before, after) => {
    const hunks = hunksOf(before, after);
    for (const hunk of hunks) expect(applyEdit(after, hunk)).not.toBe(after);
    expect(hunks.toReversed().reduce((text, hunk) => applyEdit(text, hunk), after)).toBe(before);
  });

  it("of comments, docstrings and types alone are not tried", async () => {
    const none = {
      path: "a.py",
      before: "def f():\n    return 1\n",
      after: 'def f():\n    """One."""\n    # one\n    return 1\n',
    };
    const types = { path: "a.ts", before: "export const a = 1;\n", after: "type A = 1;\nexport const a: A = 1;\n" };
    expect((await listTrials([none, types])).filter(({ kind }) => kind === "hunk")).toEqual([]);
  });
});

const repository = {
  "stay.py": "def cost(nights, rate):\n    return nights * rate\n",
  "test_stay.py": "from stay import cost\n\ndef test_cost():\n    assert cost(2, 10) == 20\n",
};
const task = "## Task\n\nFrom 7 nights on a stay costs a tenth less, and a child under 3 stays for nothing.\n";
const weak =
  "from stay import cost\n\ndef test_week():\n    assert cost(10, 10) == 90\n\ndef test_short():\n    assert cost(2, 5) == 10\n";
const strong = `${weak}\ndef test_edges():\n    assert cost(7, 10) == 63\n    assert cost(6, 10) == 60\n`;
const entry = { file: "stay.py", action: "the discount", functions: [] };
const planned = (content: string, requirements?: unknown) => ({
  json: {
    target_tests: [],
    tests: { filename: "test_week.py", content },
    plan: [entry],
    ...(requirements ? { requirements } : {}),
  },
});
const change =
  "APPROACH: a discount\n===EDIT: stay.py===\n<<<<<<< SEARCH\n    return nights * rate\n=======\n    if nights >= 7:\n        return nights * rate * 9 // 10\n    return nights * rate\n>>>>>>> REPLACE\n===END EDIT===\n";
const ledger = [
  { statement: "from 7 nights on a tenth less", tests: ["test_week"] },
  { statement: "a child under 3 stays for nothing", tests: [] },
];

function makeRepository(files: Readonly<Record<string, string>> = repository): string {
  const workspace = join(mkdtempSync(join(tmpdir(), "code-proof-")), "stay");
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(workspace, path)), { recursive: true });
    writeFileSync(join(workspace, path), text);
  }
  const git = (...args: string[]) =>
    execFileSync("git", ["-C", workspace, "-c", "user.name=A", "-c", "user.email=a@b.c", ...args]);
  git("init", "-q");
  git("add", "-A");
  git("commit", "-qm", "stays");
  return workspace;
}

async function run(script: Readonly<Record<string, readonly Scripted[]>>, input: Partial<CodeTask> = {}) {
  const workspace = makeRepository();
  const scripted = scriptedModels({ "implement-change": [change], review: [reviewOf("nothing")], ...script });
  const cells = projectCells({ workspace, state: `${workspace}-state`, sandbox: bwrap! });
  const test = memoryEngine({ models: scripted.models, workcells: { project: cells } });
  return {
    workspace,
    scripted,
    test,
    ended: await begin(test, { task, proof_budget: 100, ...input }, { ceilings: { iterations: 4 } }),
  };
}

async function bundleOf(test: Awaited<ReturnType<typeof run>>["test"], id: string) {
  const names = [
    "proof.json",
    "change.patch",
    "before.xml",
    "after.xml",
    "mutants.json",
    "requirements.md",
    "proof.md",
  ];
  const texts = await Promise.all(names.map((name) => artifactOf(test, id, `attempt-000/proof/${name}`)));
  return Object.fromEntries(names.map((name, at) => [name, texts[at]!]));
}

function stageAt(folder: string): Stage {
  const state = mkdtempSync(join(tmpdir(), "code-replay-"));
  return {
    ...{ folder, gitDir: join(state, "snapshots.git") },
    open: (snapshot) =>
      projectCells({ workspace: folder, state, sandbox: bwrap! })({ snapshot, signal: new AbortController().signal }),
  };
}

describe.skipIf(!bwrap)("a result (skipped where bwrap does not work)", { timeout: 300_000 }, () => {
  it("is partly shown where a wrong version passes and a statement has no test, and the reviewer is told which", async () => {
    const { test, scripted, ended } = await run({ "plan-change": [planned(weak, ledger)] });
    expect(ended.outcome).toBe("done");
    const [note] = (await notesOf(test, ended.run, "proof")) as { word: string; words: string }[];
    expect(note).toMatchObject({ word: "partly shown" });
    expect(note!.words).toContain('">=" becomes ">"');
    expect(note!.words).toContain("a child under 3 stays for nothing");
    const asked = scripted.asked("review")[0]!.text;
    expect(asked).toMatch(/1\. no test notices: stay\.py:2: .*/);
    expect(asked).toContain("a child under 3 stays for nothing: no test");
  });

  it("is shown once the reviewer has added tests that notice, or has said why it cannot matter", async () => {
    const review = {
      json: {
        diagnosis: "nothing",
        complete: true,
        plan: [],
        tests: { filename: "test_week.py", content: strong },
        requirements: ledger.slice(0, 1),
      },
    };
    const { test, ended } = await run({ "plan-change": [planned(weak, ledger)], review: [review] });
    expect(ended).toMatchObject({ outcome: "done", iterations: 1 });
    expect(await notesOf(test, ended.run, "proof")).toMatchObject([{ word: "partly shown" }, { word: "shown" }]);
  });

  it("leaves a bundle that holds on a clean clone, and in which nothing can be changed", async () => {
    const { test, workspace, ended } = await run({ "plan-change": [planned(strong, ledger.slice(0, 1))] });
    const bundle = await bundleOf(test, ended.run);
    expect(JSON.parse(bundle["proof.json"]!)).toMatchObject({
      _type: "https://in-toto.io/Statement/v1",
      predicateType: "https://in-toto.io/attestation/test-result/v0.1",
      predicate: { result: "PASSED", loopwright: { word: "shown" } },
    });
    expect(bundle["proof.md"]).toContain("# Shown");
    const clone = `${workspace}-clone`;
    execFileSync("git", ["clone", "-q", workspace, clone]);
    const again = await replayBundle(bundle, stageAt(clone));
    expect(again).toMatchObject({ word: "shown", refusals: [] });
    expect(again.lines.length).toBeGreaterThan(5);
    const refusalsOf = async (changed: Record<string, string>) =>
      (await replayBundle({ ...bundle, ...changed }, stageAt(clone))).refusals;
    expect(await refusalsOf({ "change.patch": bundle["change.patch"]!.replace("* 9", "* 8") })).toEqual([
      "change.patch was changed: it is not what this was shown of",
    ]);
    expect(await refusalsOf({ "proof.json": bundle["proof.json"]!.replace('"PASSED"', '"FAILED"') })).toEqual([
      "proof.json does not say what follows from the recorded results",
    ]);
  });
});
