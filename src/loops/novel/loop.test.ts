// The whole of an iteration, run on an engine with scripted models and a real repository.

import { describe, expect, it } from "vitest";
import { bookRun, notesOf, phasesOf } from "../../../test/fakes/book-runs.ts";
import { git, subjects } from "../../../test/fixtures/novel-repository/project.ts";

describe("an iteration that the judge approves and the person accepts", () => {
  it("is one commit with content and history, and leaves nothing else behind", async () => {
    const { start, test, folder } = await bookRun();
    const { outcome, run, reason } = await start();
    expect({ outcome, reason }).toMatchObject({ outcome: "done" });
    expect(await phasesOf(test, run)).toEqual([
      ...["check", "generate", "judge", "summarise", "inspect", "accept", "finalise"],
    ]);
    expect(subjects(folder)[0]).toBe("[chapters] Make chapter 2 darker");
    expect(git(folder, "status", "--porcelain")).toBe("");
    expect(await notesOf(test, run, "finalised")).toMatchObject([{ files: 4, history: 1, attempts: 1 }]);
  });
});
