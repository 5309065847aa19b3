import { describe, expect, it, vi } from "vitest";
import { retry, waitAfter } from "./transport.ts";
import { WireError } from "./wire.ts";

const policy = { waits: [2, 8, 32], timeout: 300 };
const passing = (retryAfter?: number) => new WireError("busy", { status: 429, isRetryable: true, retryAfter });
const lasting = new WireError("no such model", { status: 404, isRetryable: false });

/** Runs tries that fail as told, and then succeed; gives back what happened. */
async function run(failures: readonly unknown[]) {
  const waits: number[] = [];
  const told: (number | undefined)[] = [];
  const left = [...failures];
  const makeTry = vi.fn(async () => {
    if (left.length > 0) throw left.shift();
    return "answer";
  });
  const result = retry(
    policy,
    makeTry,
    async (ms) => void waits.push(ms),
    (_error, wait) => void told.push(wait),
  );
  const end = await result.catch((error: unknown) => error);
  return { end, waits, told, tries: makeTry.mock.calls.length };
}

describe("a call that fails", () => {
  it("is not tried again where it succeeds", async () => {
    expect(await run([])).toEqual({ end: "answer", waits: [], told: [], tries: 1 });
  });

  it("is tried again after each wait of the policy", async () => {
    expect(await run([passing(), passing(), passing()])).toEqual({
      end: "answer",
      waits: [2_000, 8_000, 32_000],
      told: [2, 8, 32],
      tries: 4,
    });
  });

  it("is tried once more than there are waits, and then its last error is thrown", async () => {
    const last = passing();
    const { end, tries, told } = await run([passing(), passing(), passing(), last]);
    expect(end).toBe(last);
    expect(tries).toBe(4);
    expect(told).toEqual([2, 8, 32, undefined]);
  });

  it("is never tried again where that would not help", async () => {
    expect(await run([lasting])).toEqual({ end: lasting, waits: [], told: [undefined], tries: 1 });
  });

  it("is never tried again on a fault that no server has caused", async () => {
    const bug = new TypeError("x is not a function");
    expect(await run([bug])).toEqual({ end: bug, waits: [], told: [], tries: 1 });
  });

  it("ends where the wait is broken off", async () => {
    const stop = new Error("stop");
    const makeTry = vi.fn(async () => Promise.reject(passing()));
    const broken = retry(policy, makeTry, () => Promise.reject(stop), vi.fn());
    await expect(broken).rejects.toBe(stop);
    expect(makeTry).toHaveBeenCalledTimes(1);
  });
});

describe("the wait after a failure", () => {
  it.each([
    ["shorter than the policy's", 1, 2],
    ["longer than the policy's", 5, 5],
    ["a fraction of a second longer", 2.5, 2.5],
    ["more than ten minutes", 86_400, 600],
    ["without end", Number.POSITIVE_INFINITY, 600],
    ["no number", Number.NaN, 2],
    ["in the past", -30, 2],
  ])("where the server asks for one that is %s", (_words, asked, expected) => {
    expect(waitAfter(passing(asked), 1, policy)).toBe(expected);
  });

  it("is none after the last try, whatever the server asks for", () => {
    expect(waitAfter(passing(5), 4, policy)).toBeUndefined();
    expect(waitAfter(passing(5), 1, { waits: [], timeout: 1 })).toBeUndefined();
  });
});
