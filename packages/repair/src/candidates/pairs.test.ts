import { describe, expect, it } from "vitest";
import { programOf, textsOf } from "../../../../test/fixtures/search/candidates.ts";
import type { Candidate } from "./candidate.ts";
import { listPairs } from "./pairs.ts";
import { listSingles } from "./singles.ts";
import { Source } from "./syntax/source.ts";

const text =
  "def low(a, b):\n    if a <= b:\n        return a\n    return b\n\n\ndef last(items):\n    return items[0]\n";
const program = programOf("a.py", text);

/** The singles of the program, and the place of one of them by its title. */
async function singles(): Promise<{ list: Candidate[]; at(title: string): number }> {
  const list = await listSingles(program);
  const at = (title: string): number => list.findIndex((single) => single.title === `a.py:${title}`);
  return { list, at };
}

describe("the pairs of a program", () => {
  it("begin with two singles that fix different tests", async () => {
    const { list, at } = await singles();
    const [one, other] = [at("2: <= becomes <"), at("8: 0 becomes -1")];
    expect(Math.min(one, other)).toBeGreaterThanOrEqual(0);
    const [first] = await listPairs(program, list, [
      { index: one, fixed: ["test_low"] },
      { index: other, fixed: ["test_last"] },
    ]);
    expect(first!.edits).toEqual([...list[one]!.edits, ...list[other]!.edits]);
    expect(first!.title).toBe("a.py:2: <= becomes <; a.py:8: 0 becomes -1");
    expect(first!.kinds).toHaveLength(2);
    expect(first!.cost).toBeGreaterThan(list[one]!.cost + list[other]!.cost);
  });

  it("do not begin with two singles that fix the same", async () => {
    const { list, at } = await singles();
    const improved = [at("2: <= becomes <"), at("8: 0 becomes -1")].map((index) => ({ index, fixed: ["test_low"] }));
    const [first] = await listPairs(program, list, improved);
    expect(first!.title).not.toBe("a.py:2: <= becomes <; a.py:8: 0 becomes -1");
  });

  it("join a single that fixes something with others early on", async () => {
    const { list, at } = await singles();
    const index = at("2: <= becomes <");
    const pairs = await listPairs(program, list, [{ index, fixed: ["test_low"] }]);
    const early = pairs
      .slice(0, 300)
      .filter(({ kinds, title }) => kinds.length === 2 && title.includes("2: <= becomes <"));
    expect(early.length).toBeGreaterThan(20);
  });

  it("are new programs that parse, and whose edits can be made together", async () => {
    const { list, at } = await singles();
    const pairs = await listPairs(program, list, [{ index: at("8: 0 becomes -1"), fixed: ["test_last"] }]);
    const forms = new Set([text, ...textsOf(program, list)]);
    for (const [place, changed] of textsOf(program, pairs).entries()) {
      expect(forms.has(changed), pairs[place]!.title).toBe(false);
      forms.add(changed);
      expect(await Source.open("a.py", changed), pairs[place]!.title).toBeDefined();
    }
  }, 60_000);

  it("do not go far beyond what is likely, unless both edits help", async () => {
    const { list, at } = await singles();
    const pairs = await listPairs(program, list, [{ index: at("8: 0 becomes -1"), fixed: ["test_last"] }]);
    const dearest = Math.max(...pairs.filter(({ kinds }) => kinds.length === 2).map(({ cost }) => cost));
    expect(dearest).toBeLessThanOrEqual(11);
  });

  it("go on with the singles that were left, and are the same each time", async () => {
    const { list } = await singles();
    const pairs = await listPairs(program, list, []);
    expect(pairs.length).toBeGreaterThan(100);
    expect(pairs.length).toBeLessThanOrEqual(20_000);
    expect(await listPairs(program, list, [])).toEqual(pairs);
  });

  it("are none where there is nothing to pair", async () => {
    expect(await listPairs(programOf("a.py", ""), [], [])).toEqual([]);
    expect(await listPairs(programOf("a.py", "def f(:\n"), [], [{ index: 4, fixed: ["t"] }])).toEqual([]);
  });
});
