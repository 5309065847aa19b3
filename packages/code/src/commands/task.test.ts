// What is understood of what was typed: the task, where it is done, and what is said of it at the start.

import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { WorkspaceSettings } from "@loopwright/workspace/settings";
import { describe, expect, it } from "vitest";
import { parseSections } from "../task-file.ts";
import { openingLines } from "./code.ts";
import { readTask, taskFiles, taskWords, usualWorkspace, withContext } from "./task-source.ts";

function folder(files: Readonly<Record<string, string>> = {}): string {
  const dir = mkdtempSync(join(tmpdir(), "code-task-"));
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(join(dir, path, ".."), { recursive: true });
    writeFileSync(join(dir, path), text);
  }
  return dir;
}

const typed = (dir: string, words?: string, flags: Readonly<Record<string, string>> = {}) => ({
  ...{ dir, arguments: words === undefined ? [] : Array.of(words), text: (flag: string) => flags[flag] },
});

describe("a task in words", () => {
  it("needs no task.md, and is not written anywhere", async () => {
    const context = typed(folder(), " fix the rounding in batch() ");
    const task = await readTask(context, taskFiles(context, {}));
    expect(task).toEqual({ task: "## Task\n\nfix the rounding in batch()\n" });
  });

  it("goes with the scope, the domain and the constraints of a task.md that has no task of its own", async () => {
    const text = "# Shop\n\n## Domain Knowledge\n\nCents are whole.\n\n## Constraints\n\nNo new dependency.\n";
    const context = typed(folder({ "task.md": text, "philosophy.md": "Be plain." }), "fix it");
    const { task, philosophy, task_file } = await readTask(context, taskFiles(context, {}));
    expect(parseSections(String(task))).toEqual({
      ...{ task: "fix it", scope: "", knowledge: "Cents are whole.", constraints: "No new dependency." },
    });
    expect({ philosophy, task_file }).toEqual({ philosophy: "Be plain.", task_file: undefined });
  });

  it("is refused beside a task file that says another", () => {
    expect(() => withContext("fix it", "# Shop\n\n## Task\n\nWrite a shop.\n", "task.md")).toThrow(
      /task\.md has a task of its own, and another one is said in words/,
    );
    expect(() => withContext("fix it", "Write a shop.", "task.md")).toThrow(/has a task of its own/);
  });

  it("is refused where it is empty, or a folder that --project was meant for", () => {
    expect(() => taskWords({ arguments: ["  "] })).toThrow(/the task is empty/);
    expect(() => taskWords({ arguments: [folder()] })).toThrow(/is a folder/);
  });

  it("is missed where there is no task.md either, and both ways are named", () => {
    expect(() => taskFiles(typed(folder()), {})).toThrow(/there is no .*task\.md/);
    expect(() => taskFiles(typed(folder(), "fix it", { task: "gone.md" }), {})).toThrow(/--task: there is no/);
  });
});

describe("the usual workspace", () => {
  it.each([
    ["a program", { "src/deep/a.py": "" }, "fix it", "."],
    ["what builds one", { "go.mod": "" }, "fix it", "."],
    ["nothing", {}, "write it", "workspace"],
    [
      "only what a project has",
      { "task.md": "", "loopwright.yaml": "", "workspace/a.py": "", ".x/a.py": "" },
      "fix",
      "workspace",
    ],
    ["a program, and a task file", { "a.py": "" }, undefined, "workspace"],
  ])("of a folder with %s", (_, files, words, expected) => {
    expect(usualWorkspace(folder(files), words)).toBe(expected);
  });
});

describe("the start", () => {
  const settings: WorkspaceSettings = {
    ...{ workspace: "/w", state: "/s", tests: [], heldOut: [], ignore: [], sandbox: "bwrap" },
  };
  const modelOf = (role: string) => ({ name: role === "consultant" ? "a:big" : "a:small" });

  it("says the task, the workspace, the tests, the models and where the result goes", () => {
    const task = "# Shop\n\n## Task\n\nFix the rounding.\nIt is wrong.\n";
    expect(openingLines({ task, file: "/p/task.md", settings, given: 0, modelOf: () => ({ name: "a:b" }) })).toEqual([
      "task       Fix the rounding. (/p/task.md)",
      "workspace  /w",
      "tests      the workspace's own, and new ones",
      "models     a:b",
      "result     your files, once the run is done",
    ]);
  });

  it("names each role's model where they differ, a branch, a patch, held-out tests and a missing sandbox", () => {
    const other = { ...settings, heldOut: ["h"], runner: "vitest" as const, branch: "fix", sandbox: "none" as const };
    const lines = openingLines({ task: "Fix it.", file: undefined, settings: other, given: 2, modelOf });
    expect(lines).toEqual([
      "task       Fix it.",
      "workspace  /w",
      "tests      2 given files, and held-out ones that decide, run by vitest",
      "models     implementer a:small, reviewer a:small, consultant a:big",
      "result     the new branch fix; your files stay as they are",
      "WITHOUT A SANDBOX: generated programs run with your rights",
    ]);
    const patch = openingLines({
      task: "x",
      file: undefined,
      settings: { ...settings, patch: true },
      given: 1,
      modelOf,
    });
    expect(patch).toContain("result     a patch in the run's folder; your files stay as they are");
  });
});
