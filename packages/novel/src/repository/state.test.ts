import { chownSync, existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { firstFiles, git, openNovel, subjects, treeOf } from "../../../../test/fixtures/novel-repository/project.ts";
import { fill, temporaryFolder } from "../../../../test/fixtures/workspaces/workspace.ts";
import { openRepository, type Repository } from "./repository.ts";

const change = { write: [{ path: "chapters/chapter-02.md", content: "# Two\n" }], remove: [] };

/** The repository refuses with these words, commits nothing, and all stays as it was. */
async function expectRefusal(repository: Repository, ...words: string[]): Promise<void> {
  const before = treeOf(repository.folder);
  const problem = await repository.check();
  for (const each of words) expect(problem).toContain(each);
  await expect(repository.commitIteration({ id: "it-1", subject: "x", change })).rejects.toMatchObject({
    code: "REPOSITORY_STATE",
    message: problem,
  });
  expect((await repository.undo()).refused).toBe(problem);
  expect(treeOf(repository.folder)).toEqual(before);
}

/** A branch `other` whose first chapter says something else than the main one's. */
function fork(folder: string): void {
  git(folder, "switch", "--quiet", "-c", "other");
  fill(folder, { "chapters/chapter-01.md": "theirs\n" });
  git(folder, "commit", "--quiet", "-am", "theirs");
  git(folder, "switch", "--quiet", "main");
  fill(folder, { "chapters/chapter-01.md": "ours\n" });
  git(folder, "commit", "--quiet", "-am", "ours");
}

function tryGit(folder: string, ...args: string[]): void {
  try {
    git(folder, ...args);
  } catch {
    // A conflict ends with a failure, which is what is wanted here.
  }
}

describe("a repository that cannot be committed into", () => {
  const config = process.env.GIT_CONFIG_GLOBAL;
  afterEach(() => {
    if (config === undefined) delete process.env.GIT_CONFIG_GLOBAL;
    else process.env.GIT_CONFIG_GLOBAL = config;
  });

  it("says nothing where all is well", async () => {
    expect(await (await openNovel()).check()).toBeUndefined();
  });

  it("is none at all", async () => {
    const folder = temporaryFolder();
    fill(folder, firstFiles);
    const repository = await openRepository(folder);
    expect(await repository.check()).toContain(`git init "${folder}"`);
    await expect(repository.handEdits()).rejects.toMatchObject({ code: "REPOSITORY_STATE" });
    git(folder, "init", "--quiet");
    expect(await repository.check()).toBeUndefined();
  });

  it("is none because there is no such folder", async () => {
    const folder = join(temporaryFolder(), "gone");
    expect(await (await openRepository(folder)).check()).toContain(`${folder}: there is no such folder`);
  });

  it("is a larger one around the project", async () => {
    const outer = temporaryFolder();
    git(outer, "init", "--quiet");
    const folder = join(outer, "novel");
    fill(folder, firstFiles);
    await expectRefusal(await openRepository(folder), outer, `git init "${folder}"`, "config loopwright.shared true");
    expect(git(outer, "rev-list", "--all", "--count")).toBe("0");
  });

  it("is in the middle of a merge", async () => {
    const repository = await openNovel();
    fork(repository.folder);
    tryGit(repository.folder, "merge", "--quiet", "other");
    await expectRefusal(repository, "a merge is under way", "git merge --continue", "git merge --abort");
    git(repository.folder, "merge", "--abort");
    expect(await repository.check()).toBeUndefined();
  });

  it("is in the middle of a rebase", async () => {
    const repository = await openNovel();
    fork(repository.folder);
    tryGit(repository.folder, "rebase", "--quiet", "other");
    await expectRefusal(repository, "a rebase is under way", "git rebase --abort");
  });

  it("is in the middle of a cherry-pick", async () => {
    const repository = await openNovel();
    fork(repository.folder);
    tryGit(repository.folder, "cherry-pick", "other");
    await expectRefusal(repository, "a cherry-pick is under way", "git cherry-pick --abort");
  });

  it("is in the middle of a revert", async () => {
    const repository = await openNovel();
    fork(repository.folder);
    fill(repository.folder, { "chapters/chapter-01.md": "later\n" });
    git(repository.folder, "commit", "--quiet", "-am", "later");
    tryGit(repository.folder, "revert", "--no-edit", "HEAD~1");
    await expectRefusal(repository, "a revert is under way", "git revert --abort");
  });

  it("has conflicts left by something that is over", async () => {
    const repository = await openNovel();
    fork(repository.folder);
    tryGit(repository.folder, "merge", "--quiet", "other");
    rmSync(join(repository.folder, ".git/MERGE_HEAD"));
    await expectRefusal(repository, "conflicts", 'git add "chapters/chapter-01.md"');
  });

  it("is on no branch", async () => {
    const repository = await openNovel();
    git(repository.folder, "checkout", "--quiet", "--detach");
    await expectRefusal(repository, "detached HEAD", "git switch main", "git switch -c");
  });

  it("does not know who commits when a project is made: asked again, it goes on", async () => {
    const folder = temporaryFolder();
    fill(folder, firstFiles);
    process.env.GIT_CONFIG_GLOBAL = "/dev/null";
    const repository = await openRepository(folder);
    await expect(repository.initialize()).rejects.toThrow("git config --global user.name");
    delete process.env.GIT_CONFIG_GLOBAL;
    await repository.initialize();
    expect(subjects(folder)).toEqual(["[project] begin"]);
  });

  it("is locked by another git", async () => {
    const repository = await openNovel();
    const lock = join(repository.folder, ".git/index.lock");
    writeFileSync(lock, "");
    expect(await repository.check()).toContain(`rm "${lock}"`);
    expect(existsSync(lock)).toBe(true);
    setTimeout(() => rmSync(lock), 200);
    expect(await repository.check()).toBeUndefined();
  });

  it("has no work tree", async () => {
    const folder = temporaryFolder();
    git(folder, "init", "--quiet", "--bare");
    expect(await (await openRepository(folder)).check()).toContain("work tree");
  });

  it.runIf(process.getuid?.() === 0)("belongs to another user", async () => {
    const folder = temporaryFolder();
    git(folder, "init", "--quiet");
    chownSync(folder, 12_345, 12_345);
    chownSync(join(folder, ".git"), 12_345, 12_345);
    const problem = await (await openRepository(folder)).check();
    expect(problem).toContain("safe.directory");
  });

  it("is broken", async () => {
    const folder = temporaryFolder();
    mkdirSync(join(folder, ".git"));
    writeFileSync(join(folder, ".git/HEAD"), "nonsense");
    expect(await (await openRepository(folder)).check()).toMatch(/git/);
  });

  it("signs where git is told to, and what cannot be signed is refused with git's words", async () => {
    const repository = await openNovel();
    const before = treeOf(repository.folder);
    const gpg = join(repository.folder, ".git/gpg.sh");
    writeFileSync(gpg, "#!/bin/sh\necho no secret key >&2\nexit 2\n", { mode: 0o755 });
    git(repository.folder, "config", "commit.gpgSign", "true");
    git(repository.folder, "config", "gpg.program", gpg);
    await expect(repository.commitIteration({ id: "it-1", subject: "x", change })).rejects.toMatchObject({
      code: "COMMIT_REFUSED",
      message: expect.stringContaining("gpg failed to sign"),
    });
    expect(treeOf(repository.folder)).toEqual(before);
  });

  it("never opens an editor or a pager", async () => {
    const repository = await openNovel();
    const trap = join(repository.folder, ".git/asked");
    const script = join(repository.folder, ".git/trap.sh");
    writeFileSync(script, `#!/bin/sh\ntouch ${trap}\nexec sleep 60\n`, { mode: 0o755 });
    for (const key of ["core.editor", "core.pager", "diff.external"]) git(repository.folder, "config", key, script);
    await repository.commitIteration({ id: "it-1", subject: "x", change });
    await repository.iterations();
    expect(existsSync(trap)).toBe(false);
  });
});
