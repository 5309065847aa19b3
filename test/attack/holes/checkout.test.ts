// What a run of `code` in the user's own repository does to it before it is done: nothing, however it ends, whatever the user
// does meanwhile, and whoever else runs there. With the real binary.

import { execFileSync } from "node:child_process";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { Folder, lastLine } from "../../fakes/cli.ts";
import { bwrap } from "../../sandbox/bwrap-works.ts";
import { asking, command, file, scriptedModel } from "./model.ts";

const wrong = "def add(a, b):\n    return a - b\n";
const right = "def add(a, b):\n    return a + b\n";
const tests = "from calc import add\n\n\ndef test_add():\n    assert add(1, 2) == 3\n";

/** A repository with a staged, an unstaged, an untracked and an ignored change. */
function repository(more: Record<string, string> = {}): Folder {
  const at = new Folder();
  const put = (files: Record<string, string>) => {
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(join(at.dir, path, ".."), { recursive: true });
      writeFileSync(join(at.dir, path), text);
    }
  };
  const git = (...args: string[]) =>
    execFileSync("git", ["-c", "user.name=x", "-c", "user.email=x@x", ...args], { cwd: at.dir });
  put({
    "notes.txt": "first\n",
    "old.txt": "old\n",
    "test_calc.py": tests,
    ".gitignore": "node_modules/\n",
    ...more,
  });
  git("init", "-q", "-b", "trunk");
  git("add", "-A");
  git("commit", "-qm", "first");
  put({
    "staged.txt": "staged\n",
    "notes.txt": "changed\n",
    "node_modules/dep/index.js": "dep\n",
  });
  git("add", "staged.txt");
  put({ "untracked.txt": "untracked\n", "task.md": "# Task\n\nWrite `calc.py` with `add(a, b)`.\n" });
  return at;
}

/** Every byte of the user's, git's included. */
const bytes = (at: Folder) => {
  const all =
    "find . -path ./.loopwright -prune -o -path ./runs -prune -o -type f -exec sha256sum {} + -o -printf '%p %y %m\\n' | sort";
  return execFileSync("sh", ["-c", all], { cwd: at.dir, encoding: "utf8" });
};

const code = ["code", "--workspace", ".", "--tests", "test_calc.py"];

/** Calls a function as soon as the model is asked for its nth program, which waits for it. */
function atRequest(server: Awaited<ReturnType<typeof scriptedModel>>, nth: number, act: () => void): void {
  const answer = server.otherwise as Extract<typeof server.otherwise, (...args: never[]) => unknown>;
  let isOver = false;
  server.otherwise = (request) => {
    const reply = answer(request);
    if (!isOver && server.shown.length === nth) {
      isOver = true;
      act();
    }
    return reply;
  };
}

describe.skipIf(!bwrap)("the user's repository (skipped where bwrap does not work)", { timeout: 180_000 }, () => {
  it("is as it was after a kill and at a ceiling, which names the command for what was reached; undo takes that back", async () => {
    using at = repository({ "calc.py": wrong });
    const harm =
      "echo x > node_modules/dep/index.js; echo x >> .git/config; echo x > .git/hooks/pre-commit; rm -f old.txt";
    const answers = [
      file("calc.py", `${wrong}\n# tried\n`) + file("made.py", "x = 1\n") + command(harm),
      file("calc.py", `${wrong}\n# tried again\n`),
    ];
    await using server = await scriptedModel({ program: "calc.py", answers });
    const before = bytes(at);
    const started = at.start([...code, ...asking(server)]);
    atRequest(server, 2, () => started.send("SIGKILL"));
    expect((await started.ended).signal).toBe("SIGKILL");
    expect(bytes(at)).toBe(before);
    const run = at.runs()[0]!;
    const ended = await at.cli(["resume", run, "--max-iterations", "2"]);
    expect(ended, ended.stderr).toMatchObject({ code: 3 });
    expect(bytes(at)).toBe(before);
    expect(ended.stdout).toContain(`loopwright apply ${run}`);
    expect(await at.cli(["apply", run])).toMatchObject({ code: 0 });
    expect(at.read("calc.py")).toContain("# tried");
    expect(await at.cli(["undo", run])).toMatchObject({ code: 0 });
    expect(bytes(at)).toBe(before);
  });

  it("keeps what the user edits, makes and removes meanwhile, also where the run goes back to what was best", async () => {
    using at = repository({ "test_calc.py": `${tests}\n\ndef test_zero():\n    assert add(0, 0) == 0\n` });
    const answers = [file("calc.py", wrong), file("calc.py", "def add(a, b):\n    return 7\n")];
    await using server = await scriptedModel({ program: "calc.py", answers });
    atRequest(server, 2, () => {
      writeFileSync(join(at.dir, "notes.txt"), "mine\n");
      writeFileSync(join(at.dir, "mine.txt"), "mine\n");
      rmSync(join(at.dir, "old.txt"));
    });
    const ended = await at.cli([...code, "--max-iterations", "2", ...asking(server)]);
    expect(lastLine(ended), ended.stderr).toMatchObject({ outcome: "ceiling" });
    const theirs = () => [at.read("notes.txt"), at.has("mine.txt") && at.read("mine.txt"), at.has("old.txt")];
    expect(theirs()).toEqual(["mine\n", "mine\n", false]);
    expect(await at.cli(["apply", at.runs()[0]!])).toMatchObject({ code: 0 });
    expect(theirs()).toEqual(["mine\n", "mine\n", false]);
    expect(at.read("calc.py")).toBe(wrong);
  });

  it("is asked about where the user has changed the same file, and theirs stays by default; undo takes the rest back", async () => {
    using at = repository({ "calc.py": wrong });
    await using server = await scriptedModel({ program: "calc.py", answers: [file("calc.py", right)] });
    const mine = `# mine\n${wrong}`;
    atRequest(server, 1, () => writeFileSync(join(at.dir, "calc.py"), mine));
    const ended = await at.cli([...code, ...asking(server)]);
    expect(lastLine(ended), ended.stderr).toMatchObject({ type: "gate-opened", name: "conflict", default: "keep" });
    expect(at.read("calc.py")).toBe(mine);
    const run = at.runs()[0]!;
    await at.cli(`answer ${run} take`);
    expect(await at.cli(`resume ${run}`)).toMatchObject({ code: 0 });
    expect(at.read("calc.py")).toBe(right);
    const fields = { run, written: ["calc.py"], conflicts: [], dryRun: false };
    expect(await at.document(`apply ${run} --dry-run`)).toMatchObject({
      type: "apply",
      ...fields,
      written: [],
      dryRun: true,
    });
    expect(await at.document(`undo ${run}`)).toMatchObject({ type: "undo", ...fields });
    expect(at.read("calc.py")).toBe(mine);
  });

  it("is worked on by two runs at once that do not meet", async () => {
    using at = repository({ "test_other.py": "" });
    const one = `import os\n${right}\nassert not os.path.exists("other.py"), "they met"\n`;
    const other = `import os, time\ntime.sleep(1)\nassert not os.path.exists("calc.py"), "they met"\n\n\ndef twice(a):\n    return 2 * a\n`;
    writeFileSync(
      join(at.dir, "test_other.py"),
      "from other import twice\n\n\ndef test_twice():\n    assert twice(2) == 4\n",
    );
    await using first = await scriptedModel({ program: "calc.py", answers: [file("calc.py", one)] });
    await using second = await scriptedModel({ program: "other.py", answers: [file("other.py", other)] });
    const ends = await Promise.all([
      at.cli([...code, ...asking(first)]),
      at.cli(["code", "--workspace", ".", "--tests", "test_other.py", ...asking(second)]),
    ]);
    for (const ended of ends) expect(lastLine(ended), ended.stderr).toMatchObject({ outcome: "done" });
    expect([at.read("calc.py"), at.read("other.py")]).toEqual([one, other]);
  });
});
