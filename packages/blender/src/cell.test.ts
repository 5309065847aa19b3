import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { defineLoop, Engine, machineClock, SqliteJournal, thisProcess } from "@loopwright/core";
import { MemoryStore } from "@loopwright/core/testing";
import { viewNames } from "@loopwright/mesh";
import { afterAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { hasBlender } from "../../../test/fakes/blender.ts";
import type { Blender } from "./blender.ts";
import { blenderCells } from "./cell.ts";

const state = mkdtempSync(join(tmpdir(), "loopwright-cells-"));
afterAll(() => rmSync(state, { recursive: true, force: true }));
const workcells = { blender: blenderCells({ state, hasSpare: false }) };
const frame = { center: [0, 0, 0], meters: 4 } as const;

const names = async (cell: Blender) => ((await cell.scene()).objects as { name: string }[]).map(({ name }) => name);

/** Builds a cube, loses its Blender, and goes on from the snapshot with a sphere. */
const building = defineLoop({
  name: "building",
  version: 1,
  input: z.object({}),
  state: z.object({ at: z.string().optional(), found: z.array(z.string()).optional() }),
  initial: () => ({}),
  start: "cube",
  iteration: "cube",
  phases: {
    cube: {
      to: ["sphere"],
      run: async (_state, ctx) => {
        const at = await ctx.workcell<Blender>("blender").effect("cube", {
          input: {},
          run: async (cell) => {
            await cell.execute("bpy.ops.mesh.primitive_cube_add()");
            // The first time, its Blender dies: that is E0, and the core has another one do it again.
            if (!lost.done) {
              lost.done = true;
              await cell.execute("import os; os._exit(3)");
            }
            return cell.snapshot();
          },
        });
        return ctx.to("sphere", { at });
      },
    },
    sphere: {
      to: [],
      run: async ({ at }, ctx) => {
        const found = await ctx.workcell<Blender>("blender", at).effect("sphere", {
          input: { at: at! },
          run: async (cell) => {
            await cell.execute("bpy.ops.mesh.primitive_uv_sphere_add()");
            expect(Object.keys(await cell.render(frame, 32))).toEqual(viewNames);
            return names(cell);
          },
        });
        return ctx.end("failed", { patch: { found } });
      },
    },
  },
});
const lost = { done: false };

describe.skipIf(!hasBlender)("Blender as a workcell", () => {
  it("is started, lost, started again, snapshotted and restored by the core", async () => {
    const journal = SqliteJournal.inMemory();
    await using engine = new Engine({
      journal,
      store: new MemoryStore(),
      clock: machineClock,
      process: thisProcess(),
      workcells,
    });
    const { run, state: end } = await engine.start(building, {});
    expect(lost.done).toBe(true);
    expect(end.found).toEqual(["Cube", "Sphere"]);
    expect(readdirSync(join(state, run))).toContain(end.at);
  });
});
