import { boundsOf, checkMesh, extentOf, overlap, silhouette } from "@loopwright/mesh";
import { describe, expect, it } from "vitest";
import { drawTarget } from "../../../test/fixtures/hull/targets.ts";
import { targetToTask } from "../../../test/fixtures/hull/task.ts";
import { threeMasks } from "./measure/references.ts";
import { referenceViews } from "./measure/score.ts";
import { demoTask } from "./task/task-file.ts";

describe("the targets that the loop is measured on", () => {
  it("are closed hulls that fit into their frame", () => {
    for (let seed = 501; seed <= 540; seed++) {
      const { mesh, frame } = drawTarget(seed);
      const check = checkMesh(mesh);
      expect(check, `seed ${seed}`).toMatchObject({ boundaryEdges: 0, nonManifoldEdges: 0, flippedEdges: 0 });
      expect(check.volume).toBeGreaterThan(0);
      const { min, max } = boundsOf(mesh);
      for (const axis of [0, 1, 2] as const) {
        expect(max[axis]).toBeLessThan(frame.center[axis] + frame.meters / 2);
        expect(min[axis]).toBeGreaterThan(frame.center[axis] - frame.meters / 2);
      }
    }
  });

  it("are the same for the same seed, and differ from seed to seed", () => {
    expect(drawTarget(7)).toEqual(drawTarget(7));
    expect(drawTarget(7).mesh.positions).not.toEqual(drawTarget(8).mesh.positions);
  });

  it("become tasks whose references show them", () => {
    const target = drawTarget(11);
    const task = targetToTask(target);
    expect(task.frame).toEqual(target.frame);
    expect(extentOf(silhouette(target.mesh, "side", task.frame, 128))!.width).toBeGreaterThan(80);
  });

  it("include the demo's: its references are those of seed 103", async () => {
    const task = await demoTask();
    const target = targetToTask(drawTarget(103));
    expect(task.frame).toEqual(target.frame);
    const [shipped, made] = [threeMasks(task, 512), threeMasks(target, 512)];
    for (const view of referenceViews) expect(overlap(shipped[view], made[view])).toBeGreaterThan(0.999);
  });
});
