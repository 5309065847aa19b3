import { execFileSync } from "node:child_process";
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import {
  firstFiles,
  git,
  nameUser,
  openNovel,
  subjects,
  treeOf,
} from "../../../../test/fixtures/novel-repository/project.ts";
import { fill, temporaryFolder } from "../../../../test/fixtures/workspaces/workspace.ts";
import { openRepository } from "./repository.ts";

const beats = "chapter-beats/chapter-01.md";
const darker = {
  id: "it-1",
  subject: "[chapters] Make chapter 1 darker",
  change: {
    write: [
      { path: beats, content: "# One\n\nHe wakes in the dark.\n\nHe walks.\n\nHe sleeps.\n" },
      { path: "chapter-beats/chapter-03.md", content: "# Three\n\nA new one. 🕯️ שלום\n" },
      { path: "chapter-beats/iteration_history.json", content: '{"iterations":[]}\n' },
    ],
    remove: ["chapters/chapter-01.md"],
  },
};
const writing = (id: string, files: Record<string, string>) => ({
  id,
  subject: `[chapters] ${id}`,
  change: { write: Object.entries(files).map(([path, content]) => ({ path, content })), remove: [] },
});

describe("an accepted iteration", () => {
  it("is one commit that holds what is written and what is removed, and the work tree is at it", async () => {
    const repository = await openNovel();
    const { sha } = await repository.commitIteration(darker);
    expect(git(repository.folder, "rev-parse", "HEAD")).toBe(sha);
    expect(git(repository.folder, "status", "--porcelain")).toBe("");
    expect(git(repository.folder, "show", "--format=", "--name-status", "HEAD").split("\n")).toEqual([
      "M\tchapter-beats/chapter-01.md",
      "A\tchapter-beats/chapter-03.md",
      "A\tchapter-beats/iteration_history.json",
      "D\tchapters/chapter-01.md",
    ]);
    expect(readFileSync(join(repository.folder, "chapter-beats/chapter-03.md"), "utf8")).toContain("🕯️ שלום");
    expect(existsSync(join(repository.folder, "chapters"))).toBe(false);
    expect(git(repository.folder, "log", "-1", "--format=%an <%ae>")).toBe("A Writer <writer@example.com>");
    expect(git(repository.folder, "fsck", "--strict", "--no-dangling")).toBe("");
  });

  it("is found by its id, whatever its feedback says of ids", async () => {
    const repository = await openNovel();
    const body = "Make it so.\n\nLoopwright-Iteration: forged";
    const { sha } = await repository.commitIteration({ ...darker, body });
    expect(await repository.shaOf("it-1")).toBe(sha);
    expect(await repository.shaOf("forged")).toBeUndefined();
    expect([...(await repository.shas())]).toEqual([["it-1", sha]]);
    expect(await repository.iterations()).toEqual([
      { id: "it-1", sha, subject: darker.subject, date: expect.stringMatching(/^\d{4}-\d\d-\d\dT/), isUndone: false },
    ]);
  });

  it("is committed once, however often it is asked for", async () => {
    const repository = await openNovel();
    const first = await repository.commitIteration(darker);
    appendFileSync(join(repository.folder, beats), "More by hand.\n");
    const again = await (await openRepository(repository.folder)).commitIteration(darker);
    expect(again).toEqual(first);
    expect(subjects(repository.folder)).toHaveLength(2);
    expect(readFileSync(join(repository.folder, beats), "utf8")).toContain("More by hand.");
  });

  it("leaves what is staged elsewhere staged, and what lies around untouched", async () => {
    const repository = await openNovel();
    fill(repository.folder, { "notes.txt": "mine\n", "staged.txt": "staged\n", "chapters/cover.png": "picture\n" });
    git(repository.folder, "add", "staged.txt");
    await repository.commitIteration(darker);
    expect(git(repository.folder, "status", "--porcelain").split("\n")).toEqual([
      "A  staged.txt",
      "?? chapters/",
      "?? notes.txt",
    ]);
    expect(git(repository.folder, "show", "--format=", "--name-only", "HEAD")).not.toContain("staged.txt");
  });

  it("is declined by doing nothing: the tree and git's view of it stay byte for byte", async () => {
    const repository = await openNovel();
    const before = [treeOf(repository.folder), git(repository.folder, "rev-parse", "HEAD")];
    await repository.check();
    await repository.handEdits();
    expect(await repository.handEdits()).toEqual([]);
    expect([treeOf(repository.folder), git(repository.folder, "rev-parse", "HEAD")]).toEqual(before);
    expect(git(repository.folder, "status", "--porcelain")).toBe("");
  });

  it("never writes over a file that was edited by hand meanwhile", async () => {
    const repository = await openNovel();
    appendFileSync(join(repository.folder, beats), "By hand.\n");
    const before = treeOf(repository.folder);
    await expect(repository.commitIteration(darker)).rejects.toMatchObject({
      code: "HAND_EDITED",
      data: { paths: beats },
      message: expect.stringContaining("what was edited is taken in"),
    });
    expect(treeOf(repository.folder)).toEqual(before);
    expect(subjects(repository.folder)).toEqual(["[project] begin"]);
  });

  it("never writes over a file that git does not know, ignored or not", async () => {
    const repository = await openNovel();
    for (const ignored of ["", "chapter-beats/chapter-03.md\n"]) {
      writeFileSync(join(repository.folder, ".git/info/exclude"), ignored);
      fill(repository.folder, { "chapter-beats/chapter-03.md": "my own third chapter\n" });
      await expect(repository.commitIteration(darker)).rejects.toMatchObject({ code: "HAND_EDITED" });
      expect(readFileSync(join(repository.folder, "chapter-beats/chapter-03.md"), "utf8")).toBe(
        "my own third chapter\n",
      );
    }
  });

  it("never writes over an edited file that is none of the project's parts", async () => {
    const repository = await openNovel({ ...firstFiles, "notes.md": "first\n" });
    git(repository.folder, "add", "notes.md");
    git(repository.folder, "commit", "--quiet", "-m", "notes");
    fill(repository.folder, { "notes.md": "by hand\n" });
    const change = writing("it-1", { "notes.md": "generated\n" });
    await expect(repository.commitIteration(change)).rejects.toMatchObject({ code: "HAND_EDITED" });
    expect(readFileSync(join(repository.folder, "notes.md"), "utf8")).toBe("by hand\n");
  });

  it("never removes a file that was edited by hand meanwhile", async () => {
    const repository = await openNovel();
    appendFileSync(join(repository.folder, "chapters/chapter-01.md"), "By hand.\n");
    await expect(repository.commitIteration(darker)).rejects.toMatchObject({ code: "HAND_EDITED" });
    expect(readFileSync(join(repository.folder, "chapters/chapter-01.md"), "utf8")).toContain("By hand.");
  });

  it("lets a hand edit of another file be", async () => {
    const repository = await openNovel();
    appendFileSync(join(repository.folder, "chapter-beats/chapter-02.md"), "By hand.\n");
    await repository.commitIteration(darker);
    expect(await repository.handEdits()).toEqual([{ part: "chapters", paths: ["chapter-beats/chapter-02.md"] }]);
    expect(readFileSync(join(repository.folder, "chapter-beats/chapter-02.md"), "utf8")).toContain("By hand.");
  });

  it("is refused where the files that it changes were committed otherwise since it began", async () => {
    const repository = await openNovel();
    const base = await repository.head();
    appendFileSync(join(repository.folder, beats), "By hand.\n");
    await repository.commitHandEdits();
    const before = treeOf(repository.folder);
    await expect(repository.commitIteration({ ...darker, base })).rejects.toMatchObject({ code: "HAND_EDITED" });
    expect(treeOf(repository.folder)).toEqual(before);
  });

  it("says so where the commit that it began from is gone", async () => {
    const repository = await openNovel();
    await expect(repository.commitIteration({ ...darker, base: "1".repeat(40) })).rejects.toThrow();
    expect(subjects(repository.folder)).toEqual(["[project] begin"]);
  });

  it("is committed even where it changes nothing, so that it is known", async () => {
    const repository = await openNovel();
    const { sha } = await repository.commitIteration(writing("it-0", {}));
    expect(await repository.shaOf("it-0")).toBe(sha);
  });

  it("names no path outside the project", async () => {
    const repository = await openNovel();
    for (const path of [
      "../out.md",
      "/etc/out.md",
      ".git/config",
      ".GIT/hooks/pre-commit",
      "a\\b.md",
      "a\nb.md",
      "./a.md",
    ])
      await expect(repository.commitIteration(writing("it-x", { [path]: "x" }))).rejects.toMatchObject({
        code: "BAD_PATH",
      });
    await expect(repository.commitIteration(writing("two words", {}))).rejects.toMatchObject({
      code: "BAD_ITERATION_ID",
    });
    expect(existsSync(join(repository.folder, "../out.md"))).toBe(false);
  });

  it("is not written through a link, nor over a folder", async () => {
    const repository = await openNovel();
    const outside = temporaryFolder();
    symlinkSync(outside, join(repository.folder, "premise"));
    await expect(
      repository.commitIteration(writing("it-x", { "premise/premise_metadata.json": "{}\n" })),
    ).rejects.toMatchObject({ code: "NOT_WRITABLE" });
    mkdirSync(join(repository.folder, "chapters/chapter-09.md"));
    await expect(
      repository.commitIteration(writing("it-y", { "chapters/chapter-09.md": "x\n" })),
    ).rejects.toMatchObject({ code: "NOT_WRITABLE" });
    expect(treeOf(outside)).toEqual({});
    expect(subjects(repository.folder)).toEqual(["[project] begin"]);
  });

  it("is stored with line ends as the repository's attributes want them", async () => {
    const repository = await openNovel({ ...firstFiles, ".gitattributes": "*.md text eol=crlf\n" });
    git(repository.folder, "add", ".gitattributes");
    git(repository.folder, "commit", "--quiet", "-m", "attributes");
    await repository.commitHandEdits();
    await repository.commitIteration(writing("it-1", { [beats]: "a\r\nb\n" }));
    expect(git(repository.folder, "cat-file", "blob", `HEAD:${beats}`)).toBe("a\nb");
    expect(git(repository.folder, "status", "--porcelain")).toBe("");
  });

  it("keeps CRLF where nothing says otherwise", async () => {
    const repository = await openNovel();
    await repository.commitIteration(writing("it-1", { [beats]: "a\r\nb\r\n" }));
    expect(readFileSync(join(repository.folder, beats), "utf8")).toBe("a\r\nb\r\n");
    expect(await repository.fileAt("HEAD", beats)).toBe("a\r\nb\r\n");
  });

  it("holds two hundred chapters", async () => {
    const repository = await openNovel();
    const files = Object.fromEntries(
      Array.from({ length: 200 }, (_, at) => [`chapters/chapter-${String(at + 1).padStart(2, "0")}.md`, `# ${at}\n`]),
    );
    await repository.commitIteration(writing("it-1", files));
    expect(git(repository.folder, "status", "--porcelain")).toBe("");
    expect(await repository.fileAt("HEAD", "chapters/chapter-200.md")).toBe("# 199\n");
  });

  it("goes with the commit of another program that came in between", async () => {
    const repository = await openNovel();
    const rival = openRepository(repository.folder);
    const [a, b] = await Promise.all([
      repository.commitIteration(writing("it-a", { "chapters/chapter-02.md": "a\n" })),
      (await rival).commitIteration(writing("it-b", { "chapters/chapter-03.md": "b\n" })),
    ]);
    expect((await repository.iterations()).map(({ sha }) => sha).sort()).toEqual([a.sha, b.sha].sort());
    expect(git(repository.folder, "status", "--porcelain")).toBe("");
  });

  it("works in a linked work tree, on its own branch", async () => {
    const repository = await openNovel();
    const other = join(temporaryFolder(), "other");
    git(repository.folder, "worktree", "add", "--quiet", "-b", "draft", other);
    const linked = await openRepository(other);
    const { sha } = await linked.commitIteration(darker);
    expect(git(repository.folder, "rev-parse", "draft")).toBe(sha);
    expect(git(other, "status", "--porcelain")).toBe("");
    expect(git(repository.folder, "status", "--porcelain")).toBe("");
    expect(existsSync(join(repository.folder, "chapters/chapter-01.md"))).toBe(true);
  });

  it("works in a repository with long hashes", async () => {
    const folder = temporaryFolder();
    fill(folder, firstFiles);
    git(folder, "init", "--quiet", "--object-format=sha256");
    nameUser(folder);
    const repository = await openRepository(folder);
    await repository.initialize();
    const { sha } = await repository.commitIteration(darker);
    expect(sha).toHaveLength(64);
    expect((await repository.undo()).refused).toBeUndefined();
    expect(treeOf(folder)).toEqual(firstFiles);
  });
});

describe("a new project", () => {
  it("gets its own repository and a first commit with what lies there", async () => {
    const folder = temporaryFolder();
    fill(folder, { ...firstFiles, "runs/x.json": "{}", "picture.png": "x" });
    const repository = await openRepository(folder);
    expect(await repository.check()).toContain(`git init "${folder}"`);
    await repository.initialize();
    expect(git(folder, "ls-files").split("\n")).toEqual(Object.keys(firstFiles).sort());
    expect(subjects(folder)).toEqual(["[project] begin"]);
    expect(await repository.check()).toBeUndefined();
    await repository.initialize();
    expect(subjects(folder)).toHaveLength(1);
  });

  it("is on the branch that its user likes, or on main", async () => {
    const [plain, liked] = [temporaryFolder(), temporaryFolder()];
    await (await openRepository(plain)).initialize();
    expect(git(plain, "symbolic-ref", "--short", "HEAD")).toBe(
      execFileSync("sh", ["-c", "git config init.defaultBranch || echo main"], { encoding: "utf8" }).trim(),
    );
    git(liked, "init", "--quiet", "--initial-branch=draft");
    await (await openRepository(liked)).initialize();
    expect(subjects(liked)).toEqual(["[project] begin"]);
  });

  it("gets a repository of its own inside a larger one", async () => {
    const outer = temporaryFolder();
    git(outer, "init", "--quiet");
    const folder = join(outer, "novel");
    fill(folder, firstFiles);
    const repository = await openRepository(folder);
    await repository.initialize();
    expect(statSync(join(folder, ".git")).isDirectory()).toBe(true);
    expect(git(outer, "rev-list", "--all", "--count")).toBe("0");
  });
});

describe("a project in a larger repository that a person wants it kept in", () => {
  it("commits its own files alone, and is told from its neighbors", async () => {
    const outer = temporaryFolder();
    git(outer, "init", "--quiet", "--initial-branch=main");
    nameUser(outer);
    git(outer, "config", "loopwright.shared", "true");
    fill(join(outer, "one"), firstFiles);
    fill(join(outer, "two"), firstFiles);
    fill(outer, { "program.ts": "1\n" });
    const [one, two] = await Promise.all([openRepository(join(outer, "one")), openRepository(join(outer, "two"))]);
    await one.commitHandEdits();
    await two.commitHandEdits();
    await one.commitIteration(darker);
    await two.commitIteration({ ...darker, id: "it-2" });
    fill(outer, { "program.ts": "2\n" });
    expect(await one.handEdits()).toEqual([]);
    expect((await one.iterations()).map(({ id }) => id)).toEqual(["it-1"]);
    expect((await two.iterations()).map(({ id }) => id)).toEqual(["it-2"]);
    expect(await one.undo()).toMatchObject({ iteration: { id: "it-1" } });
    expect(treeOf(join(outer, "one"))).toEqual(firstFiles);
    expect(existsSync(join(outer, "two/chapters"))).toBe(false);
    expect(git(outer, "status", "--porcelain")).toBe("?? program.ts");
    expect(await one.fileAt("HEAD", "project.yaml")).toBe("title: The Lamp\n");
    rmSync(join(outer, "program.ts"));
  });
});

describe("old versions", () => {
  it("are read by commit and path", async () => {
    const repository = await openNovel();
    const { sha } = await repository.commitIteration(darker);
    expect(await repository.fileAt(`${sha}~1`, beats)).toBe(firstFiles[beats]);
    expect(await repository.fileAt(sha, "chapters/chapter-01.md")).toBeUndefined();
    expect(await repository.fileAt("0".repeat(40), beats)).toBeUndefined();
  });

  it("stand beside each other for what an iteration changed", async () => {
    const repository = await openNovel();
    const { sha } = await repository.commitIteration(darker);
    expect(await repository.changeOf(sha)).toEqual([
      { path: beats, before: firstFiles[beats], after: darker.change.write[0]!.content },
      { path: "chapter-beats/chapter-03.md", before: undefined, after: darker.change.write[1]!.content },
      { path: "chapter-beats/iteration_history.json", before: undefined, after: '{"iterations":[]}\n' },
      { path: "chapters/chapter-01.md", before: firstFiles["chapters/chapter-01.md"], after: undefined },
    ]);
  });

  it("are told for the first commit too, which has none before it", async () => {
    const repository = await openNovel();
    const files = await repository.changeOf((await repository.head())!);
    expect(files.map(({ path }) => path)).toEqual(Object.keys(firstFiles).sort());
    expect(files.every(({ before }) => before === undefined)).toBe(true);
  });
});
