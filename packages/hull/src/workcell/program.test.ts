import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type McpBlender, mcpCells } from "@loopwright/blender";
import { checkMesh, glbToMesh, overlap, silhouette } from "@loopwright/mesh";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { hasBlender } from "../../../../test/fakes/blender.ts";
import { loft } from "../loft/loft.ts";
import { middleHull, parameters, pointToParameters } from "../loft/parameters.ts";
import { parametersToProgram, programToParameters } from "./code.ts";

const frame = { center: [0, 0, 0.3], meters: 20 } as const;
const hulls = [
  middleHull,
  ...[0.2, 0.8].map((at) => pointToParameters(parameters.map((_, i) => (i % 3 ? at : 1 - at)))),
];

describe("a program", () => {
  it("tells the hull that it makes", () => {
    for (const hull of hulls) expect(programToParameters(parametersToProgram(hull))).toEqual(hull);
  });
});

describe.skipIf(!hasBlender)("the hull of geometry nodes", { timeout: 120_000 }, () => {
  const state = mkdtempSync(join(tmpdir(), "loopwright-program-"));
  let cell: McpBlender;
  beforeAll(async () => {
    const { signal } = new AbortController();
    const rest = {
      signal,
      run: "run",
      attempt: "attempt-000",
      input: {},
      configuration: {},
      folder: undefined,
      scenes: join(state, "run"),
    };
    cell = await mcpCells()({ snapshot: undefined, ...rest });
  }, 60_000);
  afterAll(async () => {
    await cell.stop();
    rmSync(state, { recursive: true, force: true });
  });

  it.each(hulls.map((hull, number) => ({ hull, number })))(
    "is the loft's hull $number: closed, and of the same form",
    async ({ hull }) => {
      await cell.execute(parametersToProgram(hull));
      const made = await glbToMesh(await cell.exportGlb());
      const [is, should] = [checkMesh(made), checkMesh(loft(hull))];
      expect(is).toMatchObject({ boundaryEdges: 0, nonManifoldEdges: 0, flippedEdges: 0, degenerateTriangles: 0 });
      expect(is.volume / should.volume).toBeCloseTo(1, 2);
      for (const view of ["front", "side", "top"] as const)
        expect(overlap(silhouette(made, view, frame, 512), silhouette(loft(hull), view, frame, 512))).toBeGreaterThan(
          0.997,
        );
    },
  );
});
