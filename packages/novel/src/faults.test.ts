// What goes wrong around an iteration: the repository, hooks, the network, files that do not parse. Each says what to do,
// nothing is lost, and the run goes on once that is put right.

import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { InfrastructureError } from "@loopwright/core";
import { type Scripted, scriptedModels } from "@loopwright/core/testing";
import { describe, expect, it } from "vitest";
import { agreeable, approved, bookRun, darker, notesOf, refused, scriptOf } from "../../../test/fakes/book-runs.ts";
import { addHook, git, subjects } from "../../../test/fixtures/novel-repository/project.ts";
import { novel } from "./index.ts";

describe("a repository that cannot be committed to", () => {
  it("in the middle of a merge: the run says so, asks no model, and goes on when the merge is over", async () => {
    const { start, test, folder, scripted } = await bookRun();
    const mark = join(folder, ".git/MERGE_HEAD");
    writeFileSync(mark, `${git(folder, "rev-parse", "HEAD")}\n`);
    const { outcome, reason, run } = await start();
    expect(outcome).toBe("failed");
    expect(reason).toMatch(/merge/i);
    expect(scripted.sent).toEqual([]);
    rmSync(mark);
    expect((await test.engine.resume(novel, run)).outcome).toBe("done");
  });

  it("with a detached head: the run says so", async () => {
    const { start, folder } = await bookRun();
    git(folder, "checkout", "--quiet", "--detach");
    expect(await start()).toMatchObject({ outcome: "failed", reason: expect.stringMatching(/branch/i) });
  });

  it("that got into that state while the change waited to be accepted: accepted again once that is put right", async () => {
    const { start, test, folder } = await bookRun({ answers: { detail: ["skip"] } });
    const { run } = await start();
    const mark = join(folder, ".git/MERGE_HEAD");
    writeFileSync(mark, `${git(folder, "rev-parse", "HEAD")}\n`);
    await test.engine.answer(run, "yes");
    const stopped = await test.engine.resume(novel, run);
    expect(stopped).toMatchObject({ outcome: "failed", reason: expect.stringMatching(/merge/i) });
    expect(subjects(folder)).toHaveLength(1);
    rmSync(mark);
    expect((await test.engine.resume(novel, run)).outcome).toBe("done");
    expect(subjects(folder)[0]).toBe("[chapters] Make chapter 2 darker");
  });
});

describe("a hook that refuses the commit", () => {
  it("stops the run with the hook's words, the work tree as it was, and is asked again on resume", async () => {
    const { start, test, folder } = await bookRun();
    addHook(folder, "commit-msg", 'echo "no feedback on Sundays" >&2; exit 1');
    const { outcome, reason, run } = await start();
    expect(outcome).toBe("failed");
    expect(reason).toContain("no feedback on Sundays");
    expect(git(folder, "status", "--porcelain")).toBe("");
    expect(existsSync(join(folder, "chapter-beats/iteration_history.json"))).toBe(false);
    rmSync(join(folder, ".git/hooks/commit-msg"));
    expect((await test.engine.resume(novel, run)).outcome).toBe("done");
    expect(git(folder, "status", "--porcelain")).toBe("");
  });
});

describe("a network that fails", () => {
  const gone = new InfrastructureError("ENDPOINT_GONE", "the endpoint does not answer");

  it.each(["revise", "judge", "semantic-diff"])("at '%s' ends the run as failed with all attempts kept", async (id) => {
    const first: Record<string, Scripted[]> = { revise: [darker("one")], judge: [refused] };
    const rest: Record<string, Scripted[]> = { revise: [darker("two")], judge: [approved] };
    const answers = (each: string) => [...(first[each] ?? []), ...(each === id ? [gone] : (rest[each] ?? []))];
    const broken = {
      revise: answers("revise"),
      judge: answers("judge"),
      ...(id === "semantic-diff" && { [id]: [gone] }),
    };
    const { start, test, folder } = await bookRun({
      script: broken,
      answers: { ...agreeable, continue: ["yes"] },
    });
    const stopped = await start();
    expect(stopped).toMatchObject({ outcome: "failed", reason: "the endpoint does not answer" });
    expect(stopped.state.attempts[0]).toMatchObject({ judgment: { verdict: "needs_revision" } });
    expect(git(folder, "status", "--porcelain")).toBe("");
    const back = scriptedModels(scriptOf({ revise: [darker("two")], judge: [approved] }));
    const again = test.other({ models: back.models, project: folder, answers: test.ports.answers! });
    const { outcome, state } = await again.engine.resume(novel, stopped.run);
    expect(outcome).toBe("done");
    expect(state.attempts).toHaveLength(2);
    expect(back.asked("revise")).toHaveLength(id === "revise" ? 1 : 0);
  });
});

describe("a file of the project that does not parse", () => {
  it.each(["project.yaml", "chapter-beats/iteration_history.json"])(
    "%s stops the run with its path, and is not reset",
    async (path) => {
      const { start, folder } = await bookRun();
      writeFileSync(join(folder, path), "{ not: [right\n");
      const { outcome, reason } = await start();
      expect(outcome).toBe("failed");
      expect(reason).toContain(path);
      expect(readFileSync(join(folder, path), "utf8")).toBe("{ not: [right\n");
      expect(subjects(folder)).toHaveLength(1);
    },
  );
});

describe("a summarizer without a usable answer", () => {
  it("leaves the measured figures, says so, and stops nothing", async () => {
    const { start, test } = await bookRun({ script: { "semantic-diff": ["I would rather not."] } });
    const { outcome, run } = await start();
    expect(outcome).toBe("done");
    expect(await notesOf(test, run, "warning")).toMatchObject([{ code: "SUMMARY_UNREADABLE" }]);
    const [shown] = await notesOf(test, run, "semantic-diff");
    expect(shown!.summary).toMatch(/^1 of 4 files changed/);
  });
});
