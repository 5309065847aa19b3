import { setTimeout as wait } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { shareOut } from "./share.ts";

describe("Work that is shared out", () => {
  it("gives results in the order of what was given, whichever is done first", async () => {
    const results = await shareOut([30, 1, 10, 2], 2, async (ms) => {
      await wait(ms);
      return ms * 2;
    });
    expect(results).toEqual([60, 2, 20, 4]);
  });

  it("is done so many at a time, one after another in each slot", async () => {
    let running = 0;
    let most = 0;
    const busy = new Set<number>();
    await shareOut(Array.from({ length: 20 }), 3, async (_, slot) => {
      expect(busy.has(slot)).toBe(false);
      busy.add(slot);
      running += 1;
      most = Math.max(most, running);
      await wait(1);
      running -= 1;
      busy.delete(slot);
    });
    expect(most).toBe(3);
  });

  it("ends with the first failure, begins nothing more, and waits for what has begun", async () => {
    const begun: number[] = [];
    const ended: number[] = [];
    const work = shareOut([0, 1, 2, 3, 4], 2, async (item) => {
      begun.push(item);
      await wait(item === 1 ? 1 : 20);
      if (item === 1) throw new Error("no");
      ended.push(item);
    });
    await expect(work).rejects.toThrow("no");
    expect(begun).toEqual([0, 1]);
    expect(ended).toEqual([0]);
  });

  it("is nothing where nothing is given", async () => {
    expect(await shareOut([], 4, async () => 1)).toEqual([]);
  });
});
