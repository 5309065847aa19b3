import { describe, expect, it } from "vitest";
import { type BaselineTest, baselineLimits, coverageLimits, patienceMs, versionLimits } from "./limits.ts";

const test = (name: string, cpu: number, more: Partial<BaselineTest> = {}): BaselineTest => ({
  name,
  state: "passed",
  cpu,
  ms: cpu * 1000,
  ...more,
});
const MEMORY = 2 ** 30;

describe("The limits of versions", () => {
  it("are short where the passing tests are quick, so that an endless loop costs little", () => {
    const { cpu, load, wall, idle } = versionLimits([test("a", 0.001), test("b", 0.002)], 0.01, MEMORY);
    expect(cpu).toEqual({ "*": 0.2, a: 0.2, b: 0.2 });
    expect([load, wall, idle]).toEqual([0.5, 5, 0.5]);
  });

  it("are many times what each passing test took", () => {
    const { cpu, load } = versionLimits([test("a", 0.1), test("b", 0.5)], 0.2, MEMORY);
    expect(cpu.a).toBeCloseTo(2);
    expect(cpu.b).toBeCloseTo(10);
    expect(load).toBeCloseTo(2);
  });

  it("take failing tests for ones like the passing, however long they took", () => {
    const tests = [test("a", 0.01), test("b", 0.02), test("c", 0.03), test("bad", 9, { state: "failed" })];
    const { cpu } = versionLimits(tests, 0, MEMORY);
    expect(cpu.bad).toBeUndefined();
    expect(cpu["*"]).toBeCloseTo(0.4);
  });

  it("let a test wait that waits in the program as it stands", () => {
    const { idle, wall } = versionLimits([test("a", 0.001, { ms: 2_000 })], 0, MEMORY);
    expect(idle).toBe(6);
    expect(wall).toBe(10);
  });

  it("have a floor where nothing passes", () => {
    expect(versionLimits([], 0, MEMORY)).toMatchObject({ cpu: { "*": 0.2 }, load: 0.5, wall: 5, idle: 0.5 });
  });

  it("are well within the patience of whoever waits", () => {
    const limits = versionLimits([test("a", 0.1), test("b", 0.5)], 0.2, MEMORY);
    expect(patienceMs(limits)).toBeGreaterThan(1000 * (4 * limits.wall + limits.load + 12));
  });
});

describe("The limits of the program as it stands", () => {
  it("cut a test that never ends after a second", () => {
    expect(baselineLimits(MEMORY).cpu).toEqual({ "*": 1 });
  });

  it("allow for the telling of lines, and cut again at once what was cut before", () => {
    const { cpu } = coverageLimits([test("a", 0.1), test("b", 0, { cut: true, state: "failed" })], 0.1, MEMORY);
    expect(cpu.a).toBeCloseTo(5);
    expect(cpu.b).toBe(1);
  });

  it("leave room in the memory that all of a worker's processes have together", () => {
    expect(baselineLimits(MEMORY).memory).toBe(0.75 * MEMORY);
  });
});
