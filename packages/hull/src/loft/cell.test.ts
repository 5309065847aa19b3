import { ExecutionError } from "@loopwright/core";
import { boundsOf, checkMesh, glbToMesh, pictureToMask, pngToPicture, silhouette, viewNames } from "@loopwright/mesh";
import { describe, expect, it } from "vitest";
import { startLoft } from "./cell.ts";
import { loft } from "./loft.ts";
import { middleHull, parametersToCode } from "./parameters.ts";

const start = (snapshot?: string) => startLoft({ snapshot });
const frame = { center: [0, 0, 0.5], meters: 16 } as const;

describe("the loft workcell", () => {
  it("begins with a hull in the middle of every range", async () => {
    const cell = await start();
    expect(await cell.scene()).toEqual({ parameters: middleHull });
    expect(cell.at).toBeUndefined();
  });

  it("says which parameters its code has changed", async () => {
    const cell = await start();
    expect(await cell.execute(JSON.stringify({ length: 9, beam: middleHull.beam }))).toEqual({ changed: ["length"] });
    expect(await cell.scene()).toMatchObject({ parameters: { length: 9 } });
  });

  it("stays as it is where the code raises", async () => {
    const cell = await start();
    const snapshot = await cell.snapshot();
    await expect(cell.execute('{ "length": 9, "beam": 99 }')).rejects.toThrow(ExecutionError);
    expect(await cell.scene()).toEqual({ parameters: middleHull });
    expect(cell.at).toBe(snapshot);
  });

  it("goes back to a snapshot, here and in another cell", async () => {
    const cell = await start();
    await cell.execute('{ "length": 9 }');
    const snapshot = await cell.snapshot();
    expect(cell.at).toBe(snapshot);
    await cell.execute('{ "length": 12 }');
    expect(cell.at).toBeUndefined();
    await cell.restore(snapshot);
    const other = await start(snapshot);
    for (const each of [cell, other]) {
      expect(await each.scene()).toMatchObject({ parameters: { length: 9 } });
      expect(each.at).toBe(snapshot);
    }
    expect(snapshot).toBe(parametersToCode({ ...middleHull, length: 9 }));
  });

  it("renders four views whose transparency is the hull's silhouette", async () => {
    const cell = await start();
    const pictures = await cell.render(frame, 128);
    expect(Object.keys(pictures)).toEqual([...viewNames]);
    for (const view of viewNames) {
      const mask = pictureToMask(pngToPicture(pictures[view]));
      const expected = silhouette(loft(middleHull), view, frame, 128);
      expect(mask.data.reduce((sum, bit) => sum + bit, 0)).toBeGreaterThan(500);
      expect(Buffer.from(mask.data).equals(Buffer.from(expected.data)), view).toBe(true);
    }
  });

  it("exports a closed hull of its size", async () => {
    const cell = await start();
    await cell.execute('{ "length": 10 }');
    const mesh = await glbToMesh(await cell.exportGlb());
    expect(checkMesh(mesh)).toMatchObject({ boundaryEdges: 0, nonManifoldEdges: 0, flippedEdges: 0 });
    const { min, max } = boundsOf(mesh);
    expect(max[0] - min[0]).toBeCloseTo(10, 5);
  });

  it("makes the same bytes each time", async () => {
    const [one, other] = [await start(), await start()];
    expect(Buffer.from(await one.exportGlb()).equals(Buffer.from(await other.exportGlb()))).toBe(true);
    const [first, second] = [await one.render(frame, 96), await other.render(frame, 96)];
    for (const view of viewNames) expect(Buffer.from(first[view]).equals(Buffer.from(second[view]))).toBe(true);
  });
});
