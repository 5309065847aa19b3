// A dirty repository with a submodule, a worktree, a stash, hooks and an editable install, worked on with the real binary and
// killed with SIGKILL at ten moments: nothing of the user's changes but the one file of the result, and undo takes that back.

import { execFileSync } from "node:child_process";
import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { Folder, lastLine } from "../fakes/cli.ts";
import { fixingModel } from "../fakes/fixing-model.ts";

const files = {
  "src/calc/__init__.py": "def add(a, b):\n    return a - b\n",
  "tests/test_calc.py":
    "from calc import add\n" +
    [1, 2, 3, 4].map((n) => `\ndef test_${n}():\n    assert add(${n}, 2) == ${n + 2}\n`).join(""),
  "task.md": "Fix add.\n",
  "notes.txt": "one\n",
  "staged.txt": "one\n",
  ".gitignore": ".venv\n.loopwright\nruns\n",
};

const settings = ["user.name=x", "user.email=x@x", "protocol.file.allow=always", "core.hooksPath=/dev/null"];

function git(cwd: string, ...args: string[]): string {
  return execFileSync("git", [...settings.flatMap((each) => ["-c", each]), ...args], { cwd, encoding: "utf8" });
}

function write(root: string, all: Readonly<Record<string, string>>): void {
  for (const [path, text] of Object.entries(all)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
}

/** The repository in `user`, its worktree and its submodule's origin beside it. */
function dirtyRepository(base: string): string {
  const [user, other] = [join(base, "user"), join(base, "other")];
  write(other, { "z.py": "z = 1\n" });
  git(other, "init", "-q");
  git(other, "add", "-A");
  git(other, "commit", "-qm", "other");
  write(user, files);
  git(user, "init", "-q", "-b", "trunk");
  git(user, "submodule", "--quiet", "add", other, "vendor/other");
  git(user, "add", "-A");
  git(user, "commit", "-qm", "the first");
  git(user, "worktree", "add", "-q", join(base, "tree"));
  write(user, { "notes.txt": "stashed\n" });
  git(user, "stash", "-q");
  write(user, {
    "notes.txt": "changed\n",
    "staged.txt": "staged\n",
    "untracked.txt": "u\n",
    "vendor/other/z.py": "z = 2\n",
  });
  git(user, "add", "staged.txt");
  write(join(base, "tree"), { "notes.txt": "changed in the worktree\n" });
  execFileSync("python3", ["-m", "venv", "--system-site-packages", "--without-pip", ".venv"], { cwd: user });
  const [version] = readdirSync(join(user, ".venv/lib"));
  // What an editable install is: a line that names the folder where the package is worked on.
  appendFileSync(join(user, ".venv/lib", version!, "site-packages/__editable__.calc.pth"), `${join(user, "src")}\n`);
  for (const hook of ["pre-commit", "post-checkout", "post-index-change", "reference-transaction", "post-commit"])
    writeFileSync(join(user, ".git/hooks", hook), `#!/bin/sh\ntouch ${base}/sprung\n`, { mode: 0o755 });
  return user;
}

/** Every byte, bit and link of the user's, the project's own folders left out. */
function look(base: string): string[] {
  const own = "-path ./user/.loopwright -o -path ./user/runs -o -path ./state";
  const found = `find . \\( ${own} \\) -prune -o \\( -type f -exec sha256sum {} + \\) -o -printf '%p %y %m %l\\n'`;
  const text = execFileSync("sh", ["-c", `${found}; find . \\( ${own} \\) -prune -o -type f -printf '%p %m\\n'`], {
    cwd: base,
    encoding: "utf8",
  });
  return text.split("\n").sort();
}

const moments = [
  '"run-started"',
  '"key":"look","tries"',
  '"key":"baseline","tries"',
  '"key":"sources","tries"',
  '"phase-started".*"implement"',
  '"progress"',
  '"key":"execute-0/write","tries"',
  '"key":"execute-0/tests","tries"',
  '"key":"apply","tries"',
  '"key":"restore","tries"',
];

describe("a dirty repository", { timeout: 300_000 }, () => {
  it("is what it was but for the result, killed at ten moments; undo takes that back", async () => {
    using folder = new Folder();
    const { user, before, changes, ended, run, at } = await killAt(
      folder,
      moments,
      "",
      /user\/src\/calc\/__init__\.py$/,
    );
    expect(lastLine(ended), ended.stderr).toMatchObject({ outcome: "done" });
    expect(changes()).toHaveLength(1);
    expect(readFileSync(join(user, "src/calc/__init__.py"), "utf8")).toContain("a + b");
    expect(await folder.cli(`undo ${run}`, at)).toMatchObject({ code: 0 });
    expect(look(folder.dir)).toEqual(before);
  });

  it("gets a branch and nothing else with --branch, killed while it is made; undo takes that back", async () => {
    using folder = new Folder();
    const mayBe = /user\/\.git\/(objects|refs\/heads|refs\/notes|logs|packed-refs)\b/;
    const { user, changes, ended, run, at } = await killAt(folder, moments.slice(-2), " --branch fix", mayBe);
    expect(lastLine(ended), ended.stderr).toMatchObject({ outcome: "done" });
    for (const line of changes()) expect(line).toMatch(mayBe);
    expect(git(user, "show", "fix:src/calc/__init__.py")).toContain("a + b");
    expect(git(user, "diff", "--name-only", "trunk", "fix")).toBe("src/calc/__init__.py\n");
    expect(await folder.cli(`undo ${run}`, at)).toMatchObject({ code: 0 });
    expect(git(user, "for-each-ref", "--format=%(refname)", "refs/heads")).toBe("refs/heads/tree\nrefs/heads/trunk\n");
  });
});

/** Works on a dirty repository, killed at each moment and resumed; until the result is applied nothing may change. */
async function killAt(folder: Folder, at: readonly string[], flags: string, mayBe: RegExp) {
  const base = folder.dir;
  const user = dirtyRepository(base);
  const place = { cwd: user, env: { HOME: join(base, "state") } };
  const before = look(base);
  const changes = () => look(base).filter((line) => !before.includes(line));
  const model = await fixingModel("src/calc/__init__.py", "def add(a, b):\n    return a + b");
  let words = `code --workspace . --tests tests --json --seed 1 ${model}${flags}`;
  let run = "";
  for (const moment of at) {
    const started = folder.start(words, place);
    ({ run } = JSON.parse(await started.line(new RegExp(moment))) as { run: string });
    started.send("SIGKILL");
    await started.ended;
    if (/apply|restore/.test(moment)) for (const line of changes()) expect(line, moment).toMatch(mayBe);
    else expect(look(base), moment).toEqual(before);
    words = `resume ${run} --json`;
  }
  const ended = await folder.cli(words, place);
  expect(existsSync(join(base, "sprung"))).toBe(false);
  return { user, before, changes, ended, run, at: place };
}
