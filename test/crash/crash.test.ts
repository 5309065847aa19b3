// Crash anywhere: every run is killed after every one of its writes, and two of them before each too, resumed, and compared (L1–L4, L7).
// All of them on both sides, and at random moments: npm run soak -- engine.

import { afterAll, describe, expect, it } from "vitest";
import {
  countWrites,
  inParallel,
  type KillPoint,
  killPoints,
  type Outcome,
  runKilled,
  scenarioNames,
} from "./harness.ts";

const onBothSides = ["effects", "gates"];
let points = 0;

describe.each(scenarioNames)("the run '%s'", (name) => {
  it("ends the same wherever its process is killed", { timeout: 600_000 }, async () => {
    const { outcome: unbroken, faults } = await runKilled(name, []);
    expect(faults).toEqual([]);
    expect(unbroken.outcome).toBe("done");
    const counts = await countWrites(name);
    const sides = onBothSides.includes(name) ? undefined : (["after"] as const);
    const results = await inParallel(
      killPoints(counts, sides).map((kills) => () => attempt(name, kills, unbroken)),
      2,
    );
    expect(results.filter((result) => result.problem !== undefined)).toEqual([]);
    points += results.length;
  });
});

it("needs at least 300 kill points", () => {
  expect(points).toBeGreaterThanOrEqual(300);
});

afterAll(() => {
  console.log(`kill points tried: ${points}`);
});

async function attempt(
  name: string,
  kills: (KillPoint | undefined)[],
  unbroken: Outcome,
): Promise<{ at: KillPoint | undefined; problem?: string }> {
  const at = kills.at(-1);
  try {
    const { outcome, faults, killed } = await runKilled(name, kills);
    expect(faults).toEqual([]);
    expect(outcome).toEqual(unbroken);
    expect(killed).toBe(1);
    return { at };
  } catch (error) {
    return { at, problem: (error as Error).message };
  }
}
