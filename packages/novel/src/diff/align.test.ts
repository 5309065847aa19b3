import { describe, expect, it } from "vitest";
import { randomFrom } from "../../../../test/fixtures/novel-repository/random.ts";
import { align, type Match } from "./align.ts";

const signs = (text: string) => Int32Array.from(text, (sign) => sign.charCodeAt(0));
const alignSigns = (a: string, b: string) => align(signs(a), signs(b), 128);
const shared = (a: string, matches: readonly Match[]) => matches.map((m) => a.slice(m.a, m.a + m.length)).join("");

/** The length of the longest common subsequence, by the book. */
function longest(a: Int32Array, b: Int32Array): number {
  let row = new Int32Array(b.length + 1);
  for (const value of a) {
    const next = new Int32Array(b.length + 1);
    for (let at = 1; at <= b.length; at++)
      next[at] = value === b[at - 1] ? row[at - 1]! + 1 : Math.max(row[at]!, next[at - 1]!);
    row = next;
  }
  return row[b.length]!;
}

function expectSound(a: Int32Array, b: Int32Array, matches: readonly Match[]): void {
  let [aEnd, bEnd] = [0, 0];
  for (const [at, match] of matches.entries()) {
    expect(match.length).toBeGreaterThan(0);
    expect(match.a >= aEnd && match.b >= bEnd).toBe(true);
    if (at > 0) expect(match.a > aEnd || match.b > bEnd).toBe(true);
    expect(a.subarray(match.a, match.a + match.length)).toEqual(b.subarray(match.b, match.b + match.length));
    [aEnd, bEnd] = [match.a + match.length, match.b + match.length];
  }
  expect(aEnd <= a.length && bEnd <= b.length).toBe(true);
}

describe("two sequences laid beside each other", () => {
  it("have all in common where they are the same, and nothing where one is empty", () => {
    expect(alignSigns("abc", "abc")).toEqual([{ a: 0, b: 0, length: 3 }]);
    expect(alignSigns("", "abc")).toEqual([]);
    expect(alignSigns("abc", "")).toEqual([]);
    expect(alignSigns("", "")).toEqual([]);
  });

  it("keep what stands around an insertion, a removal and a replacement", () => {
    expect(shared("abcd", alignSigns("abcd", "abxcd"))).toBe("abcd");
    expect(shared("abxcd", alignSigns("abxcd", "abcd"))).toBe("abcd");
    expect(shared("abxcd", alignSigns("abxcd", "abycd"))).toBe("abcd");
  });

  it("keep the longer part where two parts change places", () => {
    expect(shared("12abcdef", alignSigns("12abcdef", "abcdef12"))).toBe("abcdef");
  });

  it("do so where nothing occurs once", () => {
    const random = randomFrom(1);
    for (let round = 0; round < 300; round++) {
      const [a, b] = [30, 30].map((most) => Int32Array.from({ length: random(most) * 2 }, () => random(3)));
      const doubled = [a!, b!].map((values) => Int32Array.from([...values, ...values]));
      const matches = align(doubled[0]!, doubled[1]!, 3);
      expectSound(doubled[0]!, doubled[1]!, matches);
      expect(matches.reduce((sum, { length }) => sum + length, 0)).toBe(longest(doubled[0]!, doubled[1]!));
    }
  });

  it("share as much as can be shared, in order, for any two short sequences", () => {
    const random = randomFrom(2);
    for (let round = 0; round < 300; round++) {
      const values = 2 + random(60);
      const a = Int32Array.from({ length: random(120) }, () => random(values));
      const b = Int32Array.from(a.filter(() => random(4) > 0));
      for (let at = 0; at < b.length; at++) if (random(5) === 0) b[at] = random(values);
      const matches = align(a, b, values);
      expectSound(a, b, matches);
      expect(matches.reduce((sum, { length }) => sum + length, 0)).toBe(longest(a, b));
    }
  });

  it("find long runs again among values that all occur often", () => {
    const random = randomFrom(3);
    const a = Int32Array.from({ length: 20_000 }, () => random(40));
    const b = a.map((value) => (random(10) === 0 ? random(40) : value));
    const matches = align(a, b, 40);
    expectSound(a, b, matches);
    expect(matches.reduce((sum, { length }) => sum + length, 0)).toBeGreaterThan(15_000);
  });

  it("have nothing in common, and say so quickly, where all was replaced", () => {
    const a = Int32Array.from({ length: 200_000 }, (_, at) => at % 1_000);
    const b = a.map((value) => value + 1_000);
    const start = process.cpuUsage().user;
    expect(align(a, b, 2_000)).toEqual([]);
    expect(process.cpuUsage().user - start).toBeLessThan(1_000_000);
  });

  it("take more anchors than a call may have arguments", () => {
    const a = Int32Array.from({ length: 400_000 }, (_, at) => at);
    const b = Int32Array.from(a.map((value) => (value % 2 === 0 ? value : 399_999 + ((value + 1) >> 1))));
    const matches = align(a, b, 700_000);
    expect(matches).toHaveLength(200_000);
  });
});
