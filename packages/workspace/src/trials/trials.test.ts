import { existsSync, lstatSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import {
  openTrials,
  python,
  right,
  rightScript,
  SLOW,
  script,
  testsOf,
  tryOne,
} from "../../../../test/fixtures/workspaces/trials.ts";
import { calm, openBench } from "../../../../test/fixtures/workspaces/workspace.ts";
import { isFaithful } from "./trials.ts";
import type { TrialOutcome } from "./types.ts";

describe("Trials", SLOW, () => {
  it("run the runner itself where there is no warm worker for it", async () => {
    const command = "python3 -m pytest -q -p no:cacheprovider --junitxml=report.xml test_clamp.py";
    const { trials, folder } = await openTrials(python, { runner: { command, junit: "report.xml" } }, 2);
    expect(trials.way).toBe("whole");
    const coverage = await trials.coverage({ signal: calm });
    expect(coverage.map(({ state, lines }) => [state, Object.keys(lines), lines["clamp.py"]?.length])).toEqual([
      ["failed", ["clamp.py"], 7],
      ["passed", ["clamp.py"], 7],
      ["passed", ["clamp.py"], 7],
    ]);
    const versions = [right, python["clamp.py"], "def clamp(*_): return 0\n", "def clamp(\n"];
    const outcomes = await trials.tryAll(
      versions.map((content) => [{ path: "clamp.py", content }]),
      { tests: testsOf(coverage), signal: calm },
    );
    expect(outcomes.map(({ passes, fixed, broke, stopped }) => [passes, fixed.length, broke ?? stopped])).toEqual([
      [true, 1, undefined],
      [false, 0, undefined],
      [false, 1, "test_clamp::test_high"],
      [false, 0, undefined],
    ]);
    expect(readdirSync(folder).sort()).toEqual(["clamp.py", "test_clamp.py"]);
  });

  it("run the runner itself where a warm worker tells something else", async () => {
    const { trials } = await openTrials({
      ...script,
      "clamp.test.ts": `${script["clamp.test.ts"]}\ntest("is a process", () => { process.chdir("/"); });\n`,
    });
    expect(trials.way).toBe("whole");
  });

  it("leave nothing behind when they are disposed of, and nothing of the workspace is changed", async () => {
    const files = { ...python, "data/big.bin": "x".repeat(100_000), ".hidden": "1" };
    const { base, folder, cell } = await openBench(files);
    const before = listing(folder);
    const trials = await cell.openTrials({ signal: calm, workers: 2 });
    const tests = testsOf(await trials.coverage({ signal: calm }));
    const version = [{ path: "clamp.py", content: `open("made", "w").close()\n${right}` }];
    await trials.tryAll([version, version, version], { tests, signal: calm });
    await trials[Symbol.asyncDispose]();
    expect(listing(folder)).toEqual(before);
    expect(readdirSync(join(base, "state")).filter((name) => name.startsWith("trials"))).toEqual([]);
    await expect(trials.tryAll([version], { tests, signal: calm })).rejects.toThrow("ended");
  });

  it("end at once when they are aborted, reject with the reason, and can be asked again", async () => {
    const { trials } = await openTrials(python, {}, 2);
    const tests = testsOf(await trials.coverage({ signal: calm }));
    const endless = Array.from({ length: 40 }, () => [
      { path: "clamp.py", content: "import time\ndef clamp(*_): time.sleep(0.4)\n" },
    ]);
    const abort = new AbortController();
    const trying = trials.tryAll(endless, { tests, signal: abort.signal });
    setTimeout(() => abort.abort(new Error("enough")), 700);
    const startedAt = performance.now();
    await expect(trying).rejects.toThrow("enough");
    expect(performance.now() - startedAt).toBeLessThan(5_000);
    const [outcome] = await trials.tryAll([[{ path: "clamp.py", content: right }]], { tests, signal: calm });
    expect(outcome).toMatchObject({ passes: true });
  });

  it("do not open where the signal is aborted, and end with it", async () => {
    const { cell, base } = await openBench(python);
    await expect(cell.openTrials({ signal: AbortSignal.abort(new Error("too late")) })).rejects.toThrow("too late");
    const abort = new AbortController();
    const opening = cell.openTrials({ signal: abort.signal, workers: 1 });
    setTimeout(() => abort.abort(new Error("no more")), 200);
    await expect(opening).rejects.toThrow("no more");
    expect(readdirSync(join(base, "state")).filter((name) => name.startsWith("trials"))).toEqual([]);
  });

  it("tell the same whatever the number of workers and the order of versions", async () => {
    const files = {
      "pick.py": "def pick(words):\n    return sorted(set(words))[0]\n",
      "test_pick.py":
        "from pick import pick\n\ndef test_pick():\n    assert pick(['b', 'a', 'c', 'd']) == 'c'\n\ndef test_one():\n    assert pick(['a']) == 'a'\n",
    };
    // Which word a set gives first goes by a seed.
    const bodies = ["list(set(words))[0]", "list(set(words))[-1]", "max(words)", "words[2 % len(words)]", "nothing"];
    const versions = bodies.map((body) => [{ path: "pick.py", content: `def pick(words):\n    return ${body}\n` }]);
    const runs: TrialOutcome[][] = [];
    for (const workers of [1, 2]) {
      const { trials } = await openTrials(files, {}, workers);
      const tests = testsOf(await trials.coverage({ signal: calm }));
      runs.push(await trials.tryAll(versions, { tests, signal: calm }));
      const backwards = await trials.tryAll(versions.toReversed(), { tests, signal: calm });
      runs.push(backwards.reverse());
    }
    for (const run of runs) expect(run).toEqual(runs[0]);
    expect(runs[0]!.map(({ passes }) => passes)[3]).toBe(true);
  });

  it("see installed packages where they lie, read-only, without a copy", async () => {
    const { trials, user, base } = await openTrials({
      ...script,
      "node_modules/tool/package.json": '{ "name": "tool", "type": "module", "exports": "./index.js" }\n',
      "node_modules/tool/index.js": "export const tool = 1;\n",
      "clamp.test.ts": `import { tool } from "tool";\nvoid tool;\n${script["clamp.test.ts"]}`,
    });
    expect(trials.way).toBe("warm");
    const harm = `import fs from "node:fs";\ntry { fs.rmSync("${user}/node_modules/tool", { recursive: true }); } catch {}\n${rightScript}`;
    expect(await tryOne(trials, "clamp.ts", harm)).toMatchObject({ passes: true });
    expect(existsSync(join(user, "node_modules/tool/index.js"))).toBe(true);
    const copies = readdirSync(join(base, "state")).find((name) => name.startsWith("trials"))!;
    expect(readdirSync(join(base, "state", copies, "pristine/node_modules"))).toEqual([]);
  });

  it("remove what a killed process has left", async () => {
    const { cell, base } = await openBench(python);
    const left = join(base, "state/trials-999999999-0");
    mkdirSync(left, { recursive: true });
    writeFileSync(join(left, "x"), "");
    const trials = await cell.openTrials({ signal: calm, workers: 1 });
    await trials[Symbol.asyncDispose]();
    expect(existsSync(left)).toBe(false);
  });
});

describe("Whether a warm worker can be believed", () => {
  const test = (name: string, state: "passed" | "failed") => ({ name, state, cpu: 0, ms: 0 });
  const report = (tests: ReturnType<typeof test>[], fault?: string) => ({
    runner: "pytest",
    tests,
    failureLines: "",
    ms: 1,
    ...(fault === undefined ? {} : { fault }),
  });
  const [a, b] = [test("a", "passed"), test("b", "failed")];

  it("is whether it says of every test what the runner says", () => {
    expect(isFaithful({ tests: [a, b], load: 0 }, report([b, a]))).toBe(true);
    expect(isFaithful({ tests: [a, b], load: 0 }, report([a, test("b", "passed")]))).toBe(false);
    expect(isFaithful({ tests: [a], load: 0 }, report([a, b]))).toBe(false);
    expect(isFaithful({ tests: [a, b], load: 0 }, report([a, test("c", "failed")]))).toBe(false);
  });

  it("is whether both find that the program does not load", () => {
    expect(isFaithful({ tests: [], load: 0, end: "unloadable" }, report([a], "cannot be collected"))).toBe(true);
    expect(isFaithful({ tests: [], load: 0, end: "unloadable" }, report([a]))).toBe(false);
    expect(isFaithful({ tests: [a], load: 0 }, report([a], "cannot be collected"))).toBe(false);
    expect(isFaithful({ tests: [], load: 0, end: "unloadable" }, report([], "nothing"))).toBe(false);
  });

  it("is taken for granted where a test had to be cut and the runner did not end either", () => {
    expect(isFaithful({ tests: [{ ...b, cut: true }], load: 0 }, report([b], "does not end"))).toBe(true);
    expect(isFaithful({ tests: [b], load: 0 }, report([b], "does not end"))).toBe(false);
  });
});

/** Everything of a folder, with times. */
function listing(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .sort()
    .map((name) => {
      const { mode, mtimeMs, ctimeMs, size } = lstatSync(join(folder, name));
      return [name, mode, mtimeMs, ctimeMs, size].join(" ");
    });
}
