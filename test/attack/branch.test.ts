// A result as a branch of the user's repository, whatever shape that is in: nothing but one new branch is made, nothing else
// of theirs changes, and it goes away by undo.

import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { branchProblem } from "../../packages/git/src/branch.ts";
import { Checkout } from "../../packages/workspace/src/checkout/checkout.ts";
import { fill, temporaryFolder } from "../fixtures/workspaces/workspace.ts";

const settings = ["user.name=x", "user.email=x@x", "protocol.file.allow=always"].flatMap((each) => ["-c", each]);

function git(cwd: string, ...args: string[]): string {
  return execFileSync("git", [...settings, ...args], { cwd, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });
}

const FILES = { "a.py": "1\n", "b.py": "1\n", "pkg/c.py": "1\n", ".gitignore": "*.log\n" };

/** A repository with one commit; `init` has further words for git. */
function repository(folder: string, files: Record<string, string> = FILES, init: string[] = []): void {
  fill(folder, files);
  git(folder, "init", "-q", "-b", "trunk", ...init);
  git(folder, "add", "-A");
  git(folder, "commit", "-qm", "the first");
}

/** A checkout of a repository that was made so. */
async function open(prepare: (user: string, base: string) => void = (user) => repository(user), sub = ".") {
  const base = temporaryFolder();
  const [user, state] = [join(base, "user"), join(base, "state")];
  mkdirSync(user);
  mkdirSync(state);
  prepare(user, base);
  const place = { user: join(user, sub), state, ignore: [] };
  const checkout = new Checkout(place);
  await checkout.takeIn();
  const apply = async (branch: string) => checkout.apply(await checkout.snapshots.take(null), { branch });
  return { base, user, state, checkout, run: checkout.folder, apply, again: () => new Checkout(place) };
}

const refs = (user: string) =>
  git(user, "for-each-ref", "--format=%(refname)")
    .split("\n")
    .filter((each) => each !== "");

describe("a branch of the user's", () => {
  it("is made and taken away in a repository of SHA-256, also where files go", async () => {
    const { user, run, apply, checkout } = await open((folder) =>
      repository(folder, FILES, ["--object-format=sha256"]),
    );
    rmSync(join(run, "b.py"));
    fill(run, { "a.py": "2\n" });
    expect(await apply("fix")).toEqual({ written: ["a.py", "b.py"], conflicts: [], branch: "fix" });
    expect(git(user, "diff", "--name-status", "trunk", "fix")).toBe("M\ta.py\nD\tb.py\n");
    await checkout.undo();
    expect(refs(user)).toEqual(["refs/heads/trunk"]);
  });

  it.each(["HEAD", "@", "trunk/one", "x", "refs/heads"])(
    "of the name '%s' is refused at once where git could not make it, or would take it for something else",
    async (name) => {
      const { user } = await open((folder) => {
        repository(folder);
        git(folder, "branch", "x/y");
        git(folder, "branch", "refs/heads/z");
        git(folder, "pack-refs", "--all");
      });
      expect(await branchProblem(user, name)).toEqual(expect.any(String));
    },
  );

  it("that HEAD already names, with no commit yet, is refused: it is the user's own", async () => {
    const { user, base } = await open((folder) => {
      git(folder, "init", "-q", "-b", "main");
      fill(folder, FILES);
    });
    expect(await branchProblem(user, "main")).toEqual(expect.any(String));
    expect(await branchProblem(user, "fix")).toBeUndefined();
    repository(join(base, "other"));
    git(join(base, "other"), "worktree", "add", "-q", "../tree");
    git(join(base, "tree"), "checkout", "-q", "--orphan", "new");
    expect(await branchProblem(join(base, "other"), "new")).toEqual(expect.any(String));
  });

  it("that HEAD comes to name meanwhile gets a number", async () => {
    const { user, run, apply } = await open();
    git(user, "checkout", "-q", "--orphan", "fix");
    fill(run, { "a.py": "2\n" });
    expect(await apply("fix")).toMatchObject({ branch: "fix-2" });
    expect(git(user, "symbolic-ref", "HEAD")).toBe("refs/heads/fix\n");
    expect(refs(user)).toEqual(["refs/heads/fix-2", "refs/heads/trunk"]);
  });

  it("has no file that is ignored, also where others lie in a submodule, behind a link or begin with a colon; what git cannot tell is said", async () => {
    const { user, run, apply } = await open((folder, base) => {
      repository(join(base, "other"), { "z.py": "1" });
      repository(folder);
      git(folder, "submodule", "--quiet", "add", join(base, "other"), "lib");
      symlinkSync("pkg", join(folder, "link"));
      git(folder, "add", "-A");
      git(folder, "commit", "-qm", "a submodule and a link");
    });
    rmSync(join(run, "link"));
    fill(run, { "lib/y.py": "2", "link/c.py": "2", ":!a": "2", ":(top)b": "2", "zz/secret.log": "s", "a.log": "s" });
    expect(await apply("fix")).toEqual({
      written: [":!a", ":(top)b", "link"],
      conflicts: ["lib/y.py", "link/c.py"],
      branch: "fix",
    });
    expect(git(user, "ls-tree", "-r", "--name-only", "fix")).not.toContain("log");
  });

  it("stands on what the run began with, also after the same result was in the user's files and was undone", async () => {
    const { user, run, apply, checkout } = await open();
    fill(run, { "a.py": "2\n" });
    await checkout.apply(await checkout.snapshots.take(null));
    await checkout.undo();
    await apply("fix");
    expect(git(user, "rev-parse", "fix~")).toBe(git(user, "rev-parse", "trunk"));
    expect(git(user, "diff", "--name-status", "trunk", "fix")).toBe("M\ta.py\n");
  });

  it("is made in a clone that has no files of what it did not touch, and nothing is fetched", async () => {
    const { user, run, apply } = await open((folder, base) => {
      repository(join(base, "other"), { ...FILES, "pkg/d.py": "d\n" });
      git(join(base, "other"), "config", "uploadpack.allowFilter", "true");
      rmSync(folder, { recursive: true });
      git(base, "clone", "-q", "--filter=blob:none", "--no-checkout", `file://${base}/other`, folder);
      git(folder, "sparse-checkout", "set", "--no-cone", "/a.py", "/pkg/c.py");
      git(folder, "checkout", "-q", "trunk");
      git(folder, "remote", "set-url", "origin", `file://${base}/gone`);
    });
    fill(run, { "a.py": "2\n", "pkg/e.py": "e\n" });
    expect(await apply("fix")).toMatchObject({ branch: "fix" });
    expect(git(user, "diff-tree", "-r", "--name-status", "trunk", "fix")).toBe("M\ta.py\nA\tpkg/e.py\n");
  });

  it("is made in a shallow clone, with HEAD detached", async () => {
    const { user, run, apply, checkout } = await open((folder, base) => {
      repository(join(base, "other"));
      git(join(base, "other"), "commit", "-qm", "second", "--allow-empty");
      rmSync(folder, { recursive: true });
      git(base, "clone", "-q", "--depth=1", `file://${base}/other`, folder);
      git(folder, "checkout", "-q", "--detach");
    });
    const before = refs(user);
    fill(run, { "a.py": "2\n" });
    await apply("fix");
    expect(git(user, "diff-tree", "-r", "--name-status", "trunk", "fix")).toBe("M\ta.py\n");
    await checkout.undo();
    expect(refs(user)).toEqual(before);
  });

  it.each(["branch.index.lock", "branch.index"])(
    "is made though a process that was killed has left a %s",
    async (name) => {
      const { user, state, run, apply } = await open();
      writeFileSync(join(state, name), "left");
      fill(run, { "a.py": "2\n" });
      await apply("fix");
      expect(git(user, "diff", "--name-status", "trunk", "fix")).toBe("M\ta.py\n");
    },
  );

  it("is made while the user's own index is locked, and leaves no file in their git directory", async () => {
    const { user, run, apply } = await open((folder) => {
      repository(folder);
      git(folder, "config", "core.splitIndex", "true");
      git(folder, "config", "splitIndex.maxPercentChange", "0");
    });
    writeFileSync(join(user, ".git/index.lock"), "");
    const before = readdirSync(join(user, ".git"));
    fill(run, { "a.py": "2\n" });
    await apply("fix");
    expect(readdirSync(join(user, ".git"))).toEqual(before);
  });

  it("made through a name that leads to another one leaves that other one alone", async () => {
    const { user, run, apply } = await open((folder) => {
      repository(folder);
      git(folder, "symbolic-ref", "refs/heads/fix", "refs/heads/nowhere");
    });
    fill(run, { "a.py": "2\n" });
    await apply("fix");
    expect(refs(user)).not.toContain("refs/heads/nowhere");
  });

  it("is not taken away while another work tree stands on it, nor once it is another one's commit", async () => {
    const { user, run, apply, checkout } = await open();
    fill(run, { "a.py": "2\n" });
    await apply("fix");
    git(user, "worktree", "add", "-q", "../tree", "fix");
    expect(await checkout.undo({ isDry: true })).toMatchObject({ conflicts: ["fix"] });
    expect(await checkout.undo()).toMatchObject({ conflicts: ["fix"] });
    git(join(user, "../tree"), "commit", "-q", "--amend", "-m", "mine now");
    git(user, "worktree", "remove", "--force", "../tree");
    expect(await checkout.undo()).toMatchObject({ conflicts: ["fix"] });
    expect(refs(user)).toEqual(["refs/heads/fix", "refs/heads/trunk"]);
  });

  it("that is a link to the user's own branch is not followed by undo", async () => {
    const { user, run, apply, checkout } = await open();
    fill(run, { "a.py": "2\n" });
    await apply("fix");
    git(user, "checkout", "-q", "-f", "-B", "trunk", "fix");
    git(user, "symbolic-ref", "refs/heads/fix", "refs/heads/trunk");
    await checkout.undo();
    expect(refs(user)).toContain("refs/heads/trunk");
  });

  it("of a folder that becomes a file, and of a file that becomes a folder, is whole", async () => {
    const { user, run, apply } = await open();
    rmSync(join(run, "pkg"), { recursive: true });
    rmSync(join(run, "a.py"));
    fill(run, { pkg: "a file\n", "a.py/x": "x\n" });
    await apply("fix");
    expect(git(user, "ls-tree", "-r", "--name-only", "fix")).toBe(".gitignore\na.py/x\nb.py\npkg\n");
  });

  it("has files with tabs, quotes and line breaks in their names", async () => {
    const { user, run, apply, checkout } = await open();
    fill(run, { "x\ty": "1", "x\ny": "2", 'x"y': "3" });
    expect(await apply("fix")).toMatchObject({ written: ["x\ty", "x\ny", 'x"y'] });
    expect(git(user, "ls-tree", "-r", "--name-only", "-z", "fix").split("\0")).toContain("x\ny");
    await checkout.undo();
    expect(refs(user)).toEqual(["refs/heads/trunk"]);
  });

  it.each(["GIT_DIR", "GIT_INDEX_FILE", "GIT_WORK_TREE", "GIT_OBJECT_DIRECTORY", "GIT_NAMESPACE", "GIT_COMMON_DIR"])(
    "is made where the folder is, whatever %s says",
    async (name) => {
      const { base, user, run, apply } = await open();
      process.env[name] = join(base, "elsewhere");
      try {
        fill(run, { "a.py": "2\n" });
        await apply("fix");
      } finally {
        delete process.env[name];
      }
      expect(refs(user)).toEqual(["refs/heads/fix", "refs/heads/trunk"]);
      expect(existsSync(join(base, "elsewhere"))).toBe(false);
    },
  );

  it.each(["clean", "process", "smudge"])("runs a %s filter of none but the user's own settings", async (kind) => {
    const { base, user, run, apply } = await open();
    fill(run, { ".gitattributes": "* filter=evil\n", "a.py": "2\n" });
    fill(run, { ".gitconfig": `[filter "evil"]\n\t${kind} = touch ${base}/ran\n` });
    await apply("fix");
    expect(existsSync(join(base, "ran"))).toBe(false);
    expect(refs(user)).toContain("refs/heads/fix");
  });
});
