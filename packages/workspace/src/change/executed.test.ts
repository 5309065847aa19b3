import { expect, it } from "vitest";
import type { ProjectCell, TestReport } from "../options.ts";
import type { Change } from "./check.ts";
import { findUnseen } from "./executed.ts";

/** The codes that come of changes, with what the run of the tests with marks comes to. */
async function codesOf(changes: Change[], report: Partial<TestReport>): Promise<string[]> {
  const cell = {
    inside: "/workspace",
    changes: async () => changes,
    readFiles: async () => [{ path: "a.py", content: "x = 1\n" }],
    runTests: async () => ({ runner: "pytest", tests: [], failureLines: "", ms: 1, ...report }),
  } as unknown as ProjectCell;
  const findings = await findUnseen(cell, { suite: true, signal: new AbortController().signal });
  return findings.map(({ code }) => code);
}

const change = (path: string): Change => ({ path, after: "x = 1\ny = 2\n" });

it("takes for prose what is written for people, and no source or data of such a name", async () => {
  for (const path of ["README.md", "CHANGES", "CHANGES.txt", "LICENSE-MIT", "docs/a.txt", "docs/a.rst"])
    expect([path, await codesOf([change(path)], { left: "0\n" })]).toEqual([path, []]);
  for (const path of ["src/history.py", "todo.js", "news_feed.ts", "license/index.mjs"])
    expect([path, await codesOf([change(path)], { left: "0\n" })]).toEqual([path, ["LINES_NOT_EXECUTED"]]);
  for (const path of ["history.json", "requirements.txt", "src/words.txt", "news.html"])
    expect([path, await codesOf([change(path)], {})]).toEqual([path, ["EXECUTION_UNKNOWN"]]);
});

it("cannot tell where the tests do not run with marks", async () => {
  expect(await codesOf([change("a.py")], {})).toEqual(["CHANGE_NOT_LOADED"]);
  expect(await codesOf([change("a.py")], { left: "0\n1\n" })).toEqual([]);
  expect(await codesOf([change("a.py")], { fault: "The tests were stopped" })).toEqual(["EXECUTION_UNKNOWN"]);
  expect(await codesOf([], {})).toEqual(["NOTHING_LOADED"]);
  expect(await codesOf([], { fault: "The tests were stopped" })).toEqual([]);
});
