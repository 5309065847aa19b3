import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { glbToMesh, pngToPicture } from "@loopwright/mesh";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { hasBlender } from "../../../../test/fakes/blender.ts";
import { type McpBlender, mcpCells } from "../index.ts";

const state = mkdtempSync(join(tmpdir(), "loopwright-client-"));
afterAll(() => rmSync(state, { recursive: true, force: true }));
const frame = { center: [0, 0, 0], meters: 4 } as const;
const cube = "bpy.ops.mesh.primitive_cube_add(size=2)";

function start(snapshot?: string): Promise<McpBlender> {
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
  return mcpCells()({ snapshot, ...rest });
}

const namesOf = async (cell: McpBlender) =>
  ((await cell.scene()) as { objects: { name: string }[] }).objects.map(({ name }) => name);

describe.skipIf(!hasBlender)("Blender by MCP", { timeout: 120_000 }, () => {
  let cell: McpBlender;
  let empty: string;
  beforeAll(async () => {
    cell = await start();
    empty = await cell.snapshot();
  }, 60_000);
  afterAll(() => cell.stop());

  it("test_mcp_execute_code: runs code, and tells what raised as E1 with the scene as it was", async () => {
    expect(await cell.execute(`${cube}\nprint("made")`)).toMatchObject({ output: expect.stringContaining("made") });
    const at = await cell.snapshot();
    await expect(cell.execute(`${cube}\nraise ValueError("no")`)).rejects.toMatchObject({
      code: "BLENDER_CODE",
      message: expect.stringContaining("ValueError"),
    });
    expect(cell.at).toBe(at);
    expect(await namesOf(cell)).toEqual(["Cube"]);
  });

  it("test_mcp_get_scene_info: the scene's info is JSON", async () => {
    expect(await cell.scene()).toMatchObject({ objects: [{ name: "Cube" }] });
  });

  it("test_mcp_get_screenshot: the renders are pictures of the scene", async () => {
    const { side } = await cell.render(frame, 64);
    const { width, height, data } = pngToPicture(side);
    expect([width, height]).toEqual([64, 64]);
    expect(data.some((value) => value > 0)).toBe(true);
    expect((await glbToMesh(await cell.exportGlb())).triangles.length).toBe(36);
  });

  it("test_mcp_reset_baseline: goes back to a known scene, and on to another, in another process too", async () => {
    const full = await cell.snapshot();
    await cell.restore(empty);
    expect(await namesOf(cell)).toEqual([]);
    const other = await start(full);
    expect(await namesOf(other)).toEqual(["Cube"]);
    await other.stop();
  });

  it("takes code that loses two Blenders for the code's fault, and goes on", async () => {
    await cell.restore(empty);
    await expect(cell.execute("import os; os._exit(3)")).rejects.toMatchObject({ code: "BLENDER_CODE" });
    expect(await namesOf(cell)).toEqual([]);
  });
});
