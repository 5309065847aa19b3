import { describe, expect, it } from "vitest";
import { type Objective, reseedSearch, SearchState, startSearch, stepSearch } from "./search.ts";

function runSearch(state: SearchState, objective: Objective, evaluations: number): SearchState {
  let search = state;
  while (search.evaluations < evaluations) search = stepSearch(search, objective);
  return search;
}

/** Highest, with 0, at the point given. */
const hill =
  (top: readonly number[]): Objective =>
  (point) =>
    -point.reduce((sum, x, i) => sum + (x - top[i]!) ** 2, 0);

/** Rosenbrock's valley in every pair of axes, scaled into the cube; highest, with 0, at 0.75 everywhere. */
const valley: Objective = (point) => {
  const at = point.map((x) => x * 4 - 2);
  let sum = 0;
  for (let i = 0; i + 1 < at.length; i++) sum += 100 * (at[i + 1]! - at[i]! ** 2) ** 2 + (1 - at[i]!) ** 2;
  return -sum;
};

/** A hill with pits and flat steps, like a score that counts pixels. */
const steps: Objective = (point) => Math.round(hill(point.map(() => 0.6))(point) * 200) / 200 + 0;

describe("the search", () => {
  it("goes another way after another seed, from the best that it knows", () => {
    const start = runSearch(startSearch([0.5, 0.5, 0.5], 1), valley, 40);
    const further = (search: SearchState) => runSearch(search, valley, 120);
    const [one, other] = [reseedSearch(start, 2), reseedSearch(start, 3)];
    expect(one.best).toEqual(start.best);
    expect(further(one).simplex).not.toEqual(further(other).simplex);
    expect(further(one).simplex).not.toEqual(further(start).simplex);
    expect(further(one)).toEqual(further(reseedSearch(start, 2)));
    expect(reseedSearch(startSearch([0.5, 0.5, 0.5], 1), 2)).toEqual(startSearch([0.5, 0.5, 0.5], 2));
  });

  it("finds the top of a hill in as many dimensions as the loft has", () => {
    const top = Array.from({ length: 17 }, (_, i) => 0.1 + 0.045 * i);
    const { best } = runSearch(
      startSearch(
        top.map(() => 0.5),
        1,
      ),
      hill(top),
      4_000,
    );
    for (const [i, x] of best!.point.entries()) expect(x).toBeCloseTo(top[i]!, 1);
    expect(best!.score).toBeGreaterThan(-0.001);
  });

  it("follows a bent valley to its end, with restarts", () => {
    const search = runSearch(startSearch([0.2, 0.8, 0.3], 7), valley, 4_000);
    expect(search.best!.score).toBeGreaterThan(-0.01);
    expect(search.restarts).toBeGreaterThan(0);
  });

  it("begins afresh where there is nothing to see, and ends no lower", () => {
    const search = runSearch(startSearch(Array(6).fill(0.1), 3), steps, 2_000);
    expect(search.restarts).toBeGreaterThan(1);
    expect(search.best!.score).toBeGreaterThanOrEqual(-0.005);
  });

  it("gives every fresh simplex its time, even where there is nothing to find", () => {
    const { restarts } = runSearch(startSearch([0.5, 0.5, 0.5], 9), () => 0, 2_000);
    expect(restarts).toBeGreaterThan(20);
    expect(restarts).toBeLessThan(200);
  });

  it("finds a top that lies in a corner of the cube, and never leaves the cube", () => {
    const top = [0, 1, 0, 1];
    const seen: number[] = [];
    const objective: Objective = (point) => {
      seen.push(...point);
      return hill(top)(point);
    };
    const { best } = runSearch(startSearch([0.5, 0.5, 2, -1], 5), objective, 1_500);
    expect(Math.min(...seen)).toBeGreaterThanOrEqual(0);
    expect(Math.max(...seen)).toBeLessThanOrEqual(1);
    expect(best!.score).toBeGreaterThan(-0.01);
  });

  it("counts every evaluation that it makes", () => {
    for (const objective of [valley, steps, hill([0.3, 0.9, 0.1])]) {
      let calls = 0;
      const counted: Objective = (point) => {
        calls += 1;
        return objective(point);
      };
      let search = startSearch([0.5, 0.4, 0.6], 2);
      while (search.evaluations < 800) {
        search = stepSearch(search, counted);
        expect(search.evaluations).toBe(calls);
      }
    }
  });

  it("never forgets its best point, and knows the highest score that it has seen", () => {
    let highest = Number.NEGATIVE_INFINITY;
    const watched: Objective = (point) => {
      const score = valley(point);
      highest = Math.max(highest, score);
      return score;
    };
    let search = startSearch([0.1, 0.2, 0.9, 0.4], 11);
    let before = Number.NEGATIVE_INFINITY;
    while (search.evaluations < 1_500) {
      search = stepSearch(search, watched);
      expect(search.best!.score).toBeGreaterThanOrEqual(before);
      before = search.best!.score;
      expect(valley(search.best!.point)).toBe(search.best!.score);
    }
    // A reflection is thrown away where its expansion is higher, so nothing higher was ever seen.
    expect(search.best!.score).toBe(highest);
  });

  it("keeps its simplex sorted, and whole but for the points that are pending", () => {
    let search = startSearch([0.3, 0.3, 0.3], 4);
    while (search.evaluations < 600) {
      const scores = search.simplex.map(({ score }) => score);
      expect(scores).toEqual(scores.toSorted((a, b) => b - a));
      expect(search.simplex.length + search.pending.length).toBe(4);
      search = stepSearch(search, valley);
    }
  });

  it("goes on from its JSON as if it had never stopped", () => {
    const start = startSearch([0.2, 0.7, 0.4, 0.9], 21);
    const unbroken = runSearch(start, steps, 900);
    let broken: SearchState = start;
    for (let stop = 37; stop < 900; stop += 37) {
      broken = SearchState.parse(JSON.parse(JSON.stringify(runSearch(broken, steps, stop))));
    }
    broken = runSearch(broken, steps, 900);
    expect(broken).toEqual(unbroken);
    expect(unbroken.restarts).toBeGreaterThan(0);
  });

  it("takes another way for another seed, and the same way for the same", () => {
    const run = (seed: number) => runSearch(startSearch([0.5, 0.5, 0.5], seed), valley, 300);
    expect(run(1)).toEqual(run(1));
    expect(run(1).best).not.toEqual(run(2).best);
  });

  it("changes nothing in the state that it is given", () => {
    const deepFreeze = (value: object): object => {
      for (const inner of Object.values(value)) if (typeof inner === "object") deepFreeze(inner);
      return Object.freeze(value);
    };
    let search = startSearch([0.2, 0.2], 1);
    while (search.evaluations < 300) search = stepSearch(deepFreeze(search) as SearchState, valley);
    expect(search.evaluations).toBeGreaterThanOrEqual(300);
  });
});
