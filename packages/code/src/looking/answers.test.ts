// What requests are answered with, in a workspace in memory. The real one is in workspace.test.ts beside.

import { describe, expect, it } from "vitest";
import { fakeProject } from "../../../../test/fakes/project-cell.ts";
import { type CodeState, CodeTask, initialState } from "../task.ts";
import { answerLook, LONGEST } from "./answers.ts";
import { readRequests } from "./requests.ts";

const tests = 'def test_alpha():\n    assert has("alpha")\n\ndef test_beta():\n    assert has("beta")\n';
const numbered = Array.from({ length: 3_000 }, (_, n) => `line ${n + 1}`).join("\n");
const workspace = {
  "calc.py": "# alpha\ndef f():\n    return 1\n",
  "deep/er/far.py": `${"# a line\n".repeat(9_000)}def away():\n    return 2\n`,
  "long.txt": `${numbered}\n`,
  "wide.txt": "y".repeat(LONGEST + 1),
  "test_calc.py": tests,
};
const baseline = {
  passing: ["test_alpha"],
  failing: ["test_beta"],
  flaky: [],
  blocked: [],
  failures: "",
  loaded: {},
  ms: 1,
};

async function answer(line: string, state: Partial<CodeState> = {}, more: Record<string, string> = {}) {
  const project = fakeProject({ ...workspace, ...more });
  const cell = await project.cells({ signal: AbortSignal.timeout(60_000) } as never);
  const whole = { ...initialState(CodeTask.parse({ task: "x" })), baseline, ...state };
  return { project, ...(await answerLook(cell, readRequests([line]).looks[0]!, whole, AbortSignal.timeout(60_000))) };
}

describe("READ", () => {
  it("shows a file whole, or lines of it, with where they stand and nothing before each", async () => {
    expect(await answer("READ calc.py")).toMatchObject({
      title: "READ calc.py",
      text: "calc.py, lines 1 to 3 of 3\n# alpha\ndef f():\n    return 1",
      words: "calc.py",
    });
    expect(await answer("READ long.txt:10-12")).toMatchObject({
      text: "long.txt, lines 10 to 12 of 3000\nline 10\nline 11\nline 12",
      words: "long.txt:10-12",
    });
  });

  it("shows as much as there is room for, and says how to see the rest", async () => {
    const { text } = await answer("READ long.txt");
    expect(text.length).toBeLessThan(LONGEST + 200);
    const [, next] = /\[lines (\d+) to 3000 are not shown: READ long\.txt:\1-3000\]$/.exec(text)!;
    expect(text).toContain(`line ${Number(next) - 1}\n[`);
    expect((await answer(`READ long.txt:${next}-${Number(next) + 1}`)).text).toContain(`line ${next}\n`);
    expect((await answer("READ wide.txt")).text).toBe("Line 1 of wide.txt is too long to be shown.");
    expect((await answer("READ calc.py:90-95")).text).toBe("calc.py has 3 lines, and none from 90 on.");
  });

  it("shows one definition of a long file by its name", async () => {
    const { text } = await answer("READ deep/er/far.py:away");
    expect(text).toContain("deep/er/far.py, 9002 lines, in part");
    expect(text).toContain("return 2");
    expect(text).toContain("are not shown]");
  });

  it("of what is not there says so, and names a file of that name elsewhere, or the folder", async () => {
    expect((await answer("READ far.py")).text).toBe(
      "There is no file far.py in the workspace. Of that name there is deep/er/far.py.",
    );
    expect((await answer("READ cacl.py")).text).toContain("The nearest is calc.py.");
    expect((await answer("READ deep/er")).text).toBe("deep/er is a folder: LIST deep/er");
    const outside = await answer("READ ../../etc/passwd");
    expect(outside).toMatchObject({ text: "There is no file ../../etc/passwd in the workspace." });
    expect(outside.words).toBe("../../etc/passwd (not there)");
  });
});

describe("GREP", () => {
  it("shows the places with their lines", async () => {
    expect(await answer("GREP return")).toMatchObject({
      text: "calc.py:3: return 1\ndeep/er/far.py:9002: return 2",
      words: "grep 'return' (2 places)",
    });
    expect((await answer("GREP nowhere")).text).toBe("No line of the workspace holds it.");
  });

  it("for everything shows the first places, and says how many there are", async () => {
    const { text, words } = await answer("GREP .");
    expect(text.length).toBeLessThan(LONGEST + 200);
    expect(text).toMatch(/\d+ lines in 5 files hold it, and \d+ are shown: look for something rarer\.$/);
    expect(words).toMatch(/^grep '\.' \(\d{5} places\)$/);
  });
});

describe("LIST", () => {
  it("shows what a folder holds, and how much is below", async () => {
    expect((await answer("LIST")).text).toBe("calc.py\ndeep/ (1 file)\nlong.txt\ntest_calc.py\nwide.txt");
    expect((await answer("LIST deep/er")).text).toBe("far.py");
    expect((await answer("LIST ../")).text).toBe("There is no folder .. in the workspace.");
  });
});

it("what .gitignore leaves out is neither listed nor found, and that is said; it can be read by its name", async () => {
  const more = { ".gitignore": "vendor/\n*.log\n", "vendor/a/b.py": "def f():\n", "x.log": "def f():\n" };
  expect((await answer("GREP def f", {}, more)).text).toBe("calc.py:2: def f():");
  expect((await answer("LIST", {}, more)).text).toMatch(
    /^\.gitignore\ncalc\.py\n[\s\S]*\n\(not listed: 2 files that \.gitignore leaves out\)$/,
  );
  expect((await answer("READ vendor/a/b.py", {}, more)).text).toContain("def f():");
});

it("of a folder with many files the first are listed, and how many more there are", async () => {
  const more = Object.fromEntries(
    Array.from({ length: 900 }, (_, n) => [`many/${"n".repeat(100)}${1000 + n}.py`, "x"]),
  );
  const { text } = await answer("LIST many", {}, more);
  const [, left] = /\n… and (\d+) more: list a folder of it\.$/.exec(text)!;
  expect(text.split("\n").length - 1 + Number(left)).toBe(900);
  expect(text.length).toBeLessThan(LONGEST + 100);
});

describe("RUN", () => {
  it("says what the tests of a file say, and leaves nothing of the run in the workspace", async () => {
    const { text, words, project } = await answer("RUN test_calc.py");
    expect(text).toBe(
      '1 passed, 1 failed\nFAILED test_beta\nFAILED test_beta\nE   assert has("beta") in /workspace/calc.py',
    );
    expect(words).toBe("run test_calc.py (1 passed, 1 failed)");
    expect(project.files.has("left-by-tests.tmp")).toBe(false);
  });

  it("takes one test by its name, and all of them", async () => {
    expect((await answer("RUN test_calc.py::test_alpha")).words).toBe(
      "run test_calc.py::test_alpha (1 passed, 0 failed)",
    );
    expect((await answer("RUN all", { known_tests: ["test_alpha", "test_beta"] })).words).toContain("run all (");
  });

  it("runs no program, and names the test files where there is no such test", async () => {
    for (const said of ["calc.py", "test_other.py", "rm -rf ."]) {
      const { text, project } = await answer(`RUN ${said}`);
      expect(text).toBe(`There is no test ${said}. Test files are test_calc.py.`);
      expect(project.log).toEqual([]);
    }
  });
});
