// What to type once a run has ended, and what is said of where its result is.

import type { RunRecord } from "@loopwright/core";
import { describe, expect, it } from "vitest";
import { appliedWords, workspaceSteps } from "./ending.ts";

function stepsOf(outcome: string, settings: object, change?: object): string[] {
  const kept = { workspace: "/w", state: "/s", tests: [], heldOut: [], ...settings };
  const record = { run: "r", loop: "code", config: { code: kept }, ended: { outcome }, lastNotes: { change } };
  return workspaceSteps(record as unknown as RunRecord).map(({ command }) => command);
}

describe("what to type", () => {
  it.each([
    ["done", {}, ["loopwright undo r"]],
    ["ceiling", {}, ["loopwright apply r"]],
    ["done", { patch: true }, ["loopwright apply r", "loopwright undo r"]],
    ["done", { branch: "fix" }, ["git merge fix", "loopwright undo r"]],
    ["escalated", { branch: "fix" }, ["loopwright apply r"]],
  ])("after %s with %o", (outcome, settings, commands) => {
    expect(stepsOf(outcome, settings)).toEqual(commands);
  });

  it("names the branch that was made, as a shell takes it", () => {
    expect(stepsOf("done", { branch: "fix" }, { branch: "fix-2" })[0]).toBe("git merge fix-2");
    expect(stepsOf("done", { branch: "a;b'c" })[0]).toBe("git merge 'a;b'\\''c'");
  });
});

it("A patch is said to be none of your files' business", () => {
  expect(appliedWords({ written: [], conflicts: [], isPatch: true })).toMatch(/^nothing was applied/);
});
