// The time that the evidence takes, and suites that cannot be counted on, without running anything.

import type { Report } from "@loopwright/workspace";
import { expect, it } from "vitest";
import type { Trial } from "./evidence.ts";
import { type Ground, gatherEvidence, linesOf, wordOf, wordsOf } from "./gather.ts";

const trials: Trial[] = Array.from({ length: 20 }, (_, at) => ({
  ...{ kind: at < 2 ? "hunk" : "constant", path: "a.py", line: at, start: at, end: at, text: "" },
  title: `version ${at}`,
}));

type State = Report["tests"][number]["state"];
const told = (states: Record<string, State>, ms: number) => ({
  report: {
    runner: "pytest",
    failureLines: "",
    tests: Object.entries(states).map(([name, state]) => ({ name, state })),
  },
  ...{ loaded: {}, ms },
});

/** Steps whose results are known. */
function known(results: Readonly<Record<string, unknown>>) {
  const steps: string[] = [];
  const ground: Ground = async (_, key) => {
    steps.push(key);
    return (results[key] ?? { outcome: "noticed", ms: 200_000 }) as never;
  };
  return { ground, steps };
}

const sought = {
  ...{ suite: true as const, targets: ["t.py::a"], hasBefore: true, planned: [], task: "", testFiles: ["t.py"] },
  counted: ({ tests }: Report) => tests,
};
const list = { trials, beyond: [], special: [] };

it("of a suite that takes minutes, three times its time is spent, the biggest doubt first, and what was left out is said", async () => {
  const { ground, steps } = known({
    "proof-before": told({ "t.py::a": "failed", "t.py::b": "passed" }, 300_000),
    "proof-after": told({ "t.py::a": "passed", "t.py::b": "passed" }, 300_000),
    ...{ "proof-checks": [], "proof-list": list },
  });
  const evidence = await gatherEvidence(ground, { ...sought, budget: 3 });
  expect(steps.filter((key) => /-\d+$/.test(key))).toEqual(["proof-0", "proof-1", "proof-2", "proof-3", "proof-4"]);
  expect(evidence.spent_ms).toBe(1_000_000);
  const lines = linesOf(evidence, [{ statement: "a", tests: ["a"] }]);
  expect(wordOf(lines)).toBe("partly shown");
  expect(wordsOf(lines)).toContain("3 of 3 are noticed by a test; 15 were left out for want of time");
});

it("with a budget of 0 nothing is tried, and with what was tried before only the rest", async () => {
  const runs = { "proof-before": told({}, 10), "proof-after": told({ "t.py::a": "passed" }, 10), "proof-checks": [] };
  const none = known({ ...runs, "proof-list": { ...list, trials: [] } });
  await gatherEvidence(none.ground, { ...sought, budget: 0 });
  expect(none.steps).toEqual(["proof-before", "proof-after", "proof-list"]);
  const some = known({ ...runs, "proof-list": list });
  const earlier = trials.slice(1).map((trial) => ({ ...trial, outcome: "noticed" as const }));
  await gatherEvidence(some.ground, { ...sought, budget: 3, earlier });
  expect(some.steps.filter((key) => /-\d+$/.test(key))).toEqual(["proof-0"]);
});

it("a test that flickers decides nothing, and is said; one that fails twice speaks against the result", async () => {
  const flickering = {
    "proof-before": told({ "t.py::a": "failed", "t.py::b": "passed" }, 10),
    "proof-after": told({ "t.py::a": "passed", "t.py::b": "failed" }, 10),
    "proof-again": told({ "t.py::a": "passed", "t.py::b": "passed" }, 10),
    ...{ "proof-checks": [], "proof-list": list },
  };
  const ledger = [{ statement: "a", tests: ["a"] }];
  const evidence = await gatherEvidence(known(flickering).ground, { ...sought, budget: 3_000_000 });
  expect(evidence).toMatchObject({ flickers: ["t.py::b"], after: [{ name: "t.py::a", state: "passed" }] });
  expect(wordsOf(linesOf(evidence, ledger))).toBe("partly shown (tests that flicker: t.py::b)");
  const failing = { ...flickering, "proof-again": flickering["proof-after"] };
  const other = await gatherEvidence(known(failing).ground, { ...sought, budget: 3_000_000 });
  expect(wordOf(linesOf(other, ledger))).toBe("refuted");
});
