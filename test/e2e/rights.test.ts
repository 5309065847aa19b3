// Rights on the user's files: none of them are changed, and those that are missing are said in words.

import { execFileSync } from "node:child_process";
import { chmodSync, chownSync, mkdirSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { Folder, users } from "../fakes/cli.ts";
import { fixingModel } from "../fakes/fixing-model.ts";

const MINUTE = 60_000;
const NOBODY = { uid: 65534, gid: 65534 };
const isRoot = process.getuid?.() === 0;
const program = "def double(x):\n    return x + 1\n";
const test = "from double import double\n\ndef test_five():\n    assert double(5) == 10\n";

async function doubled(): Promise<Folder> {
  const folder = new Folder();
  await folder.write("program/double.py", program);
  await folder.write("program/tests/sub/test_double.py", test);
  mkdirSync(join(folder.dir, "own"));
  for (const path of ["", "program"]) chmodSync(join(folder.dir, path), 0o755);
  if (isRoot) chownSync(join(folder.dir, "own"), NOBODY.uid, NOBODY.gid);
  return folder;
}

const modeOf = (at: Folder, path: string) => (statSync(join(at.dir, path)).mode & 0o777).toString(8);
const given = "--workspace program --tests program/tests --dir own";

describe("folders that nobody may write", { timeout: 2 * MINUTE }, () => {
  it.each(users)("stay so where their tests are given, for $name", async ({ user }) => {
    using at = await doubled();
    const folders = ["program/tests/sub", "program/tests"];
    for (const path of folders) chmodSync(join(at.dir, path), 0o555);
    const env = { XDG_STATE_HOME: join(at.dir, "own") };
    const looked = await at.cli(`code fix --model lmstudio:m ${given} --dry-run`, { env, ...(user && { user }) });
    expect(looked.code, looked.stderr).toBe(0);
    expect(folders.map((path) => modeOf(at, path))).toEqual(["555", "555"]);
    for (const path of folders) chmodSync(join(at.dir, path), 0o755);
  });

  it.skipIf(!isRoot)("or read are named (skipped where tests are not run by root)", async () => {
    using at = await doubled();
    chmodSync(join(at.dir, "program/tests"), 0o700);
    const env = { XDG_STATE_HOME: join(at.dir, "own") };
    const { code, stderr } = await at.cli(`code fix --model lmstudio:m ${given} --dry-run`, { env, user: NOBODY });
    expect(code, stderr).toBe(2);
    expect(stderr).toMatch(/you may not read the tests at \S+tests; their owner can let you: chmod/);
    expect(stderr.trim().split("\n")).toHaveLength(1);
  });
});

describe.skipIf(!isRoot)(
  "a workspace of someone else (skipped where tests are not run by root)",
  {
    timeout: 2 * MINUTE,
  },
  () => {
    const asNobody = (at: Folder) => ({ env: { XDG_STATE_HOME: join(at.dir, "own") }, user: NOBODY });

    it("is refused before any model is asked, with what to type", async () => {
      using at = await doubled();
      await at.write("task.md", "Double it.");
      const { code, stderr } = await at.cli(`code --model lmstudio:m --task task.md ${given}`, asNobody(at));
      expect(code, stderr).toBe(2);
      expect(stderr).toContain(`you may not write to ${join(at.dir, "program")}, where the result is to go`);
      expect(stderr).toContain("--workspace COPY");
      expect(stderr).toContain("--patch");
      expect(stderr.trim().split("\n")).toHaveLength(1);
      expect(at.has("own/runs")).toBe(false);
    });

    it("and a repository that cannot be written are refused with --branch", async () => {
      using at = await doubled();
      execFileSync("git", ["init", "-q", join(at.dir, "program")]);
      at.giveTo(NOBODY);
      chmodSync(join(at.dir, "program/.git"), 0o555);
      const { code, stderr } = await at.cli(`code fix --model lmstudio:m ${given} --branch fix`, asNobody(at));
      expect(code, stderr).toBe(2);
      expect(stderr).toContain(`--branch: you may not write to ${join(at.dir, "program/.git")}`);
      chmodSync(join(at.dir, "program/.git"), 0o755);
    });

    it("is named where it is found out when the result is applied, and the run goes on once it can be written", async () => {
      using at = await doubled();
      await at.write("program/src/double.py", program);
      await at.write("program/tests/sub/test_double.py", test.replace("from double", "from src.double"));
      at.giveTo(NOBODY);
      chownSync(join(at.dir, "program/src"), 0, 0);
      const model = await fixingModel("src/double.py", program.replace("+ 1", "* 2"));
      const stopped = await at.cli(`code fix ${given} ${model}`, asNobody(at));
      expect(stopped.code, stopped.stdout + stopped.stderr).toBe(1);
      expect(stopped.stderr).toContain(`${join(at.dir, "program/src")} cannot be written to`);
      expect(stopped.stderr).toContain("loopwright resume");
      expect(stopped.stderr).not.toMatch(/^\s+at |\/proc\/self/m);
      expect(at.read("program/src/double.py")).toBe(program);
      chownSync(join(at.dir, "program/src"), NOBODY.uid, NOBODY.gid);
      const ended = await at.cli("resume --continue --dir own", asNobody(at));
      expect(ended.code, ended.stdout + ended.stderr).toBe(0);
      expect(at.read("program/src/double.py")).not.toBe(program);
      chownSync(join(at.dir, "program/src"), 0, 0);
      const run = readdirSync(join(at.dir, "own/runs")).find((name) => name !== ".gitignore");
      const kept = await at.cli(`undo ${run} --dir own`, asNobody(at));
      expect(kept.code, kept.stderr).toBe(1);
      expect(kept.stderr).toContain(`${join(at.dir, "program/src")} cannot be written to`);
    });
  },
);
