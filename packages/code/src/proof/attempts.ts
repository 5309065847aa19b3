// Several attempts at one task: the tests that each has written are run against every other, and what behaves alike is one group.
// The group that most tests agree with wins; in it the result that is best shown, then the smallest. Where two groups are even, a
// person is asked about the shortest failure that tells them apart.

import type { Attempt, AttemptsContext, AttemptsSpec, Comparison } from "@loopwright/core";
import { applyResult, type ProjectCell, type Report, runTests, withLeft } from "@loopwright/workspace";
import type { CodeState, CodeTask } from "../task.ts";
import { putTests, WORKCELL } from "../workspace.ts";
import { linesOf, wordOf } from "./evidence.ts";

type Ended = Attempt<CodeState>;

/** An attempt that is done, and what the tests of all say of it. */
interface Candidate {
  attempt: number;
  word: string;
  lines: number;
  /** Each test, by whose it is and its name, and whether it passes here. */
  results: ReadonlyMap<string, { passed: boolean; failure: string }>;
}

const workcell = (ctx: AttemptsContext, snapshot?: string) => ctx.workcell<ProjectCell>(WORKCELL, snapshot);

export const attempts: AttemptsSpec<CodeTask, CodeState> = {
  // The user's files are taken in before anybody works on them: what is applied in the end is held against these.
  begin: async (ctx) => void (await workcell(ctx).effect("begin", { run: async (cell) => cell.snapshot() })),
  vary: (task) => ({ ...task, is_attempt: true }),
  compare,
  take: async (ctx, { outcome, state, attempt }) => {
    if (outcome !== "done") return undefined;
    const applied = await applyResult(ctx, workcell(ctx, state.snapshot), state.accepted);
    return withLeft(`its proof is in attempt-${String(attempt).padStart(3, "0")}/proof`, applied);
  },
};

async function compare(ctx: AttemptsContext, ended: readonly Ended[]): Promise<Comparison> {
  const done = ended.filter(({ outcome, state }) => outcome === "done" && state.snapshot !== undefined);
  const own: Own[] = [];
  for (const each of done) own.push(await ownTests(ctx, each));
  const candidates: Candidate[] = [];
  for (const each of done) candidates.push(await tryWith(ctx, each, own));
  const groups = groupByBehavior(candidates);
  const [first, second] = groups;
  const rows = ended.map(({ attempt, outcome, iterations }) => {
    const found = candidates.find((each) => each.attempt === attempt);
    const group = groups.findIndex((each) => each.some((one) => one.attempt === attempt));
    return {
      ...{ attempt, outcome, iterations, group: group < 0 ? "–" : group + 1 },
      ...{ agrees: found ? `${agreed(found)} of ${found.results.size}` : "–" },
      ...{ shown: found?.word ?? "–", lines: found?.lines ?? "–" },
    };
  });
  const closest = ended.toSorted((a, b) => (b.state.best?.score ?? 0) - (a.state.best?.score ?? 0))[0];
  const base = { rows, ...(closest && { closest: closest.attempt }) };
  if (!first) return { ...base, ranking: [], reason: `none of ${ended.length} attempts is done` };
  const best = first[0]!;
  const ranking = groups.flat().map(({ attempt }) => attempt);
  const others = groups.length === 1 ? "nothing tells them apart" : `${groups.length} behaviors`;
  const reason = `${agreed(best)} of ${best.results.size} tests of all attempts agree with it, ${best.word}, ${best.lines} lines; ${others}`;
  if (!second || weightOf(first) > weightOf(second)) return { ...base, ranking, reason };
  return { ...base, ranking, reason, question: questionOf(best, second[0]!) };
}

/** Runs every attempt's own tests on what one has made. */
async function tryWith(ctx: AttemptsContext, on: Ended, own: readonly Own[]): Promise<Candidate> {
  const results = new Map<string, { passed: boolean; failure: string }>();
  for (const { by, names } of own) {
    if (by === on) {
      for (const name of names) results.set(`${by.attempt}: ${name}`, { passed: true, failure: "" });
      continue;
    }
    if (names.length === 0) continue;
    const { tests, fault = "it did not run" } = await runOn(ctx, by, on);
    for (const name of names) {
      const told = tests.find((each) => each.name === name);
      results.set(`${by.attempt}: ${name}`, { passed: told?.state === "passed", failure: told?.failure ?? fault });
    }
  }
  const lines = await workcell(ctx, on.state.snapshot).effect(`lines of ${on.attempt}`, {
    run: async (cell) =>
      ((await cell.patch()).text ?? "").split("\n").filter((line) => /^[+-](?![+-]{2} )/.test(line)).length,
  });
  const { proof, requirements } = on.state;
  const word = proof ? wordOf(linesOf(proof, requirements)) : "not proved";
  return { attempt: on.attempt, word, lines, results };
}

/** The tests that an attempt has written. */
interface Own {
  by: Ended;
  names: readonly string[];
}

async function ownTests(ctx: AttemptsContext, by: Ended): Promise<Own> {
  if (!by.state.test_file) return { by, names: [] };
  const { tests } = await runOn(ctx, by, by);
  return { by, names: tests.filter(({ state }) => state === "passed").map(({ name }) => name) };
}

/** Runs the tests of one attempt on what another has made. */
function runOn(ctx: AttemptsContext, by: Ended, on: Ended): Promise<Report> {
  return workcell(ctx, on.state.snapshot).effect(`tests of ${by.attempt} on ${on.attempt}`, {
    run: async (cell, { signal }) => {
      await putTests(cell, by.state.test_file);
      return runTests(cell, { signal });
    },
  });
}

const agreed = ({ results }: Candidate) => [...results.values()].filter(({ passed }) => passed).length;

/** How many tests agree with a group, then how many attempts are in it. */
const weightOf = (group: readonly Candidate[]) => agreed(group[0]!) * 1000 + group.length;

const words = ["shown", "partly shown", "not proved", "refuted"];

/** Attempts by what the tests say of them, the group that most agree with first, and in each the best shown, then the smallest. */
export function groupByBehavior(candidates: readonly Candidate[]): Candidate[][] {
  const by = Map.groupBy(candidates, ({ results }) =>
    [...results].flatMap(([name, { passed }]) => (passed ? [name] : [])).join("\n"),
  );
  const better = (a: Candidate, b: Candidate) => words.indexOf(a.word) - words.indexOf(b.word) || a.lines - b.lines;
  return [...by.values()]
    .map((group) => group.toSorted(better))
    .sort((a, b) => weightOf(b) - weightOf(a) || better(a[0]!, b[0]!));
}

/** What tells two results apart: the shortest failure of a test that passes on the one and fails on the other. */
function questionOf(one: Candidate, other: Candidate): Comparison["question"] {
  const apart = [...one.results].flatMap(([name, { passed, failure }]) => {
    const there = other.results.get(name);
    if (!there || there.passed === passed) return [];
    return [{ name, on: passed ? other : one, failure: passed ? there.failure : failure }];
  });
  const shortest = apart.toSorted((a, b) => a.failure.length - b.failure.length)[0];
  const said = shortest?.failure.trim().split("\n").slice(-3).join(" ") ?? "";
  const told = shortest
    ? `a test of attempt ${shortest.name} fails on attempt ${shortest.on.attempt}: ${said}`
    : "nothing says how";
  return {
    text: `Attempts ${one.attempt} and ${other.attempt} do different things, and as many tests agree with each: ${told}. Which is right?`,
    attempts: [one.attempt, other.attempt],
  };
}
