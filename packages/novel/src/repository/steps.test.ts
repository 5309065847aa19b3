import { appendFileSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import {
  addHook,
  firstFiles,
  git,
  openNovel,
  subjects,
  treeOf,
} from "../../../../test/fixtures/novel-repository/project.ts";
import { fill } from "../../../../test/fixtures/workspaces/workspace.ts";
import type { Repository } from "./repository.ts";

const beats = "chapter-beats/chapter-01.md";
const history = "chapter-beats/iteration_history.json";

/** Commits an iteration of the chapters, with its history, and the prose culled where it is told. */
async function iterate(repository: Repository, id: string, content: string, remove: string[] = []): Promise<void> {
  const before = readOr(repository, history, "[]");
  const write = [
    { path: beats, content },
    { path: history, content: `${JSON.stringify([id, ...JSON.parse(before)], null, 2)}\n` },
  ];
  await repository.commitIteration({ id, subject: `[chapters] ${id}`, change: { write, remove } });
}

function readOr({ folder }: Repository, path: string, otherwise: string): string {
  return existsSync(join(folder, path)) ? readFileSync(join(folder, path), "utf8") : otherwise;
}

describe("undo", () => {
  it("restores everything: content, culled files and history", async () => {
    const repository = await openNovel();
    await iterate(repository, "darker", "# One\n\nDark.\n", ["chapters/chapter-01.md"]);
    const step = await repository.undo();
    expect(step).toMatchObject({
      iteration: { id: "darker", isUndone: true },
      subject: "[chapters] undo: darker",
      paths: [beats, history, "chapters/chapter-01.md"],
    });
    expect(treeOf(repository.folder)).toEqual(firstFiles);
    expect(git(repository.folder, "status", "--porcelain")).toBe("");
    expect(git(repository.folder, "rev-parse", "HEAD^{tree}")).toBe(
      git(repository.folder, "rev-parse", "HEAD~2^{tree}"),
    );
  });

  it("loses nothing: the iteration stays in the history, and redo brings it back", async () => {
    const repository = await openNovel();
    await iterate(repository, "darker", "# One\n\nDark.\n", ["chapters/chapter-01.md"]);
    const after = treeOf(repository.folder);
    await repository.undo();
    expect(await repository.redo()).toMatchObject({ iteration: { id: "darker", isUndone: false } });
    expect(treeOf(repository.folder)).toEqual(after);
    expect(git(repository.folder, "status", "--porcelain")).toBe("");
    expect(subjects(repository.folder)).toEqual([
      "[chapters] redo: darker",
      "[chapters] undo: darker",
      "[chapters] darker",
      "[project] begin",
    ]);
  });

  it("goes back step by step, and forth again, as often as one likes", async () => {
    const repository = await openNovel();
    const states = [treeOf(repository.folder)];
    for (const id of ["one", "two", "three"]) {
      await iterate(repository, id, `# One\n\n${id}\n`);
      states.push(treeOf(repository.folder));
    }
    for (const round of [1, 2]) {
      for (const at of [2, 1, 0]) {
        expect((await repository.undo()).refused, `undo ${round}`).toBeUndefined();
        expect(treeOf(repository.folder)).toEqual(states[at]);
      }
      expect((await repository.iterations()).every(({ isUndone }) => isUndone)).toBe(true);
      for (const at of [1, 2, 3]) {
        expect((await repository.redo()).refused, `redo ${round}`).toBeUndefined();
        expect(treeOf(repository.folder)).toEqual(states[at]);
      }
    }
    expect((await repository.iterations()).map(({ id, isUndone }) => [id, isUndone])).toEqual([
      ["three", false],
      ["two", false],
      ["one", false],
    ]);
  });

  it("says that there is nothing to undo or redo", async () => {
    const repository = await openNovel();
    expect((await repository.undo()).refused).toContain("no iteration was accepted yet");
    expect((await repository.redo()).refused).toContain("nothing to redo");
    await iterate(repository, "one", "# One\n\n1\n");
    await repository.undo();
    expect((await repository.undo()).refused).toContain("Type /redo");
  });

  it("cannot redo what another iteration has taken the place of", async () => {
    const repository = await openNovel();
    await iterate(repository, "one", "# One\n\n1\n");
    await repository.undo();
    await iterate(repository, "two", "# One\n\n2\n");
    expect((await repository.redo()).refused).toContain("nothing to redo");
    expect((await repository.undo()).iteration?.id).toBe("two");
    expect((await repository.redo()).iteration?.id).toBe("two");
  });

  it("keeps a hand edit that was made after, in another file", async () => {
    const repository = await openNovel();
    await iterate(repository, "one", "# One\n\n1\n");
    appendFileSync(join(repository.folder, "chapter-beats/chapter-02.md"), "By hand.\n");
    expect((await repository.undo()).refused).toBeUndefined();
    expect(treeOf(repository.folder)).toEqual({
      ...firstFiles,
      "chapter-beats/chapter-02.md": "# Two\n\nShe wakes.\nBy hand.\n",
    });
    expect(subjects(repository.folder).slice(0, 2)).toEqual(["[chapters] undo: one", "[chapters] hand edit"]);
  });

  it("keeps a hand edit in other lines of the same file, and so does redo", async () => {
    const repository = await openNovel();
    await iterate(repository, "one", firstFiles[beats]!.replace("He wakes.", "He wakes in the dark."));
    const path = join(repository.folder, beats);
    writeFileSync(path, readFileSync(path, "utf8").replace("He sleeps.", "He cannot sleep."));
    expect((await repository.undo()).refused).toBeUndefined();
    expect(readFileSync(path, "utf8")).toBe("# One\n\nHe wakes.\n\nHe walks.\n\nHe cannot sleep.\n");
    expect((await repository.redo()).refused).toBeUndefined();
    expect(readFileSync(path, "utf8")).toBe("# One\n\nHe wakes in the dark.\n\nHe walks.\n\nHe cannot sleep.\n");
    expect(await repository.handEdits()).toEqual([]);
  });

  it("refuses where a hand edit changed the same lines, and what it says to type helps", async () => {
    const repository = await openNovel();
    await iterate(repository, "one", firstFiles[beats]!.replace("He wakes.", "He wakes in the dark."));
    const path = join(repository.folder, beats);
    writeFileSync(path, readFileSync(path, "utf8").replace("in the dark", "in the deepest dark"));
    const before = treeOf(repository.folder);
    const { refused } = await repository.undo();
    expect(refused).toContain(beats);
    expect(refused).toContain("[chapters] hand edit");
    expect(treeOf(repository.folder)).toEqual(before);
    expect(git(repository.folder, "status", "--porcelain")).toBe("");
    const [, args] = /type in a shell: git (.*)$/m.exec(refused!)!;
    git(repository.folder, ...args!.split(" "));
    expect((await repository.undo()).refused).toBeUndefined();
    expect(treeOf(repository.folder)).toEqual(firstFiles);
  });

  it("refuses to remove a file that a person has written on since", async () => {
    const repository = await openNovel();
    const write = [{ path: "chapters/chapter-02.md", content: "# Two\n" }];
    await repository.commitIteration({ id: "new", subject: "[prose] new", change: { write, remove: [] } });
    appendFileSync(join(repository.folder, "chapters/chapter-02.md"), "By hand.\n");
    expect((await repository.undo()).refused).toContain("chapters/chapter-02.md");
    expect(readFileSync(join(repository.folder, "chapters/chapter-02.md"), "utf8")).toContain("By hand.");
  });

  it("refuses to bring back a culled file where a person has written another one", async () => {
    const repository = await openNovel();
    await iterate(repository, "one", "# One\n\n1\n", ["chapters/chapter-01.md"]);
    const own = { "chapters/chapter-01.md": "# One\n\nMy own words.\n" };
    fill(repository.folder, own);
    expect((await repository.undo()).refused).toContain("chapters/chapter-01.md");
    expect(treeOf(repository.folder)).toMatchObject(own);
  });

  it("refuses where a file that git ignores lies in the way, and a hook that refuses does not cost it", async () => {
    const repository = await openNovel();
    await iterate(repository, "one", "# One\n\n1\n", ["chapters/chapter-01.md"]);
    writeFileSync(join(repository.folder, ".git/info/exclude"), "chapters/\n");
    addHook(repository.folder, "pre-commit", "exit 1");
    const own = { "chapters/chapter-01.md": "# One\n\nNowhere else.\n" };
    fill(repository.folder, own);
    expect((await repository.undo()).refused).toContain("chapters/chapter-01.md");
    expect(treeOf(repository.folder)).toMatchObject(own);
  });

  it("never leaves a JSON file that is none", async () => {
    const premise = "premise/premise_metadata.json";
    const lines = ["{", '  "title": "A",', "", '  "hook": "x",', "", '  "stakes": "low"', "}", ""];
    const repository = await openNovel({ ...firstFiles, [premise]: lines.join("\n") });
    const added = [...lines.slice(0, 5), '  "stakes": "low",', "", '  "tone": "dark"', "}", ""].join("\n");
    await repository.commitIteration({
      id: "one",
      subject: "[premise] one",
      change: { write: [{ path: premise, content: added }], remove: [] },
    });
    writeFileSync(join(repository.folder, premise), added.replace('"title": "A",', '"title": "B",'));
    expect((await repository.undo()).refused).toBeUndefined();
    expect(JSON.parse(readFileSync(join(repository.folder, premise), "utf8"))).toEqual({
      title: "B",
      hook: "x",
      stakes: "low",
    });
  });

  it("understands what a person reverts and resets with git", async () => {
    const repository = await openNovel();
    await iterate(repository, "one", "# One\n\n1\n");
    await iterate(repository, "two", "# One\n\n2\n");
    git(repository.folder, "revert", "--no-edit", "HEAD");
    expect((await repository.iterations()).map(({ id, isUndone }) => [id, isUndone])).toEqual([
      ["two", true],
      ["one", false],
    ]);
    expect((await repository.redo()).iteration?.id).toBe("two");
    expect(readFileSync(join(repository.folder, beats), "utf8")).toBe("# One\n\n2\n");
    git(repository.folder, "reset", "--quiet", "--hard", "HEAD~3");
    expect((await repository.iterations()).map(({ id }) => id)).toEqual(["one"]);
    expect((await repository.undo()).iteration?.id).toBe("one");
    expect(treeOf(repository.folder)).toEqual(firstFiles);
  });

  it("does nothing in a repository that is not in a state for it, or whose hook refuses", async () => {
    const repository = await openNovel();
    await iterate(repository, "one", "# One\n\n1\n");
    const before = treeOf(repository.folder);
    addHook(repository.folder, "pre-commit", "echo no, not today >&2; exit 1");
    expect((await repository.undo()).refused).toContain("no, not today");
    expect(treeOf(repository.folder)).toEqual(before);
    git(repository.folder, "checkout", "--quiet", "--detach");
    expect((await repository.undo()).refused).toContain("git switch main");
    expect(treeOf(repository.folder)).toEqual(before);
  });
});
