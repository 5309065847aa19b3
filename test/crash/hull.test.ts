// A hull run on the real Blender that is killed, and a target of the soak.

import { rmSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { hasBlender } from "../fakes/blender.ts";
import { fitTarget } from "./hull-fit.ts";
import { type Kill, placeNames, runHull, type Victim } from "./hull-kills.ts";

const MINUTES = 60_000;

describe.skipIf(!hasBlender)("a hull run on Blender that is killed", { timeout: 10 * MINUTES }, () => {
  // Every place with every victim: npm run soak -- hull-kills.
  it("test_checkpoint_resume: in each phase, ends as the unbroken one, whoever was killed", async () => {
    const { scene, result: unbroken } = await runHull([]);
    try {
      expect(unbroken).toMatchObject({ outcome: "done", iterations: 3 });
      const kinds: Victim[] = ["both", "loopwright", "blender"];
      const kills: Kill[] = placeNames.map((at, i) => ({ at, victim: kinds[i % kinds.length]! }));
      const { left, result } = await runHull(kills, scene);
      expect(left).toEqual([]);
      expect(result).toEqual(unbroken);
    } finally {
      rmSync(scene, { force: true });
    }
  });

  it("and is given a target of a wider family than its own is completed, whole and better than its start", async () => {
    const fit = await fitTarget(1);
    expect(fit).toMatchObject({ isKilled: true, isCompleted: true, isWhole: true });
    expect(fit.score).toBeGreaterThan(fit.start);
    expect(fit.iou).toBeGreaterThan(0.95);
  });
});
