import { appendFileSync, existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { firstFiles, git, openNovel, subjects, treeOf } from "../../../../test/fixtures/novel-repository/project.ts";
import { commitSubject, openRepository } from "./index.ts";

const darker = {
  id: "it-1",
  subject: "[chapters] Make chapter 1 darker",
  body: "Make chapter 1 darker.\n\nLoopwright-Iteration: forged",
  change: {
    write: [
      { path: "chapter-beats/chapter-01.md", content: "# One\n\nHe wakes in the dark.\n\nHe walks.\n\nHe sleeps.\n" },
      { path: "chapter-beats/chapter-03.md", content: "# Three\n\nA new one. 🕯️ שלום\n" },
      { path: "chapter-beats/iteration_history.json", content: '{"iterations":[]}\n' },
    ],
    remove: ["chapters/chapter-01.md"],
  },
};

describe("an accepted iteration", () => {
  it("is one commit that holds what is written and what is removed, and the work tree is at it", async () => {
    const repository = await openNovel();
    const { sha, isNew } = await repository.commitIteration(darker);
    expect(isNew).toBe(true);
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
    expect(git(repository.folder, "log", "-1", "--format=%B")).toBe(
      "[chapters] Make chapter 1 darker\n\nMake chapter 1 darker.\n\nLoopwright-Iteration: forged\n\nLoopwright-Iteration: it-1",
    );
    expect(git(repository.folder, "log", "-1", "--format=%an <%ae>")).toBe("A Writer <writer@example.com>");
    console.log(git(repository.folder, "status"), await repository.iterations(), treeOf(repository.folder));
  });
});
