import { appendFileSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { firstFiles, git, openNovel, subjects, treeOf } from "../../../../test/fixtures/novel-repository/project.ts";
import { fill } from "../../../../test/fixtures/workspaces/workspace.ts";

describe("hand edits", () => {
  it("are none in a project that is as it was committed", async () => {
    const repository = await openNovel();
    expect(await repository.handEdits()).toEqual([]);
    expect(await repository.commitHandEdits()).toEqual([]);
    expect(subjects(repository.folder)).toHaveLength(1);
  });

  it("are found where files were changed, added or removed, by what they belong to", async () => {
    const repository = await openNovel();
    appendFileSync(join(repository.folder, "chapter-beats/chapter-01.md"), "x\n");
    rmSync(join(repository.folder, "chapter-beats/chapter-02.md"));
    fill(repository.folder, {
      "premise/premise_metadata.json": "{}\n",
      "chapters/chapter-02.md": "x\n",
      "analysis/report.md": "x\n",
      "project.yaml": "title: Other\n",
    });
    expect(await repository.handEdits()).toEqual([
      { part: "project", paths: ["project.yaml"] },
      { part: "premise", paths: ["premise/premise_metadata.json"] },
      { part: "chapters", paths: ["chapter-beats/chapter-01.md", "chapter-beats/chapter-02.md"] },
      { part: "prose", paths: ["chapters/chapter-02.md"] },
      { part: "analysis", paths: ["analysis/report.md"] },
    ]);
  });

  it("are committed on their own, each part by itself, and nothing else with them", async () => {
    const repository = await openNovel();
    appendFileSync(join(repository.folder, "chapter-beats/chapter-01.md"), "x\n");
    appendFileSync(join(repository.folder, "chapters/chapter-01.md"), "x\n");
    fill(repository.folder, { "notes.txt": "mine\n" });
    const before = treeOf(repository.folder);
    const committed = await repository.commitHandEdits();
    expect(committed.map(({ subject, paths }) => [subject, paths])).toEqual([
      ["[chapters] hand edit", ["chapter-beats/chapter-01.md"]],
      ["[prose] hand edit", ["chapters/chapter-01.md"]],
    ]);
    expect(subjects(repository.folder)).toEqual(["[prose] hand edit", "[chapters] hand edit", "[project] begin"]);
    expect(git(repository.folder, "status", "--porcelain")).toBe("?? notes.txt");
    expect(treeOf(repository.folder)).toEqual(before);
    expect(committed.at(-1)!.sha).toBe(git(repository.folder, "rev-parse", "HEAD"));
  });

  it("leave an editor's copies and other files of a person's alone", async () => {
    const repository = await openNovel();
    fill(repository.folder, {
      "chapters/.chapter-01.md.swp": "x",
      "chapters/chapter-01.md~": "x",
      "chapters/#chapter-01.md#": "x",
      "chapters/.DS_Store": "x",
      "chapters/cover.png": "x",
      "notes.md": "x",
    });
    expect(await repository.handEdits()).toEqual([]);
    expect(await repository.handEdits()).toEqual([]);
  });

  it("are taken from the work tree, whatever was staged in between", async () => {
    const repository = await openNovel();
    const path = join(repository.folder, "chapters/chapter-01.md");
    writeFileSync(path, "staged version\n");
    git(repository.folder, "add", "chapters/chapter-01.md");
    writeFileSync(path, "last version\n");
    await repository.commitHandEdits();
    expect(await repository.fileAt("HEAD", "chapters/chapter-01.md")).toBe("last version\n");
    expect(git(repository.folder, "status", "--porcelain")).toBe("");
  });

  it("that are staged already are committed as well", async () => {
    const repository = await openNovel();
    fill(repository.folder, { "chapters/chapter-02.md": "new\n" });
    git(repository.folder, "add", "chapters/chapter-02.md");
    git(repository.folder, "rm", "--quiet", "chapters/chapter-01.md");
    expect((await repository.commitHandEdits()).map(({ paths }) => paths)).toEqual([
      ["chapters/chapter-01.md", "chapters/chapter-02.md"],
    ]);
    expect(git(repository.folder, "status", "--porcelain")).toBe("");
  });

  it("of names with spaces and signs beyond ASCII are found as they are", async () => {
    const repository = await openNovel();
    fill(repository.folder, { "analysis/zwölf Nächte.md": "x\n" });
    expect(await repository.handEdits()).toEqual([{ part: "analysis", paths: ["analysis/zwölf Nächte.md"] }]);
    await repository.commitHandEdits();
    expect(await repository.fileAt("HEAD", "analysis/zwölf Nächte.md")).toBe("x\n");
  });

  it("are the first commit where there is none yet", async () => {
    const repository = await openNovel();
    git(repository.folder, "update-ref", "-d", "HEAD");
    const [first] = await repository.commitHandEdits();
    expect(first?.subject).toBe("[project] begin");
    expect(git(repository.folder, "ls-files").split("\n")).toEqual(Object.keys(firstFiles).sort());
    expect(readFileSync(join(repository.folder, "project.yaml"), "utf8")).toBe("title: The Lamp\n");
  });

  it("that only touch a file are none", async () => {
    const repository = await openNovel();
    writeFileSync(join(repository.folder, "project.yaml"), firstFiles["project.yaml"]!);
    expect(await repository.handEdits()).toEqual([]);
  });
});
