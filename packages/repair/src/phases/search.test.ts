import { describe, expect, it } from "vitest";
import type { Batch } from "../batch.ts";
import { writeHandOff } from "../hand-off.ts";
import { beginSearch, type Plausible, type SearchState } from "../search-state.ts";
import { chooseRepair, learnBatch as learn, noProgress } from "./search.ts";
import { refuseRepair } from "./test.ts";

const begun = beginSearch({
  base: "snapshot",
  failing: ["a", "b"],
  passing: ["c"],
  held_out: ["d"],
  suspects: [{ path: "x.py", line: 3, suspicion: 1 }],
});

function batchOf(given: Partial<Batch> = {}): Batch {
  return { tried: 10, size: 25, ended: { limit: 1, died: 0, unloadable: 2 }, improved: [], plausible: [], ...given };
}

const learnBatch = (before: SearchState, batch: Batch, iteration = before.history.length + 1) =>
  learn(before, batch, iteration);

function plausibleOf(title: string, cost: number, refused?: string): Plausible {
  return { stage: "singles", index: 0, title, cost, ...(refused && { refused }) };
}

describe("a batch that was tried", () => {
  it("moves the cursor, and counts what was tried and how it ended", () => {
    const after = learnBatch(learnBatch(begun, batchOf()), batchOf());
    expect(after).toMatchObject({
      stage: "singles",
      cursor: 20,
      tried: 20,
      ended: { limit: 2, died: 0, unloadable: 4 },
    });
  });

  it("goes on to pairs after the last single, and is exhausted after the last pair", () => {
    const pairs = learnBatch({ ...begun, cursor: 15 }, batchOf());
    expect(pairs).toMatchObject({ stage: "pairs", cursor: 0 });
    expect(learnBatch({ ...pairs, cursor: 20 }, batchOf({ tried: 5 })).stage).toBe("exhausted");
  });

  it("is over where a stage has no candidates at all", () => {
    const none = batchOf({ tried: 0, size: 0 });
    expect(learnBatch(learnBatch(begun, none), none).stage).toBe("exhausted");
  });

  it("remembers single edits that help, and no pairs, for the list of pairs is made of them", () => {
    const helps = { index: 3, fixed: ["a"] };
    const after = learnBatch(begun, batchOf({ tried: 25, improved: [helps] }));
    expect(after.improved).toEqual([helps]);
    const later = learnBatch(after, batchOf({ improved: [{ index: 9, fixed: ["a", "b"] }] }));
    expect(later.improved).toEqual([helps]);
    expect(later.most_fixed).toBe(2);
  });
});

describe("a search that brings nothing", () => {
  /** The iterations in which a word is said, of batches that each fix so many tests at best. */
  const told = (...fixes: number[]) => {
    let search = begun;
    return fixes.flatMap((fixed) => {
      const improved = fixed > 0 ? [{ index: 0, fixed: ["a", "b"].slice(0, fixed) }] : [];
      search = learnBatch(search, batchOf({ size: 10_000, improved }));
      const stuck = noProgress(search);
      return stuck ? [[search.history.length, stuck.count, stuck.since]] : [];
    });
  };

  it("is noted after ten batches in which no candidate fixed more, and once for each ten", () => {
    expect(told(...Array(11).fill(0))).toEqual([[11, 10, 2]]);
    expect(told(...Array(31).fill(0))).toEqual([
      [11, 10, 2],
      [21, 20, 2],
      [31, 30, 2],
    ]);
  });

  it("is not, while now and then a candidate fixes one more", () => {
    expect(told(...Array(9).fill(0), 1, ...Array(9).fill(1), 2, ...Array(9).fill(0))).toEqual([]);
    expect(told(0, 1, ...Array(10).fill(1))).toEqual([[12, 10, 3]]);
  });
});

describe("the repair that is chosen", () => {
  it("is the one of least cost, and of two alike the earlier", () => {
    const plausible = [plausibleOf("dear", 9), plausibleOf("first", 2), plausibleOf("second", 2)];
    expect(chooseRepair({ plausible })).toBe(1);
  });

  it("is never one that was refused", () => {
    const plausible = [plausibleOf("cheap", 1, "hidden checks fail"), plausibleOf("dear", 9)];
    expect(chooseRepair({ plausible })).toBe(1);
    expect(chooseRepair({ plausible: plausible.slice(0, 1) })).toBeUndefined();
  });

  it("is taken out of the workspace when it is refused, with the reason", () => {
    const search: SearchState = { ...begun, plausible: [plausibleOf("one", 1)], chosen: 0, diff: "a diff" };
    const after = refuseRepair(search, "hidden checks fail");
    expect(after).toMatchObject({ plausible: [{ refused: "hidden checks fail" }], diff: "" });
    expect(after.chosen).toBeUndefined();
  });
});

describe("the note of a search", () => {
  const write = (search: SearchState, outcome: "done" | "stagnant" | "ceiling") =>
    writeHandOff({ hidden_results: [], search }, { outcome, reason: "because" }, { iterations: 3 });

  it("shows the repair, its diff, and the others that pass, the likeliest first", () => {
    const plausible = [plausibleOf("dear", 9), plausibleOf("taken", 1), plausibleOf("near", 2)];
    const note = write({ ...begun, plausible, chosen: 1, diff: "-x\n+y\n" }, "done");
    expect(note).toContain("## The repair\n\ntaken\n\n```diff\n-x\n+y\n```");
    expect(note).toContain("## Other edits that pass the visible tests\n\n- near\n- dear");
    expect(note).toContain("No model was asked");
  });

  it("says what was tried and where to look where there is no repair", () => {
    const note = write({ ...begun, tried: 1234, most_fixed: 1 }, "stagnant");
    expect(note).toContain("1,234 candidates in 3 batches");
    expect(note).toContain("x.py:3 (1.00)");
    expect(note).toContain("out of the search's reach");
    expect(note).toContain("fixed without breaking another: 1.");
    const refused = { ...begun, failing: ["a", "b"], most_fixed: 1, plausible: [plausibleOf("t", 1)] };
    expect(write(refused, "ceiling")).toContain("fixed without breaking another: 2.");
  });

  it("keeps a diff that holds a fence inside its own", () => {
    const note = write({ ...begun, plausible: [plausibleOf("t", 1)], chosen: 0, diff: "+```js\n" }, "done");
    expect(note).toContain("````diff\n+```js\n````");
  });
});
