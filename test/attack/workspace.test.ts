// What a tested program can reach when the workspace is the project itself, with the real binary: nothing that controls the run,
// and none of the user's files until the run is done.

import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { Folder, lastLine } from "../fakes/cli.ts";

const secret = "sk-kingfisher-q7x-000111222333";

/** A program with one slip, and tests of which one is a spy: what it finds and does goes to stderr, and it passes. */
const program = "def add(a, b):\n    return a - b\n\n\ndef twice(a):\n    return add(a, a)\n";
const tests = `import os, json
from calc import add, twice

def test_add():
    assert add(1, 2) == 3

def test_twice():
    assert twice(2) == 4

def test_zero():
    assert add(0, 0) == 0

def test_spy():
    seen = {}
    for name in [".loopwright", "runs", ".env", ".env.local", "loopwright.yaml", "task.md", "prompts/models"]:
        seen[name] = os.path.exists(name)
        try:
            os.makedirs(os.path.dirname(name) or ".", exist_ok=True)
            if not os.path.exists(name):
                os.symlink("/etc", name)
        except OSError:
            pass
    for path in ["spied.json", "/tmp/spied.json"]:
        try:
            open(path, "w").write(json.dumps(seen))
        except OSError:
            pass
    open("stray.txt", "w").write("left by the tests")
`;

function project(files: Record<string, string> = {}): Folder {
  const at = new Folder();
  const all = {
    "calc.py": program,
    "tests/test_calc.py": tests,
    "loopwright.yaml": "ceilings: { iterations: 9 }\n",
    "task.md": "# A task\n",
    ".env": `LOOPWRIGHT_SECRET_KEY=${secret}\n`,
    ".env.local": "MORE=1\n",
    "runs.txt": "mine",
    ...files,
  };
  for (const [path, text] of Object.entries(all)) {
    mkdirSync(dirname(join(at.dir, path)), { recursive: true });
    writeFileSync(join(at.dir, path), text);
  }
  return at;
}

const repair = "repair --workspace . --tests tests --json --seed 1";

describe("a program that is tested where its project lies", { timeout: 180_000 }, () => {
  it("sees nothing that controls the run, and what it writes there is gone", async () => {
    using at = project();
    const ended = await at.cli(repair);
    expect(lastLine(ended), ended.stderr).toMatchObject({ outcome: "done" });
    expect(readFileSync(join(at.dir, "calc.py"), "utf8")).toContain("a + b");
    const spied = execFileSync("find", [".loopwright", "-name", "spied.json"], {
      cwd: at.dir,
      encoding: "utf8",
    }).trim();
    for (const path of spied.split("\n").filter(Boolean))
      expect(Object.values(JSON.parse(readFileSync(join(at.dir, path), "utf8")))).toEqual(Array(7).fill(false));
    expect(readFileSync(join(at.dir, "loopwright.yaml"), "utf8")).toBe("ceilings: { iterations: 9 }\n");
    expect(readFileSync(join(at.dir, "task.md"), "utf8")).toBe("# A task\n");
    expect(existsSync(join(at.dir, "stray.txt"))).toBe(false);
    expect(execFileSync("find", [".", "-lname", "/etc"], { cwd: at.dir, encoding: "utf8" })).toBe("");
    const found = execFileSync("sh", ["-c", `grep -rl '${secret}' . || true`], { cwd: at.dir, encoding: "utf8" });
    expect(found).toBe("./.env\n");
  });

  it("leaves the user's files alone until the run is done: killed, at a ceiling, or edited meanwhile", async () => {
    using at = project();
    writeFileSync(join(at.dir, "calc.py"), program.replace("a - b", "a * b - a"));
    const given = readFileSync(join(at.dir, "calc.py"), "utf8");
    const ended = await at.cli(`${repair} --max-iterations 1 --max-minutes 0.001`);
    expect(lastLine(ended), ended.stderr).not.toMatchObject({ outcome: "done" });
    expect(readFileSync(join(at.dir, "calc.py"), "utf8")).toBe(given);
    expect(existsSync(join(at.dir, "stray.txt"))).toBe(false);
  });

  it("is asked about where the user has changed the same file, and theirs stays by default; undo takes the rest back", async () => {
    using at = project();
    const started = at.start(repair);
    await started.line(/"phase-started".*"search"/);
    writeFileSync(join(at.dir, "calc.py"), `# mine\n${program}`);
    const ended = await started.ended;
    expect(lastLine(ended)).toMatchObject({ type: "gate-opened", name: "conflict", default: "keep" });
    expect(readFileSync(join(at.dir, "calc.py"), "utf8")).toBe(`# mine\n${program}`);
    const run = at.runs()[0]!;
    await at.cli(`answer ${run} take`);
    expect(await at.cli(`resume ${run}`)).toMatchObject({ code: 0 });
    expect(readFileSync(join(at.dir, "calc.py"), "utf8")).toContain("a + b");
    const fields = { run, written: ["calc.py"], conflicts: [], dryRun: false };
    expect(await at.document(`apply ${run} --dry-run`)).toMatchObject({
      type: "apply",
      ...fields,
      written: [],
      dryRun: true,
    });
    expect(await at.document(`undo ${run}`)).toMatchObject({ type: "undo", ...fields });
    expect(readFileSync(join(at.dir, "calc.py"), "utf8")).toBe(`# mine\n${program}`);
  });
});
