import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { branchProblem } from "@loopwright/git/branch";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { fill, temporaryFolder } from "../../../../test/fixtures/workspaces/workspace.ts";
import { Checkout } from "./checkout.ts";

const settings = ["user.name=x", "user.email=x@x", "protocol.file.allow=always"].flatMap((each) => ["-c", each]);

function git(cwd: string, ...args: string[]): string {
  return execFileSync("git", [...settings, ...args], { cwd, encoding: "utf8" });
}

/** A dirty repository whose hooks leave a trace, and a checkout of it or of a folder in it. */
async function open(sub = ".") {
  const base = temporaryFolder();
  const [user, state] = [join(base, "user"), join(base, "state")];
  mkdirSync(state);
  fill(user, { "a.py": "1\r\n", "b.py": "1", "pkg/c.py": "1", ".gitignore": "out\n", ".gitattributes": "*.py text\n" });
  git(user, "init", "-q", "-b", "trunk");
  git(user, "add", "-A");
  git(user, "commit", "-qm", "the first");
  git(user, "config", "core.safecrlf", "false");
  fill(user, { "b.py": "mine", "untracked.txt": "u" });
  for (const hook of ["pre-commit", "post-commit", "reference-transaction", "post-index-change"])
    writeFileSync(join(user, ".git/hooks", hook), `#!/bin/sh\ntouch ${base}/sprung\n`, { mode: 0o755 });
  const checkout = new Checkout({ user: join(user, sub), state, ignore: [] });
  await checkout.takeIn();
  rmSync(join(base, "sprung"), { force: true });
  return { base, user, checkout };
}

/** All of the user's, but for what a branch adds. */
function look(user: string): string {
  const files = "find . -type f -not -path './.git/objects/*' -not -path '*/refs/heads/fix*' -not -path '*/logs/*'";
  return execFileSync("sh", ["-c", `${files} -exec sha256sum {} + | sort`], { cwd: user, encoding: "utf8" });
}

describe("a result as a branch", () => {
  it("is one commit on what the run began with, by the user's own rules; nothing else of theirs changes", async () => {
    const { base, user, checkout } = await open();
    fill(checkout.folder, { "a.py": "2\r\n", "new/d.py": "d", "out/log": "o" });
    rmSync(join(checkout.folder, "pkg"), { recursive: true });
    fill(user, { "e.py": "meanwhile" });
    git(user, "add", "e.py");
    git(user, "-c", "core.hooksPath=/dev/null", "commit", "-qm", "meanwhile", "e.py");
    git(user, "status");
    rmSync(join(base, "sprung"), { force: true });
    const before = look(user);
    const applied = await checkout.apply(await checkout.snapshots.take(null), { branch: "fix" });
    expect(applied).toEqual({ written: ["a.py", "new/d.py", "pkg/c.py"], conflicts: [], branch: "fix" });
    expect(look(user)).toBe(before);
    expect(git(user, "log", "--format=%s", "trunk..fix")).toMatch(/^Loopwright: .+\n$/);
    expect(git(user, "diff", "--name-status", "trunk~", "fix")).toBe("M\ta.py\nA\tnew/d.py\nD\tpkg/c.py\n");
    expect(git(user, "show", "fix:a.py")).toBe("2\n");
    expect(existsSync(join(base, "sprung"))).toBe(false);
    expect(await checkout.undo()).toMatchObject({ conflicts: [] });
    expect(git(user, "branch", "--format=%(refname:short)")).toBe("trunk\n");
  });

  it.each([
    [{}, "Loopwright <loopwright@localhost>"],
    [{ "user.name": "Ada" }, "Ada <loopwright@localhost>"],
    [{ "user.name": "Ada", "user.email": "ada@example.org" }, "Ada <ada@example.org>"],
  ])("is by whom git knows, %j: %s", async (known, author) => {
    const { user, checkout } = await open();
    for (const [key, value] of Object.entries(known)) git(user, "config", key, value);
    fill(checkout.folder, { "a.py": "2" });
    vi.stubEnv("GIT_CONFIG_GLOBAL", "/dev/null");
    onTestFinished(() => void vi.unstubAllEnvs());
    await checkout.apply(await checkout.snapshots.take(null), { branch: "fix" });
    expect(git(user, "log", "-1", "--format=%an <%ae>", "fix").trim()).toBe(author);
  });

  it("is made once, also where the process died before it was on record", async () => {
    const { user, checkout } = await open();
    fill(checkout.folder, { "a.py": "2" });
    const snapshot = await checkout.snapshots.take(null);
    for (let time = 0; time < 2; time++)
      expect(await checkout.apply(snapshot, { branch: "fix" })).toMatchObject({ branch: "fix" });
    expect(git(user, "branch", "--format=%(refname:short)")).toBe("fix\ntrunk\n");
  });

  it("is a commit for each step of the way, each with its own words, and none for a step that changes nothing", async () => {
    const { base, user, checkout } = await open();
    const step = async (files: Record<string, string>, message: string) => {
      fill(checkout.folder, files);
      return { snapshot: await checkout.snapshots.take(null), message };
    };
    const steps = [
      await step({ "a.py": "2", "gone.py": "x" }, "iteration 1: begin\n\nPlan 1. 1 of 2 tests pass."),
      await step({ "out/log": "ignored" }, "iteration 2: nothing"),
    ];
    rmSync(join(checkout.folder, "gone.py"));
    steps.push(await step({ "b.py": "3" }, "iteration 3: end"));
    const before = look(user);
    const { snapshot } = steps.at(-1)!;
    for (let time = 0; time < 2; time++)
      expect(await checkout.apply(snapshot, { branch: "fix", steps })).toEqual({
        ...{ written: ["a.py", "b.py"], conflicts: [], branch: "fix" },
      });
    expect(git(user, "log", "--format=%s", "trunk..fix")).toBe("iteration 3: end\niteration 1: begin\n");
    expect(git(user, "show", "-s", "--format=%b", "fix~")).toContain("Plan 1. 1 of 2 tests pass.");
    expect(git(user, "diff", "--name-status", "trunk", "fix~")).toBe("M\ta.py\nA\tgone.py\n");
    expect(git(user, "diff", "--name-status", "fix~", "fix")).toBe("M\tb.py\nD\tgone.py\n");
    expect(git(user, "branch", "--format=%(refname:short)")).toBe("fix\ntrunk\n");
    expect(look(user)).toBe(before);
    expect(existsSync(join(base, "sprung"))).toBe(false);
    expect(await checkout.undo()).toMatchObject({ written: ["fix"] });
  });

  it("has a last commit for the result where the steps do not end with it", async () => {
    const { user, checkout } = await open();
    fill(checkout.folder, { "a.py": "2" });
    const steps = [{ snapshot: await checkout.snapshots.take(null), message: "iteration 1: begin" }];
    fill(checkout.folder, { "b.py": "3" });
    await checkout.apply(await checkout.snapshots.take(null), { branch: "fix", steps });
    expect(git(user, "log", "--format=%s", "trunk..fix")).toBe("Loopwright: 2 files\niteration 1: begin\n");
  });

  it("gets a number where its name was taken meanwhile, and is not undone once it has gone on", async () => {
    const { user, checkout } = await open();
    git(user, "branch", "fix");
    fill(checkout.folder, { "a.py": "2" });
    expect(await checkout.apply(await checkout.snapshots.take(null), { branch: "fix" })).toMatchObject({
      branch: "fix-2",
    });
    git(user, "branch", "-f", "fix-2", "trunk");
    expect(await checkout.undo()).toEqual({ written: [], conflicts: ["fix-2"], branch: "fix-2" });
    expect(git(user, "branch", "--format=%(refname:short)")).toBe("fix\nfix-2\ntrunk\n");
  });

  it("names files of a folder in a repository by their place there, and leaves out what lies in a submodule", async () => {
    const { base, user } = await open();
    const other = join(base, "other");
    fill(other, { "z.py": "1" });
    git(other, "init", "-q");
    git(other, "add", "-A");
    git(other, "commit", "-qm", "z");
    git(user, "submodule", "--quiet", "add", other, "pkg/sub");
    git(user, "commit", "-qm", "with a submodule");
    const state = join(base, "state-2");
    mkdirSync(state);
    const checkout = new Checkout({ user: join(user, "pkg"), state, ignore: [] });
    await checkout.takeIn();
    fill(checkout.folder, { "c.py": "2", "sub/z.py": "2" });
    const applied = await checkout.apply(await checkout.snapshots.take(null), { branch: "fix/one" });
    expect(applied).toEqual({ written: ["c.py"], conflicts: ["sub/z.py"], branch: "fix/one" });
    expect(git(user, "show", "fix/one:pkg/c.py")).toBe("2");
    expect(readFileSync(join(user, "pkg/c.py"), "utf8")).toBe("1");
  });

  it.each([
    ["trunk", /already/],
    ["-D", /no name/],
    ["a..b", /no name/],
    ["", /no name/],
    ["good/one", undefined],
  ])("%j is refused before anything is done where it cannot be", async (name, words) => {
    const { user } = await open();
    const problem = await branchProblem(user, name);
    if (words) expect(problem).toMatch(words);
    else expect(problem).toBeUndefined();
    expect(await branchProblem(temporaryFolder(), "fix")).toMatch(/no git repository/);
  });
});
