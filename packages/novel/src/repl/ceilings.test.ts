import { describe, expect, it } from "vitest";
import { ceilingsLeft, countSpent } from "./drive.ts";
import type { Session } from "./session.ts";

const given: Record<string, number> = { "max-tokens": 1_000, "max-usd": 2 };
const session = () => ({ spent: {}, context: { number: (flag: string) => given[flag] } }) as unknown as Session;
const run = (tokens: number, usd: number) => ({ iterations: 1, active: 60_000, usage: { tokens, usd } });

describe("The ceilings of a session", () => {
  it("leave each run what those before it did not take, and say so where nothing is left", () => {
    const of = session();
    expect(ceilingsLeft(of)).toEqual({ tokens: 1_000, usd: 2 });
    countSpent(of, run(400, 0.5));
    expect(ceilingsLeft(of)).toEqual({ tokens: 600, usd: 1.5 });
    countSpent(of, run(600, 0.5));
    expect(() => ceilingsLeft(of)).toThrow("--max-tokens of 1,000 tokens");
  });

  it("count of a run that is resumed only what this session takes, on top of what it took before", () => {
    const of = session();
    expect(ceilingsLeft(of, run(300, 0))).toEqual({ tokens: 1_300, usd: 2 });
    countSpent(of, run(700, 0), run(300, 0));
    expect(ceilingsLeft(of)).toMatchObject({ tokens: 600 });
  });
});
