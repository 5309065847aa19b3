// Pictures by a real Blender, taken by two of them side by side.

import { sha256 } from "@loopwright/core";
import { meshToGlb, pngToPicture } from "@loopwright/mesh";
import { beforeAll, describe, expect, it } from "vitest";
import { hasBlender } from "../../../test/fakes/blender.ts";
import { car } from "../../../test/fakes/car.ts";
import { readModel } from "./evidence.ts";
import { type Placed, profilesByName, renderByBlender, viewsFrom } from "./renders.ts";

const signal = new AbortController().signal;
const small = { ...profilesByName.draft, width: 96, height: 64, frames: 2 };
let glb: Uint8Array;
let placed: Placed;

beforeAll(async () => {
  glb = await meshToGlb(car());
  const read = await readModel(glb);
  if ("problem" in read) throw new Error(read.problem.message);
  placed = { front: read.front, min: read.report.min, max: read.report.max };
});

/** A digest of each picture's pixels, by its name. */
async function takePictures(): Promise<Record<string, string>> {
  const taken: Record<string, string> = {};
  const rendered = await renderByBlender(glb, {
    ...{ views: viewsFrom(placed, small.frames), profile: small, signal },
    onPicture: async ({ view, style }, png) => {
      const { width, height, data } = pngToPicture(png);
      expect([width, height]).toEqual([96, 64]);
      taken[`${style} ${view}`] = sha256(data);
    },
  });
  expect(rendered).toEqual({ isDone: true });
  return taken;
}

describe("the canonical views", () => {
  it("stand round the front that the asset has, with the wheel near", () => {
    const views = viewsFrom({ ...placed, front: -90 }, 12);
    expect(views.map(({ name, azimuth, elevation }) => [name, azimuth, elevation]).slice(0, 6)).toEqual([
      ["front_3q", 315, 15],
      ["rear_3q", 135, 15],
      ["side_left", 0, 5],
      ["front", 270, 10],
      ["top", 270, 75],
      ["close_wheel_front", 330, 10],
    ]);
    expect(views.filter(({ name }) => name.startsWith("turntable_"))).toHaveLength(12);
    const { target } = viewsFrom(placed, 1).find(({ name }) => name === "close_wheel_front")!;
    expect(target![0]).toBeCloseTo(0.3 * (placed.max[0] - placed.min[0]), 1);
    expect(target![1]).toBeCloseTo(placed.max[1], 1);
  });
});

describe.skipIf(!hasBlender)("by Blender", () => {
  it("are all taken as beauty and as clay, and the same in two processes", async () => {
    const [first, second] = await Promise.all([takePictures(), takePictures()]);
    expect(Object.keys(first)).toHaveLength(16);
    expect(second).toEqual(first);
    expect(first["beauty front_3q"]).not.toBe(first["clay front_3q"]);
    expect(new Set(Object.values(first)).size).toBeGreaterThan(12);
  });

  it("that are not done in time, and a file that Blender cannot import, are told", async () => {
    const order = { views: [], profile: small, signal, onPicture: async () => {} };
    const late = await renderByBlender(glb, { ...order, profile: { ...small, limitMs: 1 } });
    expect(late).toMatchObject({ problem: { code: "RENDER_TIMEOUT", severity: "hard" } });
    const truncated = await renderByBlender(glb.subarray(0, 400), order);
    expect(truncated).toMatchObject({ missing: expect.stringMatching(/./) });
  });

  it("that take more memory than there is for them are told; a Blender that does not start is E0", async () => {
    const order = { views: viewsFrom(placed, 1), profile: { ...small, width: 6000, height: 6000 }, signal };
    const [large, none] = [400, 40].map((megabytes) =>
      renderByBlender(glb, { ...order, onPicture: async () => {}, limits: { memoryBytes: megabytes * 2 ** 20 } }),
    );
    await expect(none).rejects.toThrow(/does not start: it used more than 40 MB of memory/);
    const message = "Blender was stopped: it used more than 400 MB of memory";
    expect(await large).toMatchObject({ problem: { code: "RENDER_OOM", severity: "hard", message } });
  });
});
