import { randomStream } from "@loopwright/core";
import { type Mesh, maskToPicture, pictureToPng, silhouette } from "@loopwright/mesh";
import { describe, expect, it } from "vitest";
import { drawTarget } from "../../../../test/fixtures/hull/targets.ts";
import { targetToTask } from "../../../../test/fixtures/hull/task.ts";
import { loft } from "../loft/loft.ts";
import { middleHull, parameters, pointToParameters } from "../loft/parameters.ts";
import { threeMasks } from "../measure/references.ts";
import { type ReferenceView, scoreView, scoreViews } from "../measure/score.ts";
import type { HullTask } from "../task/task.ts";
import { demoTask } from "../task/task-file.ts";
import { applyBaseline, drawBaseline, WORST_START } from "./builder.ts";

const never = new AbortController().signal;

/** What the evaluator says of a hull. */
function judge(hull: ReturnType<typeof applyBaseline>, task: HullTask): number {
  const references = threeMasks(task, task.render_size);
  const mesh = loft(hull);
  const view = (name: ReferenceView) =>
    scoreView(silhouette(mesh, name, task.frame, task.render_size), references[name]);
  return scoreViews({ front: view("front"), side: view("side"), top: view("top") }, 1).overall;
}

/** A task whose references are those of this very mesh. */
function fitTo(mesh: Mesh, seed: number): HullTask {
  const task = { ...targetToTask(drawTarget(seed)), render_size: 64 };
  const picture = (view: ReferenceView) =>
    Buffer.from(pictureToPng(maskToPicture(silhouette(mesh, view, task.frame, 64)))).toString("base64");
  return { ...task, references: { front: picture("front"), side: picture("side"), top: picture("top") } };
}

describe("a start that is drawn", () => {
  it("scores .75 or less in the demo, whatever the seed", async () => {
    const task = { ...(await demoTask()), render_size: 256 };
    for (let seed = 1; seed <= 60; seed++) {
      const hull = await drawBaseline(task, randomStream("seed", seed), never);
      expect(judge(hull, task), `seed ${seed}`).toBeLessThanOrEqual(WORST_START);
    }
  });

  it("scores .75 or less beside any target", async () => {
    for (let seed = 401; seed <= 440; seed++) {
      const task = { ...targetToTask(drawTarget(seed)), render_size: 128 };
      const hull = await drawBaseline(task, randomStream(seed), never);
      expect(judge(hull, task), `seed ${seed}`).toBeLessThanOrEqual(WORST_START);
    }
  });

  it("is drawn again while it is too good", async () => {
    let calls = 0;
    // The first draws are one hull after another that fits perfectly.
    const fitting = fitTo(loft(pointToParameters(parameters.map(() => 0.5))), 450);
    const random = () => (++calls <= 5 * parameters.length ? 0.5 : 0.05);
    const hull = await drawBaseline(fitting, random, never);
    expect(calls).toBe(6 * parameters.length);
    expect(judge(hull, fitting)).toBeLessThanOrEqual(WORST_START);
  });

  it("comes from a corner of the ranges where every draw is too good", async () => {
    const fitting = fitTo(loft(middleHull), 451);
    const hull = await drawBaseline(fitting, () => 0.5, never);
    expect(hull).toEqual(pointToParameters(parameters.map(() => 0)));
    expect(judge(hull, fitting)).toBeLessThanOrEqual(WORST_START);
  });

  it("is the same for the same seed", async () => {
    const task = { ...targetToTask(drawTarget(452)), render_size: 64 };
    const draw = (seed: number) => drawBaseline(task, randomStream(seed), never);
    expect(await draw(1)).toEqual(await draw(1));
    expect(await draw(1)).not.toEqual(await draw(2));
  });

  it("is given up when the run must stop", async () => {
    const task = { ...targetToTask(drawTarget(453)), render_size: 64 };
    await expect(drawBaseline(task, randomStream(1), AbortSignal.abort(new Error("stop")))).rejects.toThrow("stop");
  });
});

describe("a start that is given", () => {
  it("fills up with the middle of every range, and refuses what the loft refuses", () => {
    expect(applyBaseline({ length: 9 })).toEqual({ ...middleHull, length: 9 });
    expect(() => applyBaseline({ lenght: 9 })).toThrow("did you mean 'length'?");
  });
});
