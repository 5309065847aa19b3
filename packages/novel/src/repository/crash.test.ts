import { execFileSync } from "node:child_process";
import { appendFileSync, existsSync, linkSync, mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { type Death, runCommitter, sides } from "../../../../test/fixtures/novel-repository/killing.ts";
import {
  addHook,
  copyNovel,
  firstFiles,
  git,
  openNovel,
  subjects,
  treeOf,
} from "../../../../test/fixtures/novel-repository/project.ts";
import { fill, temporaryFolder } from "../../../../test/fixtures/workspaces/workspace.ts";
import { openRepository } from "./index.ts";

/** Every call and every way to die with `CRASH_POINTS=all`, which takes minutes; else a spread of them. */
const STEP = process.env.CRASH_POINTS === "all" ? 1 : 23;

const commit = {
  id: "it-1",
  subject: "[chapters] Make it darker",
  change: {
    write: [
      { path: "chapter-beats/chapter-01.md", content: "# One\n\nDark.\n" },
      { path: "chapter-beats/chapter-03.md", content: "# Three\n" },
    ],
    remove: ["chapters/chapter-01.md"],
  },
};
const changed = {
  ".gitignore": firstFiles[".gitignore"],
  "chapter-beats/chapter-01.md": "# One\n\nDark.\n",
  "chapter-beats/chapter-02.md": firstFiles["chapter-beats/chapter-02.md"],
  "chapter-beats/chapter-03.md": "# Three\n",
  "chapter-beats/foundation.md": firstFiles["chapter-beats/foundation.md"],
  "project.yaml": firstFiles["project.yaml"],
  "taxonomy.json": firstFiles["taxonomy.json"],
};

/** Nothing is left half done: git sees a clean work tree, no lock and no mark lie around, every object is whole. */
function expectWhole(folder: string): void {
  expect(git(folder, "status", "--porcelain")).toBe("");
  expect(existsSync(join(folder, ".git/index.lock"))).toBe(false);
  expect(existsSync(join(folder, ".git/loopwright/pending.json"))).toBe(false);
  expect(readdirSync(join(folder, ".git/refs/heads"))).toEqual(["main"]);
  expect(git(folder, "fsck", "--no-dangling")).toBe("");
}

/** A spread of deaths over the calls that an undisturbed process makes. */
function deaths(calls: number, offset: number): Death[] {
  const all = Array.from({ length: calls }, (_, at) => at + 1).flatMap((call) => sides.map((side) => ({ call, side })));
  return all.filter((_, at) => (at + offset) % STEP === 0);
}

async function countCalls(folder: string, act: "commit" | "hand-edit" | "undo", file = ""): Promise<number> {
  const { calls, stderr } = await runCommitter({ folder, act, file, bin: temporaryFolder() });
  expect(stderr).toBe("");
  return calls;
}

describe("a process killed while it commits an iteration", () => {
  for (const hook of ["", "exit 0", "sed -i s/Dark/Darker/ chapter-beats/chapter-01.md; git add chapter-beats"]) {
    it(`leaves all or nothing once the project is opened, and doing it again completes it (hook: ${hook || "none"})`, async () => {
      const bin = temporaryFolder();
      const file = join(temporaryFolder(), "commit.json");
      writeFileSync(file, JSON.stringify(commit));
      const original = await openNovel();
      if (hook) addHook(original.folder, "pre-commit", hook);
      const calls = await countCalls(copyNovel(original), "commit", file);
      const after = hook.includes("Darker")
        ? { ...changed, "chapter-beats/chapter-01.md": "# One\n\nDarker.\n" }
        : changed;
      for (const death of deaths(calls, hook.length)) {
        const folder = copyNovel(original);
        const { isKilled } = await runCommitter({ folder, act: "commit", file, bin }, death);
        const repository = await openRepository(folder);
        const name = `${JSON.stringify(death)} ${isKilled}`;
        expect([after, firstFiles], name).toContainEqual(treeOf(folder));
        expect(await repository.handEdits(), name).toEqual([]);
        expectWhole(folder);
        const { sha } = await repository.commitIteration(commit);
        expect(treeOf(folder), name).toEqual(after);
        expect(subjects(folder), name).toEqual([commit.subject, "[project] begin"]);
        expect(git(folder, "rev-parse", "HEAD")).toBe(sha);
        expectWhole(folder);
      }
    }, 900_000);
  }

  it("while a hook runs that goes on without it: what the hook does then is taken back too", async () => {
    const { folder } = await openNovel();
    const file = join(temporaryFolder(), "commit.json");
    writeFileSync(file, JSON.stringify(commit));
    const script =
      "touch .git/begun; sleep 1; sed -i s/Dark/Darker/ chapter-beats/chapter-01.md; git add chapter-beats";
    addHook(folder, "pre-commit", script);
    const death = { whenThere: join(folder, ".git/begun") };
    const { isKilled } = await runCommitter({ folder, act: "commit", file, bin: temporaryFolder() }, death);
    expect(isKilled).toBe(true);
    expect(treeOf(folder)).toEqual(changed);
    const repository = await openRepository(folder);
    expect(treeOf(folder)).toEqual(firstFiles);
    expectWhole(folder);
    await repository.commitIteration(commit);
    expect(await repository.fileAt("HEAD", "chapter-beats/chapter-01.md")).toBe("# One\n\nDarker.\n");
  }, 120_000);

  it("at any time, with two hundred chapters, leaves none of them half written", async () => {
    const bin = temporaryFolder();
    const file = join(temporaryFolder(), "commit.json");
    const chapters = Array.from({ length: 200 }, (_, at) => ({
      path: `chapters/chapter-${String(at + 1).padStart(2, "0")}.md`,
      content: `# ${at}\n\n${"words ".repeat(200)}\n`,
    }));
    const big = { id: "it-1", subject: "[prose] generate", change: { write: chapters, remove: ["taxonomy.json"] } };
    writeFileSync(file, JSON.stringify(big));
    const original = await openNovel();
    const start = performance.now();
    await runCommitter({ folder: copyNovel(original), act: "commit", file, bin });
    const whole = performance.now() - start;
    const rounds = STEP === 1 ? 40 : 6;
    for (let round = 0; round < rounds; round++) {
      const folder = copyNovel(original);
      const afterMs = whole * (0.2 + (0.8 * round) / rounds);
      await runCommitter({ folder, act: "commit", file, bin }, { afterMs });
      const repository = await openRepository(folder);
      const found = Object.keys(treeOf(folder)).length;
      expect([Object.keys(firstFiles).length, Object.keys(firstFiles).length + 198]).toContain(found);
      await repository.commitIteration(big);
      expect(git(folder, "status", "--porcelain")).toBe("");
      expect(subjects(folder)).toEqual(["[prose] generate", "[project] begin"]);
    }
  }, 900_000);
});

describe("a process killed while it undoes", () => {
  it("leaves the iteration done or undone, never half", async () => {
    const bin = temporaryFolder();
    const original = await openNovel();
    await original.commitIteration(commit);
    const calls = await countCalls(copyNovel(original), "undo");
    for (const death of deaths(calls, 4)) {
      const folder = copyNovel(original);
      await runCommitter({ folder, act: "undo", bin }, death);
      const repository = await openRepository(folder);
      const [iteration] = await repository.iterations();
      expect(treeOf(folder), JSON.stringify(death)).toEqual(iteration!.isUndone ? firstFiles : changed);
      expectWhole(folder);
      expect((await (iteration!.isUndone ? repository.redo() : repository.undo())).refused).toBeUndefined();
      expectWhole(folder);
    }
  }, 900_000);
});

describe("a process killed while it commits a hand edit", () => {
  it("never touches what a person wrote", async () => {
    const bin = temporaryFolder();
    const original = await openNovel();
    appendFileSync(join(original.folder, "chapters/chapter-01.md"), "By hand.\n");
    fill(original.folder, { "chapter-beats/chapter-03.md": "# Mine\n" });
    const calls = await countCalls(copyNovel(original), "hand-edit");
    for (const death of deaths(calls, 2)) {
      const folder = copyNovel(original);
      const before = treeOf(folder);
      await runCommitter({ folder, act: "hand-edit", bin }, death);
      const repository = await openRepository(folder);
      expect(treeOf(folder), JSON.stringify(death)).toEqual(before);
      await repository.commitHandEdits();
      expect(treeOf(folder)).toEqual(before);
      expect(subjects(folder)).toEqual(["[prose] hand edit", "[chapters] hand edit", "[project] begin"]);
      expectWhole(folder);
    }
  }, 900_000);
});

describe("what a dead process left", () => {
  /** The call before which it has to die for that; found once. */
  let deadly: number | undefined;

  /** A project whose branch was moved by a process that died before it wrote a file. */
  async function leaveBehind(): Promise<string> {
    const original = await openNovel();
    const bin = temporaryFolder();
    const file = join(temporaryFolder(), "commit.json");
    writeFileSync(file, JSON.stringify(commit));
    for (deadly ??= await countCalls(copyNovel(original), "commit", file); ; deadly--) {
      const folder = copyNovel(original);
      await runCommitter({ folder, act: "commit", file, bin }, { call: deadly, side: "before" });
      if (existsSync(join(folder, "chapters/chapter-01.md"))) return folder;
    }
  }

  it("is not confused with what a person wrote after its death", async () => {
    const folder = await leaveBehind();
    expect(subjects(folder)[0]).toBe(commit.subject);
    writeFileSync(join(folder, "chapter-beats/chapter-01.md"), "By hand, before anyone looked.\n");
    const repository = await openRepository(folder);
    expect(treeOf(folder)).toEqual({ ...changed, "chapter-beats/chapter-01.md": "By hand, before anyone looked.\n" });
    expect(await repository.handEdits()).toEqual([{ part: "chapters", paths: ["chapter-beats/chapter-01.md"] }]);
  }, 120_000);

  it("is dropped where a person has moved the branch since", async () => {
    const folder = await leaveBehind();
    git(folder, "reset", "--quiet", "--hard", "HEAD~1");
    git(folder, "commit", "--quiet", "--allow-empty", "-m", "mine");
    await openRepository(folder);
    expect(treeOf(folder)).toEqual(firstFiles);
    expectWhole(folder);
  }, 120_000);

  it("is completed also where a person has committed something else on top of it", async () => {
    const folder = await leaveBehind();
    fill(folder, { "notes.txt": "mine\n" });
    git(folder, "add", "notes.txt");
    git(folder, "commit", "--quiet", "--only", "notes.txt", "-m", "mine");
    const repository = await openRepository(folder);
    expect(treeOf(folder)).toEqual({ ...changed, "notes.txt": "mine\n" });
    expect(await repository.handEdits()).toEqual([]);
    expectWhole(folder);
  }, 120_000);

  it("stays with a person who has committed what they found", async () => {
    const folder = await leaveBehind();
    git(folder, "commit", "--quiet", "--all", "-m", "mine");
    const repository = await openRepository(folder);
    expect(treeOf(folder)).toMatchObject({ "chapters/chapter-01.md": firstFiles["chapters/chapter-01.md"] });
    expect(await repository.isClean()).toBe(true);
  }, 120_000);

  it("is completed by the process that is under way next, without opening the project anew", async () => {
    const folder = await leaveBehind();
    const repository = await openRepository(folder);
    const mark = { parent: git(folder, "rev-parse", "HEAD~1"), commit: git(folder, "rev-parse", "HEAD") };
    fill(folder, { "chapter-beats/chapter-01.md": firstFiles["chapter-beats/chapter-01.md"]! });
    const pending = { ...mark, staged: git(folder, "rev-parse", "HEAD^{tree}"), index: "/gone", isFromWorkTree: false };
    writeFileSync(join(folder, ".git/loopwright/pending.json"), JSON.stringify(pending));
    expect(await repository.handEdits()).toEqual([]);
    expect(treeOf(folder)).toEqual(changed);
  }, 120_000);

  it("among it a lock of the index, which is told from another's", async () => {
    const folder = await leaveBehind();
    const [lock, claim] = [join(folder, ".git/index.lock"), join(folder, ".git/loopwright/index-claim")];
    writeFileSync(claim, "");
    linkSync(claim, lock);
    await openRepository(folder);
    expectWhole(folder);
    const other = await leaveBehind();
    writeFileSync(join(other, ".git/index.lock"), "");
    await expect(openRepository(other)).rejects.toMatchObject({ code: "INDEX_LOCKED" });
    expect(existsSync(join(other, ".git/index.lock"))).toBe(true);
    rmSync(join(other, ".git/index.lock"));
    await openRepository(other);
    expectWhole(other);
  }, 120_000);

  it("among it what a hook had added, though a git died over it", async () => {
    const { folder } = await openNovel();
    const draft = join(folder, ".git/loopwright/draft-left");
    const index = join(draft, "index");
    const parent = git(folder, "rev-parse", "HEAD");
    fill(folder, { "chapters/chapter-01.md": "staged\n" });
    git(folder, "commit", "--quiet", "--all", "-m", "for its tree");
    const staged = git(folder, "rev-parse", "HEAD^{tree}");
    git(folder, "reset", "--quiet", "--hard", parent);
    fill(folder, { "chapters/chapter-01.md": "hooked\n" });
    mkdirSync(draft);
    execFileSync("git", ["add", "--all"], { cwd: folder, env: { ...process.env, GIT_INDEX_FILE: index } });
    writeFileSync(`${index}.lock`, "");
    const pending = { parent, staged, index, isFromWorkTree: false };
    writeFileSync(join(folder, ".git/loopwright/pending.json"), JSON.stringify(pending));
    await openRepository(folder);
    expect(treeOf(folder)).toEqual(firstFiles);
    expectWhole(folder);
  }, 120_000);

  it("among it locks of the branch, which are told from another's", async () => {
    const original = await openNovel();
    const { folder } = original;
    const head = git(folder, "rev-parse", "HEAD");
    const tree = git(folder, "rev-parse", "HEAD^{tree}");
    const next = git(folder, "commit-tree", tree, "-p", head, "-m", "next");
    const pending = { parent: head, commit: next, staged: tree, index: "/gone", isFromWorkTree: false };
    for (const [text, isOurs] of [
      [`${next}\n`, true],
      ["", true],
      [`${"1".repeat(40)}\n`, false],
    ] as const) {
      const lock = join(folder, ".git/refs/heads/main.lock");
      writeFileSync(join(folder, ".git/loopwright/pending.json"), JSON.stringify(pending));
      writeFileSync(lock, text);
      await openRepository(folder);
      expect(existsSync(lock)).toBe(!isOurs);
    }
  }, 120_000);
});
