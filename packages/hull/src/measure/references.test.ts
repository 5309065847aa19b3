import { extentOf, overlap, pictureToPng, silhouette } from "@loopwright/mesh";
import { describe, expect, it } from "vitest";
import { drawTarget } from "../../../../test/fixtures/hull/targets.ts";
import { targetToTask } from "../../../../test/fixtures/hull/task.ts";
import { pngToMask, threeMasks } from "./references.ts";
import { referenceViews } from "./score.ts";

describe("references", () => {
  const target = drawTarget(601);
  const task = targetToTask(target);

  it("are the masks of the task's pictures", () => {
    const masks = threeMasks(task, 512);
    for (const view of referenceViews) {
      expect(masks[view].data).toEqual(silhouette(target.mesh, view, target.frame, 512).data);
    }
  });

  it("come in the size that is asked for, and show the same", () => {
    const small = threeMasks(task, 128);
    for (const view of referenceViews) {
      expect(small[view]).toMatchObject({ width: 128, height: 128 });
      expect(overlap(small[view], silhouette(target.mesh, view, target.frame, 128))).toBeGreaterThan(0.9);
    }
  });

  it("are read once for a task, and again for another", () => {
    expect(threeMasks(task, 256)).toBe(threeMasks(task, 256));
    const other = targetToTask(drawTarget(602));
    expect(threeMasks(other, 256).side.data).not.toEqual(threeMasks(task, 256).side.data);
  });

  it("may be dark on light, without transparency", () => {
    const data = new Uint8Array(16 * 16).fill(255);
    for (let y = 4; y < 8; y++) data.fill(20, y * 16 + 2, y * 16 + 12);
    const mask = pngToMask(pictureToPng({ width: 16, height: 16, channels: 1, data }));
    expect(extentOf(mask)).toMatchObject({ left: 2, right: 11, top: 4, bottom: 7, area: 40 });
  });
});
