import { execFileSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import { git, openNovel } from "../../../../test/fixtures/novel-repository/project.ts";
import { tellIterations } from "./log.ts";
import { openRepository } from "./repository.ts";

let count = 0;
const sha = () => String(++count).padStart(40, "0");
const commit = (message: string) => ({ sha: sha(), date: "2026-01-01T00:00:00Z", message });
const made = (id: string) => commit(`[prose] ${id}\n\nLoopwright-Iteration: ${id}\n`);
const undo = (id: string) => commit(`undo\n\nLoopwright-Undo: ${id}\n`);
const redo = (id: string) => commit(`redo\n\nLoopwright-Redo: ${id}\n`);
const told = (commits: ReturnType<typeof commit>[], folder = "") => {
  const { done, undone } = tellIterations(commits, folder);
  return { done: done.map(({ id }) => id), undone: undone.map(({ id }) => id) };
};

describe("iterations as commits tell them", () => {
  it("are in effect until they are undone, and again when they are redone", () => {
    expect(told([made("a"), made("b")])).toEqual({ done: ["a", "b"], undone: [] });
    expect(told([made("a"), made("b"), undo("b")])).toEqual({ done: ["a"], undone: ["b"] });
    expect(told([made("a"), made("b"), undo("b"), undo("a")])).toEqual({ done: [], undone: ["b", "a"] });
    expect(told([made("a"), made("b"), undo("b"), undo("a"), redo("a")])).toEqual({ done: ["a"], undone: ["b"] });
    expect(told([made("a"), undo("a"), made("b")])).toEqual({ done: ["b"], undone: [] });
  });

  it("are undone and redone by git's own reverts too", () => {
    const first = made("a");
    const revert = commit(`Revert "a"\n\nThis reverts commit ${first.sha}.\n`);
    const again = commit(`Reapply "a"\n\nThis reverts commit ${revert.sha}.\n`);
    expect(told([first, revert])).toEqual({ done: [], undone: ["a"] });
    expect(told([first, revert, again])).toEqual({ done: ["a"], undone: [] });
    expect(told([first, commit(`Revert\n\nThis reverts commit ${"f".repeat(40)}.\n`)])).toEqual({
      done: ["a"],
      undone: [],
    });
  });

  it("of another project in the same repository are not ours", () => {
    const theirs = commit("[prose] x\n\nLoopwright-Iteration: x\nLoopwright-Folder: other/\n");
    expect(told([theirs, made("a")])).toEqual({ done: ["a"], undone: [] });
    expect(told([theirs, made("a")], "other/")).toEqual({ done: ["x"], undone: [] });
  });

  it("know the last commit that brought them, which is the one to take back", () => {
    const [first, back, again] = [made("a"), undo("a"), redo("a")];
    const { all, done } = tellIterations([first, back, again], "");
    expect(done).toEqual([{ id: "a", by: again.sha }]);
    expect(all[0]!.sha).toBe(first.sha);
  });

  it("that are undone without ever having been made are nothing", () => {
    expect(told([undo("x"), redo("x")])).toEqual({ done: [], undone: [] });
  });
});

describe("a thousand iterations", () => {
  it("are read in one call, newest first, in little time", async () => {
    const repository = await openNovel();
    const head = git(repository.folder, "rev-parse", "HEAD");
    const lines = [`reset refs/heads/main\nfrom ${head}\n`];
    for (let at = 1; at <= 1_000; at++) {
      const message = `[prose] Make it ${at}\n\n${"More words. ".repeat(20)}\n\nLoopwright-Iteration: it-${at}\n`;
      lines.push(
        `commit refs/heads/main\ncommitter A <a@b> ${1_700_000_000 + at} +0000\ndata ${Buffer.byteLength(message)}\n${message}\nM 100644 inline chapters/chapter-01.md\ndata ${String(at).length}\n${at}\n`,
      );
    }
    execFileSync("git", ["fast-import", "--quiet"], { cwd: repository.folder, input: lines.join("") });
    git(repository.folder, "reset", "--quiet", "--hard");
    const opened = await openRepository(repository.folder);
    const start = performance.now();
    const iterations = await opened.iterations();
    const took = performance.now() - start;
    expect(iterations).toHaveLength(1_000);
    expect([iterations[0]!.id, iterations.at(-1)!.id]).toEqual(["it-1000", "it-1"]);
    expect(await opened.shaOf("it-500")).toBe(git(repository.folder, "rev-parse", "HEAD~500"));
    expect(took).toBeLessThan(2_000);
  });
});
