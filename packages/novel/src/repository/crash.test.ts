import { execFileSync } from "node:child_process";
import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
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
import { openRepository } from "./repository.ts";

/** Every call and every way to die with `CRASH_POINTS=all`, which takes minutes; else a spread of them. */
const STEP = process.env.CRASH_POINTS === "all" ? 1 : 7;

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

  it("while a hook runs that goes on without it: the commit is made", async () => {
    const { folder } = await openNovel();
    const file = join(temporaryFolder(), "commit.json");
    writeFileSync(file, JSON.stringify(commit));
    addHook(folder, "pre-commit", "touch .git/begun; sleep 1");
    const death = { whenThere: join(folder, ".git/begun") };
    const { isKilled } = await runCommitter({ folder, act: "commit", file, bin: temporaryFolder() }, death);
    expect(isKilled).toBe(true);
    const repository = await openRepository(folder);
    expect(treeOf(folder)).toEqual(changed);
    expectWhole(folder);
    await repository.commitIteration(commit);
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
  /** A project whose files were written by a process that died before it committed them. */
  async function leaveBehind(): Promise<string> {
    const { folder } = await openNovel();
    const file = join(temporaryFolder(), "commit.json");
    writeFileSync(file, JSON.stringify(commit));
    // The machine goes down with git at work: its hook never ends by itself.
    addHook(folder, "pre-commit", "touch .git/begun; exec sleep 600");
    const death = { whenThere: join(folder, ".git/begun") };
    const { isKilled } = await runCommitter({ folder, act: "commit", file, bin: temporaryFolder() }, death);
    expect(isKilled).toBe(true);
    const { group } = JSON.parse(readFileSync(join(folder, ".git/loopwright/pending.json"), "utf8"));
    process.kill(-group, "SIGKILL");
    rmSync(join(folder, ".git/hooks/pre-commit"));
    expect(treeOf(folder)).toEqual(changed);
    return folder;
  }

  it("is taken back with the lock that its git left, and committed when it is asked for again", async () => {
    const folder = await leaveBehind();
    expect(existsSync(join(folder, ".git/index.lock"))).toBe(true);
    const repository = await openRepository(folder);
    expect(treeOf(folder)).toEqual(firstFiles);
    expectWhole(folder);
    await repository.commitIteration(commit);
    expect(treeOf(folder)).toEqual(changed);
    expectWhole(folder);
  });

  it("is not confused with what a person wrote after its death", async () => {
    const folder = await leaveBehind();
    const mine = { "chapter-beats/chapter-01.md": "By hand, before anyone looked.\n" };
    fill(folder, mine);
    const repository = await openRepository(folder);
    expect(treeOf(folder)).toEqual({ ...firstFiles, ...mine });
    expect(await repository.handEdits()).toEqual([{ part: "chapters", paths: ["chapter-beats/chapter-01.md"] }]);
    await expect(repository.commitIteration(commit)).rejects.toMatchObject({ code: "HAND_EDITED" });
    expect(treeOf(folder)).toEqual({ ...firstFiles, ...mine });
  });

  it("stays with a person who has committed what they found", async () => {
    const folder = await leaveBehind();
    rmSync(join(folder, ".git/index.lock"));
    git(folder, "add", "--all");
    git(folder, "commit", "--quiet", "-m", "mine");
    const repository = await openRepository(folder);
    expect(treeOf(folder)).toEqual(changed);
    expect(await repository.handEdits()).toEqual([]);
    expectWhole(folder);
  });

  it("is not a lock of another git, of which it is said what to do", async () => {
    const { folder } = await openNovel();
    const lock = join(folder, ".git/index.lock");
    writeFileSync(lock, "");
    const repository = await openRepository(folder);
    await expect(repository.commitIteration(commit)).rejects.toMatchObject({
      code: "REPOSITORY_STATE",
      message: expect.stringContaining(`rm "${lock}"`),
    });
    expect(existsSync(lock)).toBe(true);
    expect(treeOf(folder)).toEqual(firstFiles);
  });
});

describe("a disk that is full", () => {
  it.runIf(process.getuid?.() === 0)("stops a commit with words, and nothing is half written", async () => {
    const { folder } = await openNovel();
    const small = join(temporaryFolder(), "small");
    mkdirSync(small);
    execFileSync("mount", ["-t", "tmpfs", "-o", "size=2m", "none", small]);
    try {
      execFileSync("cp", ["-r", `${folder}/.`, small]);
      git(small, "update-index", "-q", "--refresh");
      const before = treeOf(small);
      const repository = await openRepository(small);
      const long = {
        ...commit.change,
        write: [...commit.change.write, { path: "chapters/chapter-02.md", content: "a".repeat(3_000_000) }],
      };
      await expect(repository.commitIteration({ ...commit, change: long })).rejects.toMatchObject({
        code: "NOT_WRITABLE",
      });
      expect(treeOf(small)).toEqual(before);
      expectWhole(small);
      await repository.commitIteration(commit);
      expect(treeOf(small)).toEqual(changed);
    } finally {
      execFileSync("umount", [small]);
    }
  });
});
