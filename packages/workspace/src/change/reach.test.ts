import { describe, expect, it } from "vitest";
import { checkReach, type RunWith } from "./reach.ts";

const changes = [{ path: "m.py", after: "def patch():\n    pass\npatch()\ndef add(a, b):\n    return 7\n" }];
const passing = { tests: [{ name: "t", state: "passed" as const }] };
const failing = { tests: [{ name: "t", state: "failed" as const }, ...passing.tests] };

/** A run of tests that goes by what the program is. */
const codes = async (run: (program: string) => Awaited<ReturnType<RunWith>>, given = changes) =>
  (await checkReach(given, async ([file]) => run(file!.content))).map(({ code, severity }) => `${severity} ${code}`);

describe("tests that pass", () => {
  it("reach a change where one of them fails without it", async () => {
    expect(await codes(() => failing)).toEqual([]);
  });

  it("do not reach it where they pass without it too", async () => {
    expect(await codes(() => passing)).toEqual(["hard TESTS_DO_NOT_REACH_CHANGE"]);
  });

  it("are tried with what is called while the program loads left as it is", async () => {
    const fault = (program: string) => /def patch\(\):\n {4}raise BaseException\("(.*)"\)/.exec(program)?.[1];
    const seen: string[] = [];
    const run = (program: string) => {
      seen.push(program);
      const mark = fault(program);
      return mark === undefined ? passing : { tests: [], fault: `E  BaseException: ${mark}` };
    };
    expect(await codes(run)).toEqual(["hard TESTS_DO_NOT_REACH_CHANGE"]);
    expect(seen).toHaveLength(2);
    expect(seen[1]).toContain("def patch():\n    pass\n");
    expect(seen[1]).toContain("def add(a, b):\n    raise");
  });

  it("are not believed where their own runner breaks without the change", async () => {
    const fault = "The tests' judge was tampered with: tests of its own that must fail did not.";
    expect(await codes(() => ({ tests: [], fault }))).toEqual(["hard JUDGE_CALLS_CHANGE"]);
  });

  it("are not believed where they pass although every changed function ends in an error", async () => {
    const found = await checkReach(changes, async () => passing, { isAtEnd: true });
    expect(found.map(({ code }) => code)).toEqual(["TESTS_PASS_IN_SPITE_OF_ERRORS"]);
    expect(await checkReach(changes, async () => failing, { isAtEnd: true })).toEqual([]);
  });

  it("say nothing where they no longer run without it", async () => {
    expect(await codes(() => ({ tests: [], fault: "The tests were stopped" }))).toEqual(["soft REACH_UNKNOWN"]);
  });

  it("block nothing where no function was changed, or all are needed to load", async () => {
    expect(await codes(() => passing, [{ path: "m.py", after: "X = 1\n" }])).toEqual(["soft NO_FUNCTION_CHANGED"]);
    const all = (program: string) => ({ tests: [], fault: /body-\d+-taken-out/.exec(program)![0] });
    expect(await codes(all)).toEqual(["soft REACH_UNKNOWN"]);
  });
});
