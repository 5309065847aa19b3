import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { addHook, git, openNovel, subjects, treeOf } from "../../../../test/fixtures/novel-repository/project.ts";

const path = "chapters/chapter-01.md";
const commit = {
  id: "it-1",
  subject: "[prose] Make it darker",
  change: {
    write: [
      { path, content: "# One\n\nDark.  \n" },
      { path: "chapters/chapter-02.md", content: "# Two\n" },
    ],
    remove: ["taxonomy.json"],
  },
};

describe("the user's hooks", () => {
  it("stop a commit with their own words, and nothing is changed", async () => {
    for (const hook of ["pre-commit", "prepare-commit-msg", "commit-msg"]) {
      const repository = await openNovel();
      const before = treeOf(repository.folder);
      addHook(repository.folder, hook, "echo 'line 7 is too long'; echo 'see the guide' >&2; exit 3");
      await expect(repository.commitIteration(commit)).rejects.toMatchObject({
        code: "COMMIT_REFUSED",
        message: expect.stringMatching(/line 7 is too long\nsee the guide[\s\S]*Nothing was changed/),
      });
      expect(treeOf(repository.folder)).toEqual(before);
      expect(git(repository.folder, "status", "--porcelain")).toBe("");
      expect(subjects(repository.folder)).toEqual(["[project] begin"]);
    }
  });

  it("let the commit through once they are content", async () => {
    const repository = await openNovel();
    addHook(repository.folder, "pre-commit", "test -e .git/ready");
    await expect(repository.commitIteration(commit)).rejects.toMatchObject({ code: "COMMIT_REFUSED" });
    writeFileSync(join(repository.folder, ".git/ready"), "");
    await repository.commitIteration(commit);
    expect(git(repository.folder, "status", "--porcelain")).toBe("");
  });

  it("see what is to be committed, in the index and in the work tree", async () => {
    const repository = await openNovel();
    addHook(
      repository.folder,
      "pre-commit",
      `git diff --cached --name-status > .git/seen; cat ${path} >> .git/seen; git diff --name-only >> .git/seen`,
    );
    await repository.commitIteration(commit);
    expect(readFileSync(join(repository.folder, ".git/seen"), "utf8")).toBe(
      `M\t${path}\nA\tchapters/chapter-02.md\nD\ttaxonomy.json\n# One\n\nDark.  \n`,
    );
  });

  it("may tidy up what is committed, as formatters do", async () => {
    const repository = await openNovel();
    addHook(repository.folder, "pre-commit", `sed -i 's/ *$//' ${path} && git add ${path}`);
    await repository.commitIteration(commit);
    expect(await repository.fileAt("HEAD", path)).toBe("# One\n\nDark.\n");
    expect(readFileSync(join(repository.folder, path), "utf8")).toBe("# One\n\nDark.\n");
    expect(git(repository.folder, "status", "--porcelain")).toBe("");
  });

  it("that tidy up and then refuse leave the project as it was, and what they made is kept aside", async () => {
    const repository = await openNovel();
    const before = treeOf(repository.folder);
    addHook(repository.folder, "pre-commit", `sed -i 's/ *$//' ${path}; rm chapters/chapter-02.md; exit 1`);
    await expect(repository.commitIteration(commit)).rejects.toMatchObject({ code: "COMMIT_REFUSED" });
    const aside = { [`.loopwright/refused/${path}`]: "# One\n\nDark.\n" };
    expect(treeOf(repository.folder)).toEqual({ ...before, ...aside });
    expect(git(repository.folder, "status", "--porcelain")).toBe("");
  });

  it("that refuse a hand edit leave it in the work tree", async () => {
    const repository = await openNovel();
    addHook(repository.folder, "pre-commit", "exit 1");
    writeFileSync(join(repository.folder, path), "By hand.\n");
    await expect(repository.commitHandEdits()).rejects.toMatchObject({ code: "COMMIT_REFUSED" });
    expect(readFileSync(join(repository.folder, path), "utf8")).toBe("By hand.\n");
    expect(await repository.handEdits()).toEqual([{ part: "prose", paths: [path] }]);
  });

  it("may write on the message, and the iteration is still found by its id", async () => {
    const repository = await openNovel();
    addHook(repository.folder, "prepare-commit-msg", 'test "$2" = message && sed -i "1s/^/[draft] /" "$1"');
    addHook(repository.folder, "commit-msg", 'echo "" >> "$1"; echo "Signed-off-by: Me" >> "$1"');
    const { sha } = await repository.commitIteration(commit);
    expect(git(repository.folder, "log", "-1", "--format=%B")).toBe(
      "[draft] [prose] Make it darker\n\nLoopwright-Iteration: it-1\n\nSigned-off-by: Me",
    );
    expect(await repository.shaOf("it-1")).toBe(sha);
  });

  it("that leave no message stop the commit", async () => {
    const repository = await openNovel();
    addHook(repository.folder, "commit-msg", ': > "$1"');
    await expect(repository.commitIteration(commit)).rejects.toThrow("empty commit message");
  });

  it("that forbid the branch to move stop the commit, and the work tree goes back", async () => {
    const repository = await openNovel();
    const before = treeOf(repository.folder);
    addHook(repository.folder, "pre-commit", "exit 0");
    addHook(repository.folder, "reference-transaction", 'test "$1" != prepared || { echo frozen >&2; exit 1; }');
    await expect(repository.commitIteration(commit)).rejects.toMatchObject({
      code: "COMMIT_REFUSED",
      message: expect.stringContaining("frozen"),
    });
    expect(treeOf(repository.folder)).toEqual(before);
    expect(git(repository.folder, "status", "--porcelain")).toBe("");
  });

  it("run after the commit as well, where a failure stops nothing and a background job holds nothing up", async () => {
    const repository = await openNovel();
    addHook(repository.folder, "post-commit", "git rev-parse HEAD > .git/told; sleep 20 & exit 1");
    const start = performance.now();
    const { sha } = await repository.commitIteration(commit);
    expect(performance.now() - start).toBeLessThan(15_000);
    expect(readFileSync(join(repository.folder, ".git/told"), "utf8").trim()).toBe(sha);
  });

  it("find no terminal to ask on", async () => {
    const repository = await openNovel();
    addHook(repository.folder, "pre-commit", "read answer; (exec < /dev/tty) 2>/dev/null && touch .git/asked; exit 0");
    await repository.commitIteration(commit);
    expect(existsSync(join(repository.folder, ".git/asked"))).toBe(false);
  });

  it("are found where the user keeps them", async () => {
    const repository = await openNovel();
    mkdirSync(join(repository.folder, ".husky"));
    writeFileSync(join(repository.folder, ".husky/pre-commit"), "#!/bin/sh\necho husky says no\nexit 1\n", {
      mode: 0o755,
    });
    git(repository.folder, "config", "core.hooksPath", ".husky");
    await expect(repository.commitIteration(commit)).rejects.toThrow("husky says no");
  });

  it("that are not executable do not run", async () => {
    const repository = await openNovel();
    mkdirSync(join(repository.folder, ".git/hooks"), { recursive: true });
    writeFileSync(join(repository.folder, ".git/hooks/pre-commit"), "#!/bin/sh\nexit 1\n", { mode: 0o644 });
    await repository.commitIteration(commit);
  });
});
