// What controls runs and lies in the folder that is worked on: however it lies there, nothing that a model writes or a program
// does reaches it, and nothing of it is seen.

import { execFileSync } from "node:child_process";
import { lstatSync, mkdirSync, readFileSync, readlinkSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { workspaceSettings } from "@loopwright/workspace/settings";
import { describe, expect, it } from "vitest";
import { projectCells } from "../../packages/workspace/src/index.ts";
import { Folder } from "../fakes/cli.ts";
import { calm, fill, realSandbox, temporaryFolder } from "../fixtures/workspaces/workspace.ts";

/** A project that is its own workspace, with a cell on it as a run of the command line has one. */
async function open(prepare: (dir: string) => void, control: (dir: string) => string[] = () => []) {
  const dir = temporaryFolder();
  fill(dir, { "calc.py": "x = 1\n" });
  prepare(dir);
  const context = { dir, text: () => undefined, isSet: () => false, list: () => [] };
  const { sandbox: _, ...settings } = workspaceSettings(context, {}, { workspace: ".", control: control(dir) });
  const cell = await projectCells({ ...settings, sandbox: await realSandbox() })({ snapshot: undefined, signal: calm });
  return { dir, cell, ignore: settings.ignore };
}

/** Every way in that a model has: a block, a shell, a program. */
async function overwrite(cell: Awaited<ReturnType<typeof open>>["cell"], paths: readonly string[]): Promise<void> {
  await cell.writeFiles(paths.map((path) => ({ path, content: "hostile" })));
  const program = `import os, shutil\nfor p in ${JSON.stringify(paths)}:\n  for act in (lambda: os.remove(p), lambda: shutil.rmtree(p), lambda: os.makedirs(os.path.dirname(p) or "."), lambda: open(p, "w").write("hostile"), lambda: os.symlink("/etc", p), lambda: os.rename("calc.py", p), lambda: os.link("calc.py", p)):\n    try: act()\n    except OSError: pass\n`;
  await cell.runCommands([
    `python3 - <<'EOF'\n${program}\nEOF`,
    ...paths.map((path) => `rm -rf '${path}'; echo hostile > '${path}'`),
  ]);
  await cell.apply({ over: paths });
}

const whole = (dir: string) =>
  execFileSync(
    "sh",
    [
      "-c",
      "find . -not -path './.loopwright/*' -not -name calc.py -printf '%p %y %l\\n' | sort; find . -type f -not -path './.loopwright/*' -not -name calc.py -exec sha1sum {} + | sort",
    ],
    { cwd: dir, encoding: "utf8" },
  );

describe("what controls a run stays what it is", { timeout: 180_000 }, () => {
  it.each([
    [".env", "config/real.env"],
    ["loopwright.yaml", "config/loopwright.yaml"],
    ["runs", "data/runs"],
    ["prompts/models", "words/models"],
    [".env.local", "/nonexistent/elsewhere"],
  ])("%s, where it is a link to %s: the link and what it leads to", async (link, target) => {
    const { dir, cell } = await open((folder) => {
      if (!target.startsWith("/")) fill(folder, { [target.includes(".") ? target : `${target}/x.md`]: "mine\n" });
      mkdirSync(join(folder, link, ".."), { recursive: true });
      symlinkSync(target.startsWith("/") ? target : join(link.includes("/") ? ".." : ".", target), join(folder, link));
    });
    const before = whole(dir);
    const shown = await cell.readFiles();
    expect(shown.map(({ path }) => path)).toEqual(["calc.py"]);
    await overwrite(cell, [link, ...(target.startsWith("/") ? [] : [target])]);
    expect(lstatSync(join(dir, link)).isSymbolicLink()).toBe(true);
    expect(readlinkSync(join(dir, link))).toMatch(target.split("/").at(-1)!);
    expect(whole(dir)).toBe(before);
  });

  it("by names in another case, another form, or with what file systems drop", async () => {
    const { dir, cell } = await open((folder) => fill(folder, { ".env": "A_KEY=mine\n", "loopwright.yaml": "" }));
    const names = [
      ".ENV",
      ".Env",
      "LOOPWRIGHT.YAML",
      ".env.",
      ".env ",
      "./.env",
      "x/../.env",
      ".env/",
      "ｌoopwright.yaml",
      ".e\u200dnv",
      ".Loopwright/journal.db",
      ".LOOPWRIGHT/x",
      "RUNS/x/run.json",
      ".GIT/config",
      "sub/.git/hooks/post-checkout",
      ".git",
    ];
    const results = await cell.writeFiles(names.map((path) => ({ path, content: "hostile" })));
    expect(
      results
        .map(({ refused }, index) => refused ?? `${names[index]} was written`)
        .filter((words) => / was written$/.test(words)),
    ).toEqual([]);
    expect(readFileSync(join(dir, ".env"), "utf8")).toBe("A_KEY=mine\n");
  });

  it("in the repositories inside: hooks, settings and modules of git, whoever writes them", async () => {
    const { dir, cell } = await open((folder) => {
      for (const each of [folder, join(folder, "vendor/lib")]) {
        mkdirSync(each, { recursive: true });
        execFileSync("git", ["init", "-q", each]);
      }
      fill(folder, { "vendor/lib/a.c": "a", ".gitmodules": "" });
    });
    const before = whole(dir);
    await overwrite(cell, [
      ".git/hooks/post-checkout",
      ".git/config",
      "vendor/lib/.git/config",
      "vendor/lib/.git/hooks/x",
      ".git/modules/x/config",
    ]);
    expect(whole(dir)).toBe(before);
  });

  it("where it was not there at the start: none of it is made", async () => {
    const { dir, cell } = await open(() => {});
    await overwrite(cell, [
      ".env",
      "loopwright.yaml",
      "runs/x/run.json",
      ".loopwright/STOP",
      "prompts/models/critic.md",
    ]);
    for (const path of [".env", "loopwright.yaml", "runs", ".loopwright/STOP", "prompts/models"])
      expect(lstatSync(join(dir, path), { throwIfNoEntry: false }), path).toBeUndefined();
  });

  it("by a folder above it that becomes a file, a link, or another folder", async () => {
    const { dir, cell } = await open(
      (folder) => fill(folder, { "docs/task.md": "mine", "prompts/models/a.md": "mine", "docs/other.md": "o" }),
      (folder) => [join(folder, "docs/task.md")],
    );
    const before = whole(dir);
    await cell.runCommands([
      "rm -rf docs prompts; echo x > docs; ln -s /etc prompts",
      "mv docs docs2; mkdir docs; echo hostile > docs/task.md",
    ]);
    await cell.apply({ over: ["docs", "prompts", "docs/other.md", "docs/task.md"] });
    for (const path of ["docs/task.md", "prompts/models/a.md"])
      expect(readFileSync(join(dir, path), "utf8")).toBe("mine");
    expect(whole(dir)).toContain(before.split("\n").find((line) => line.includes("task.md"))!);
  });
});

describe("what a project runs with the user's rights", { timeout: 120_000 }, () => {
  it("is no part of the work: its own loops, and the scripts that its commands name", async () => {
    using at = new Folder();
    const files = {
      "calc.py": "x = 1\n",
      "tests/test_x.py": "def test_x(): pass\n",
      "loops/mine.ts": 'import { defineLoopPackage } from "loopwright";\nexport default defineLoopPackage({});\n',
      "bin/notify.sh": "#!/bin/sh\n",
      "bin/model.py": "print(1)\n",
      "loopwright.yaml":
        'loops: { mine: loops/mine.ts }\nnotify: { command: "./bin/notify.sh --loud" }\nendpoints: { own: { command: "python3 bin/model.py" } }\n',
    };
    for (const [path, text] of Object.entries(files)) await at.write(path, text);
    const ended = await at.cli("code fix --model lmstudio:m --workspace . --tests tests --dry-run --json");
    for (const path of ["bin/model.py", "bin/notify.sh", "loops/mine.ts"])
      expect(ended.stdout, ended.stderr).toContain(`"${path}"`);
  });
});
