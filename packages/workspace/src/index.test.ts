import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { WorkcellPool } from "@loopwright/core";
import { openSandbox } from "@loopwright/sandbox";
import { describe, expect, it } from "vitest";
import { calm, fill, openBench, temporaryFolder } from "../../../test/fixtures/workspaces/workspace.ts";
import { type ProjectCell, projectCells, readTests } from "./index.ts";
import type { TestReport } from "./options.ts";

const states = ({ tests }: TestReport) => Object.fromEntries(tests.map(({ name, state }) => [name, state]));
const test = "from add import add\n\ndef test_add():\n    assert add(1, 2) == 3\n";
const right = "def add(a, b):\n    return a + b\n";
const wrong = "def add(a, b):\n    return a - b\n";

describe("the project workcell", () => {
  it("goes from an empty workspace to green: tests, a wrong answer, a right one", async () => {
    const { cell, folder } = await openBench();
    expect(await cell.listFiles()).toEqual([]);
    await cell.writeTests([{ path: "test_add.py", content: test }]);
    const start = await cell.snapshot();
    await cell.writeFiles([{ path: "add.py", content: wrong }]);
    expect(states(await cell.runTests({ signal: calm }))).toEqual({ "test_add.py::test_add": "failed" });
    await cell.restore(start);
    expect(await cell.listFiles()).toEqual(["test_add.py"]);
    await cell.writeFiles([{ path: "add.py", content: right }]);
    expect(states(await cell.runTests({ signal: calm }))).toEqual({ "test_add.py::test_add": "passed" });
    expect(readdirSync(folder).sort()).toEqual(["add.py", "test_add.py"]);
  });

  it("stands at a snapshot until something is written, and writing the same tests writes nothing", async () => {
    const { cell } = await openBench();
    expect(cell.at).toBeUndefined();
    await cell.writeTests([{ path: "test_add.py", content: test }]);
    const snapshot = await cell.snapshot();
    expect(cell.at).toBe(snapshot);
    await cell.writeTests([{ path: "test_add.py", content: test }]);
    await cell.writeFiles([{ path: "../x", content: "x" }]);
    expect((await cell.runCommands(["sudo ls"]))[0]!.refused).toBeDefined();
    expect(cell.at).toBe(snapshot);
    await cell.writeFiles([{ path: "a.py", content: "x" }]);
    expect(cell.at).toBeUndefined();
    await cell.restore(snapshot);
    expect(cell.at).toBe(snapshot);
  });

  it("knows its tests again after a restart, and protects them", async () => {
    const { cell, open, folder } = await openBench({ "add.py": right, "conftest.py": "" });
    await cell.writeTests([{ path: "t/test_add.py", content: test }]);
    const snapshot = await cell.snapshot();
    rmSync(folder, { recursive: true });
    mkdirSync(folder);
    const later = await open(snapshot);
    expect(later.at).toBe(snapshot);
    fill(folder, {
      "t/test_add.py": "def test_add(): pass\n",
      "conftest.py": "import os; os._exit(0)\n",
      "add.py": wrong,
    });
    expect(states(await later.runTests({ signal: calm }))).toEqual({ "t/test_add.py::test_add": "failed" });
    expect(readFileSync(join(folder, "conftest.py"), "utf8")).toBe("");
    expect(await later.snapshot()).not.toBe(snapshot);
  });

  it("goes back to the tests of a snapshot when they were corrected since", async () => {
    const { cell } = await openBench({ "add.py": right });
    await cell.writeTests([{ path: "test_add.py", content: test }]);
    const first = await cell.snapshot();
    await cell.writeTests([{ path: "test_add.py", content: `${test}\ndef test_more():\n    assert add(2, 2) == 4\n` }]);
    const second = await cell.snapshot();
    await cell.restore(first);
    expect(Object.keys(states(await cell.runTests({ signal: calm })))).toHaveLength(1);
    await cell.restore(second);
    expect(Object.keys(states(await cell.runTests({ signal: calm })))).toHaveLength(2);
  });

  it("never snapshots tests that were tampered with", async () => {
    const { cell, folder, open } = await openBench();
    await cell.writeTests([{ path: "test_add.py", content: test }]);
    writeFileSync(join(folder, "test_add.py"), "def test_add(): pass\n");
    const later = await open(await cell.snapshot());
    expect((await later.readFiles())[0]!.content).toBe(test);
  });

  it("leaves the user's files alone, whatever it writes, and takes in what they change when it begins anew", async () => {
    const { cell, user, folder, open } = await openBench({ "a.py": "first", "b.py": "b" });
    const snapshot = await cell.snapshot();
    await cell.writeFiles([{ path: "a.py", content: "the run's" }]);
    fill(user, { "b.py": "the user's work of an afternoon", "c.py": "new" });
    rmSync(join(user, "a.py"));
    const later = await open(snapshot);
    expect(await later.listFiles()).toEqual(["a.py", "b.py"]);
    expect(readFileSync(join(user, "b.py"), "utf8")).toBe("the user's work of an afternoon");
    await open();
    expect(readdirSync(folder).sort()).toEqual(["b.py", "c.py"]);
    expect(readFileSync(join(folder, "b.py"), "utf8")).toBe("the user's work of an afternoon");
  });

  it("is lent, restored and stopped by the pool of workcells", async () => {
    const { base, folder } = await openBench({ "a.py": "first" });
    const sandbox = await openSandbox("bwrap");
    const pool = new WorkcellPool({
      project: projectCells({ workspace: folder, state: join(base, "other"), sandbox }),
    });
    const run = { record: { run: "a-run", attempt: "attempt-000" }, config: null, input: null, ports: {} };
    const lend = <T>(snapshot: string | undefined, work: (cell: ProjectCell) => Promise<T>) =>
      pool.lend(run, "project", snapshot, calm, (cell) => work(cell as ProjectCell));
    const start = await lend(undefined, (cell) => cell.snapshot());
    await lend(start, (cell) => cell.writeFiles([{ path: "b.py", content: "x" }]));
    expect(await lend(start, (cell) => cell.listFiles())).toEqual(["a.py"]);
    await pool.close();
  });

  it("stops what runs when it is stopped", async () => {
    const { cell } = await openBench();
    const running = cell.runCommands(["sleep 60"]);
    setTimeout(() => void cell.stop(), 300);
    await expect(running).rejects.toThrow("the workcell was stopped");
  });

  it("says that a workspace is missing, gone, or none", async () => {
    const { cell, folder, base } = await openBench();
    await cell.check(calm);
    rmSync(folder, { recursive: true });
    await expect(cell.check(calm)).rejects.toMatchObject({ code: "WORKSPACE_GONE" });
    const sandbox = await openSandbox("none");
    const start = (workspace: string) =>
      projectCells({ workspace, state: join(base, "s"), sandbox })({ snapshot: undefined, signal: calm });
    await expect(start(join(base, "nothing"))).rejects.toMatchObject({ code: "WORKSPACE_MISSING" });
    await expect(start("/")).rejects.toMatchObject({ code: "WORKSPACE_UNFIT" });
    mkdirSync(join(base, "s"), { recursive: true });
    await expect(start(join(base, "s"))).rejects.toMatchObject({ code: "STATE_IS_WORKSPACE" });
  });

  it("writes no test file outside the workspace", async () => {
    const { cell } = await openBench();
    for (const path of ["../test_a.py", "/tmp/test_a.py", ".git/test_a.py"]) {
      await expect(cell.writeTests([{ path, content: "" }])).rejects.toMatchObject({ code: "TEST_PATH" });
    }
  });
});

describe("commands in the project workcell", () => {
  it("run in order, in one workspace, and what they print comes back", async () => {
    const { cell, folder } = await openBench({ "a.txt": "top of it\n" });
    const results = await cell.runCommands(["grep -r top .", "mkdir d && echo hi > d/b.txt", "cat d/b.txt", "exit 3"]);
    expect(results.map(({ done }) => [done?.code, done?.output])).toEqual([
      [0, "./a.txt:top of it\n"],
      [0, ""],
      [0, "hi\n"],
      [3, ""],
    ]);
    expect(readFileSync(join(folder, "d/b.txt"), "utf8")).toBe("hi\n");
  });

  it("come to nothing when they would reach out, and the others still run", async () => {
    const { cell, base } = await openBench({ "a.txt": "x" });
    const hosts = readFileSync("/etc/hosts", "utf8");
    const lines = [
      "cd / && touch a",
      "echo x > ../../../../../../other",
      "sed -i 's/a/b/' /etc/hosts",
      "ls && sudo rm a.txt",
      "ls",
    ];
    const results = await cell.runCommands(lines);
    expect(results.map(({ refused }) => refused !== undefined)).toEqual([false, false, false, true, false]);
    for (const { done } of results.slice(0, 3)) expect(done?.code).not.toBe(0);
    expect(results[4]!.done?.output).toBe("a.txt\n");
    expect(existsSync("/a")).toBe(false);
    expect(readdirSync(base).sort()).toEqual(["state", "workspace"]);
    expect(readFileSync("/etc/hosts", "utf8")).toBe(hosts);
  });

  it("cannot change tests or runner files from inside a program either", async () => {
    const { cell, folder } = await openBench();
    await cell.writeTests([{ path: "test_add.py", content: test }]);
    const program =
      "for n in ['test_add.py', 'conftest.py', 'pytest.ini']:\n    try: open(n, 'w').write('x')\n    except OSError as e: print(n, e.strerror)\n";
    await cell.writeFiles([{ path: "evil.py", content: program }]);
    const [result] = await cell.runCommands(["python3 evil.py"]);
    expect(result!.done?.output).toContain("test_add.py Read-only file system");
    expect(readdirSync(folder).sort()).toEqual(["evil.py", "test_add.py"]);
    expect(readFileSync(join(folder, "test_add.py"), "utf8")).toBe(test);
  });

  it("are stopped by their limits, in words", async () => {
    const { cell } = await openBench({}, { limits: { wallMs: 1_000 } });
    const [result] = await cell.runCommands(["echo begins; sleep 60"]);
    expect(result!.done).toMatchObject({
      stopped: "it ran longer than 1 s",
      output: expect.stringContaining("begins"),
    });
  });

  it("follow the user's own policy", async () => {
    const { cell } = await openBench({}, { policy: { deny: ["ls"], allow: ["npx"] } });
    const [denied, allowed] = await cell.runCommands(["ls", "npx --version"]);
    expect(denied!.refused).toBe("ls: the run's policy refuses it");
    expect(allowed!.done).toBeDefined();
  });
});

describe("given and held-out tests", () => {
  const hidden = "from add import add\n\ndef test_kingfisher_q7x():\n    assert add(5, 5) == 10\n";

  it("may lie outside the workspace, and run with it as their folder", async () => {
    const { cell, base, folder } = await openBench({ "add.py": right }, (place) => {
      fill(place, {
        "given/test_add.py": `import os\n${test}    assert os.getcwd() == "${place}/workspace"\n`,
        "given/conftest.py": "",
        "one.py": test,
      });
      return { tests: [join(place, "given"), join(place, "one.py")] };
    });
    const expected = { "given/test_add.py::test_add": "passed", "one.py::test_add": "passed" };
    expect(states(await cell.runTests({ signal: calm }))).toEqual(expected);
    fill(base, { "given/test_add.py": "def test_add(): assert False\n" });
    expect(states(await cell.runTests({ signal: calm }))).toEqual(expected);
    expect(await cell.listFiles()).toEqual(["add.py"]);
    const shown = await readTests([join(base, "given"), join(base, "one.py")], folder);
    expect(shown.map(({ path }) => path)).toEqual(["given/test_add.py", "one.py"]);
  });

  it("may lie in the workspace, where no one writes into their folder", async () => {
    const { cell, folder } = await openBench(
      { "add.py": right, "checks/test_add.py": test, "checks/data.json": "{}" },
      (place) => ({
        tests: [join(place, "workspace/checks")],
      }),
    );
    const refused = await cell.writeFiles([
      { path: "checks/data.json", content: "[]" },
      { path: "checks/new.py", content: "x" },
    ]);
    expect(refused.every((each) => each.refused !== undefined)).toBe(true);
    await cell.runCommands([
      "python3 -c \"open('checks/test_add.py', 'w')\"",
      "python3 -c \"open('checks/more.py', 'w')\"",
    ]);
    expect(readdirSync(join(folder, "checks")).sort()).toEqual(["data.json", "test_add.py"]);
    expect(states(await cell.runTests({ signal: calm }))).toEqual({ "checks/test_add.py::test_add": "passed" });
  });

  const writing = `import os
import pytest
from add import add

def test_beside():
    with open(__file__ + ".tmp", "w") as stream:
        stream.write(str(add(1, 2)))
    os.makedirs(os.path.join(os.path.dirname(__file__), "output", "deep"))
    assert open(__file__ + ".tmp").read() == "3"

def test_itself():
    with pytest.raises(OSError):
        open(__file__, "w")
    with pytest.raises(OSError):
        open(os.path.join(os.path.dirname(__file__), "data", "want.txt"), "w")
    with pytest.raises(OSError):
        os.rename(os.path.join(os.path.dirname(__file__), "data"), os.path.join(os.path.dirname(__file__), "other"))
`;
  const beside = { "test_w.py": writing, "data/want.txt": "3" };
  const written = (path: string) => ({ [`${path}::test_beside`]: "passed", [`${path}::test_itself`]: "passed" });
  const under = (folder: string, files: Readonly<Record<string, string>>) =>
    Object.fromEntries(Object.entries(files).map(([path, text]) => [`${folder}/${path}`, text]));

  it.each<[string, string, "tests" | "heldOut"]>([
    ["given from outside", "given", "tests"],
    ["given in the workspace", "workspace/given", "tests"],
    ["held out, from outside", "given", "heldOut"],
    ["held out, in the workspace", "workspace/given", "heldOut"],
  ])("may write beside themselves and not over themselves, and nothing of it survives: %s", async (_, place, kind) => {
    const { cell, base } = await openBench({ "add.py": right }, (root) => {
      fill(root, under(place, beside));
      return { [kind]: [join(root, place)] };
    });
    const before = await cell.snapshot();
    for (const _round of [1, 2]) {
      const report = await cell.runTests({ signal: calm, heldOut: kind === "heldOut" });
      expect(states(report)).toEqual(written("given/test_w.py"));
      await cell.restore(before);
    }
    expect(readdirSync(join(base, place), { recursive: true }).sort()).toEqual(["data", "data/want.txt", "test_w.py"]);
    const copies = kind === "tests" ? "tests" : "held-out";
    if (place === "given")
      expect(readdirSync(join(base, "state", copies, "given"), { recursive: true })).toHaveLength(3);
  });

  it("may not be given another configuration by what they test", async () => {
    const { cell } = await openBench(
      {
        "add.py": `import glob, os\n${right}for each in glob.glob("../given"):\n    open(each + "/conftest.py", "w")\n`,
      },
      (root) => {
        fill(root, under("given", beside));
        return { tests: [join(root, "given")] };
      },
    );
    expect((await cell.runTests({ signal: calm })).fault).toContain(
      "conftest.py, which configures the runner, was made",
    );
  });

  it.each([
    ["outside", "given"],
    ["in the workspace", "workspace/given"],
  ])("are taken as the user has them now where they are asked for again: %s", async (_, place) => {
    const { cell, base, open } = await openBench({ "add.py": right }, (root) => {
      fill(root, {
        [`${place}/test_add.py`]: test.replace("== 3", "== 4"),
        [`${place}/test_old.py`]: "def test_old(): pass\n",
      });
      return { tests: [join(root, place)] };
    });
    const known = await readTests([join(base, place)], join(base, "workspace"));
    expect(await cell.takeTests(known)).toBeUndefined();
    expect(states(await cell.runTests({ signal: calm }))["given/test_add.py::test_add"]).toBe("failed");
    fill(join(base, place), { "test_add.py": test });
    rmSync(join(base, place, "test_old.py"));
    const taken = await cell.takeTests(known);
    expect(taken).toEqual([{ path: "given/test_add.py", content: test }]);
    expect(await cell.takeTests(taken!)).toBeUndefined();
    const expected = { "given/test_add.py::test_add": "passed" };
    expect(states(await cell.runTests({ signal: calm }))).toEqual(expected);
    const later = await open(await cell.snapshot());
    expect(states(await later.runTests({ signal: calm }))).toEqual(expected);
    // Whoever was killed before they could say so is told again.
    expect(await later.takeTests(known)).toEqual(taken);
  });

  describe("that import the workspace by a path", () => {
    const scripts = {
      "tests/a.test.js":
        'import test from "node:test";\nimport assert from "node:assert";\nimport { add } from "../workspace/add.js";\nimport { three } from "./three.js";\ntest("adds", () => { assert.equal(add(1, 2), three); });\n',
      "tests/three.js": "export const three = 3;\n",
      "tests/package.json": '{ "type": "module" }',
    };
    const program = { "add.js": "export const add = (a, b) => a + b;\n", "package.json": '{ "type": "module" }' };
    const opened = (more: Readonly<Record<string, string>> = {}) =>
      openBench(program, (root) => {
        fill(root, { ...scripts, ...more });
        return { tests: [join(root, "tests")] };
      });

    it("find it, and are called by their names", async () => {
      const { cell, base } = await opened();
      expect(states(await cell.runTests({ signal: calm }))).toEqual({ "tests/a.test.js > adds": "passed" });
      await cell.writeFiles([{ path: "add.js", content: "export const add = () => 0;\n" }]);
      const report = await cell.runTests({ signal: calm });
      expect(report.failureLines).toContain("tests/a.test.js:5");
      expect(report.failureLines).not.toContain(join(base, "tests"));
      expect(await readTests([join(base, "tests")], join(base, "workspace"))).toHaveLength(1);
    });

    it.each<[string, Readonly<Record<string, string>>, RegExp]>([
      [
        "something else",
        { "tests/b.test.js": 'import "../lib/x.js";\n' },
        /b\.test\.js imports '\.\.\/lib\/x\.js', which is neither .* --workspace a folder that holds both, such as \//,
      ],
      [
        "a package by dots",
        { "tests/test_c.py": "from ..pkg import x\n" },
        /test_c\.py imports '\.\.pkg' by dots.* import it by its name/,
      ],
    ])("are refused at the start where they import %s, with what to do", async (_, more, words) => {
      const { base } = await opened(more);
      await expect(readTests([join(base, "tests")], join(base, "workspace"))).rejects.toThrow(words);
    });

    it("are refused where there is no sandbox to show them in their place", async () => {
      const { base } = await opened();
      const read = readTests([join(base, "tests")], join(base, "workspace"), { isCopied: true });
      await expect(read).rejects.toMatchObject({ code: "TESTS_LEAVE" });
    });
  });

  it("are run on their own when they are held out, and at no other time", async () => {
    const { cell } = await openBench({ "add.py": wrong }, (place) => {
      fill(place, { "hidden/test_hidden.py": hidden });
      return { heldOut: [join(place, "hidden")] };
    });
    await cell.writeTests([{ path: "test_add.py", content: test }]);
    expect(states(await cell.runTests({ signal: calm }))).toEqual({ "test_add.py::test_add": "failed" });
    expect(states(await cell.runTests({ signal: calm, heldOut: true }))).toEqual({
      "hidden/test_hidden.py::test_kingfisher_q7x": "failed",
    });
  });

  it("cannot be found from inside, in the workspace or out of it, nor in its history", async () => {
    const base = temporaryFolder();
    fill(base, { "outside/test_outer.py": hidden });
    const { cell, user: folder } = await openBench(
      { "add.py": right, "secret/test_hidden.py": hidden, "test_last.py": hidden },
      (place) => ({
        heldOut: [join(place, "workspace/secret"), join(place, "workspace/test_last.py"), join(base, "outside")],
      }),
    );
    execFileSync("git", ["init", "-q"], { cwd: folder });
    execFileSync("git", ["-c", "user.name=x", "-c", "user.email=x@x", "add", "-A"], { cwd: folder });
    await cell.writeTests([{ path: "test_add.py", content: test }]);
    expect(await cell.listFiles()).toEqual(["add.py", "test_add.py"]);
    expect(await cell.readFiles(["secret/test_hidden.py"])).toEqual([]);
    const [found, history] = await cell.runCommands([
      "grep -rl kingfisher_q7x . /loopwright /tmp /home /var /run 2>/dev/null; true",
      "git ls-files; ls .git",
    ]);
    expect(found!.done?.output).toBe("");
    expect(history!.done?.output).not.toContain("objects");
    expect(history!.done?.output).not.toContain("test_hidden");
    const report = await cell.runTests({ signal: calm, heldOut: true });
    expect(Object.values(states(report))).toEqual(["passed", "passed", "passed"]);
    expect(existsSync(join(folder, "secret/test_hidden.py"))).toBe(true);
  });

  it("are missed with a word when they are not there", async () => {
    await expect(openBench({}, { tests: ["/nowhere/test_a.py"] })).rejects.toMatchObject({ code: "TESTS_MISSING" });
    await expect(readTests(["/nowhere/test_a.py"])).rejects.toMatchObject({ code: "TESTS_MISSING" });
    await expect(openBench({}, (place) => ({ tests: [join(place, "workspace")] }))).rejects.toMatchObject({
      code: "TESTS_ARE_WORKSPACE",
    });
  });
});

describe("without a sandbox", () => {
  it("tests and commands run all the same, and no folder of the machine is named", async () => {
    const { cell, folder } = await openBench({ "add.py": wrong }, { sandbox: await openSandbox("none") });
    await cell.writeTests([{ path: "test_add.py", content: test }]);
    const report = await cell.runTests({ signal: calm });
    expect(states(report)).toEqual({ "test_add.py::test_add": "failed" });
    expect(report.failureLines).not.toContain(folder);
    expect((await cell.runCommands(["pwd"]))[0]!.done?.output).toBe(`${cell.folder}\n`);
  });
});

describe("a workspace in the user's dirty repository", () => {
  it("leaves status, branch, index, hooks and configuration as they were", async () => {
    const repository = temporaryFolder();
    const git = (...args: string[]) => execFileSync("git", args, { cwd: repository, encoding: "utf8" });
    const trap = join(repository, "../sprung-by-a-hook");
    git("init", "-q", "-b", "trunk");
    git("config", "user.name", "x");
    git("config", "user.email", "x@x");
    fill(repository, { "kept.txt": "1", "work/a.py": "1", ".gitignore": "ignored.txt\n" });
    git("add", "-A");
    git("commit", "-qm", "start");
    fill(repository, { "kept.txt": "changed", "staged.txt": "staged", "untracked.txt": "u", "ignored.txt": "i" });
    git("add", "staged.txt");
    for (const hook of ["pre-commit", "post-checkout", "post-index-change", "reference-transaction"]) {
      writeFileSync(join(repository, ".git/hooks", hook), `#!/bin/sh\ntouch ${trap}\n`, { mode: 0o755 });
    }
    git("config", "core.fsmonitor", "false");
    const look = () => ({
      status: git("status", "--porcelain=v2", "--branch", "--ignored", "--", ".", ":!work"),
      index: readFileSync(join(repository, ".git/index")).toString("base64"),
      config: readFileSync(join(repository, ".git/config"), "utf8"),
      head: git("rev-parse", "HEAD") + git("symbolic-ref", "HEAD") + git("stash", "list"),
      refs: git("for-each-ref"),
      hooks: readdirSync(join(repository, ".git/hooks")).sort(),
      objects: git("count-objects"),
    });
    git("status");
    rmSync(trap, { force: true });
    const before = look();
    rmSync(trap, { force: true });

    const { cell } = await openBench({}, { workspace: join(repository, "work") });
    const start = await cell.snapshot();
    await cell.writeTests([{ path: "test_a.py", content: "def test_a(): assert open('a.py').read() == '2'\n" }]);
    await cell.writeFiles([{ path: "a.py", content: "2" }]);
    await cell.runCommands(["git init . ; true", "git status; true", "touch b.txt"]);
    expect(states(await cell.runTests({ signal: calm }))).toEqual({ "test_a.py::test_a": "passed" });
    await cell.snapshot();
    await cell.restore(start);
    expect(existsSync(trap)).toBe(false);
    expect(look()).toEqual(before);
    expect(git("status", "--porcelain", "work")).toBe("");
  });

  it.each(["repository", "worktree", "submodule"])(
    "is the root of a %s: git answers inside, and nothing of the user's changes",
    async (kind) => {
      const base = temporaryFolder();
      const git = (cwd: string, ...args: string[]) =>
        execFileSync(
          "git",
          ["-c", "user.name=x", "-c", "user.email=x@x", "-c", "protocol.file.allow=always", ...args],
          {
            cwd,
            encoding: "utf8",
          },
        );
      const main = join(base, "main");
      fill(main, { "a.py": "1", "b.py": "1" });
      git(main, "init", "-q", "-b", "trunk");
      git(main, "add", "-A");
      git(main, "commit", "-qm", "the first");
      git(main, "gc", "-q");
      const folder = { repository: main, worktree: join(base, "tree"), submodule: join(base, "super/sub") }[kind]!;
      if (kind === "worktree") git(main, "worktree", "add", "-q", folder);
      if (kind === "submodule") {
        mkdirSync(join(base, "super"));
        git(join(base, "super"), "init", "-q");
        git(join(base, "super"), "submodule", "--quiet", "add", main, "sub");
      }
      fill(folder, { "a.py": "2", "untracked.py": "u" });
      const look = () =>
        execFileSync("sh", ["-c", "find . -type f -not -path '*/state/*' -exec sha256sum {} + | sort"], {
          cwd: base,
          encoding: "utf8",
        });
      const before = look();
      const { cell } = await openBench({}, { workspace: folder, state: join(base, "state") });
      const [log, status, show] = await cell.runCommands([
        "git log --format=%s",
        "git status --porcelain",
        "git show HEAD:b.py",
      ]);
      expect(log!.done).toMatchObject({ code: 0, output: "the first\n" });
      expect(status!.done).toMatchObject({ code: 0, output: " M a.py\n?? untracked.py\n" });
      expect(show!.done).toMatchObject({ code: 0, output: "1" });
      await cell.runCommands(["git commit -qam mine; git branch x; git stash; true"]);
      await cell.writeFiles([{ path: "b.py", content: "3" }]);
      await cell.snapshot();
      expect(look()).toBe(before);
      await cell.apply();
      expect(git(folder, "diff", "--name-only")).toBe("a.py\nb.py\n");
    },
  );
});
