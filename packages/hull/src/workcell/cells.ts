// The workcells that a run can be in, as its own record and the project's configuration say.

import {
  type Artifact,
  type Configuration,
  type EffectContext,
  type Json,
  UsageError,
  type Workcell,
  type WorkcellStart,
} from "@loopwright/core";
import { type Frame, type ViewName, viewNames } from "@loopwright/mesh";
import type { HullConfiguration } from "../configuration.ts";
import { startLoft } from "../loft/cell.ts";
import type { HullState, HullTask } from "../task/task.ts";

/** What a run keeps of how it was started. */
export interface HullSettings {
  sandbox: "bwrap" | "none";
}

/** The workcells of a project. */
export function hullCells({ own }: Pick<Configuration<HullConfiguration>, "own">): Record<string, WorkcellStart> {
  const server = own?.workcell?.mcp;
  return {
    loft: startLoft,
    blender: async (options) => {
      const { baseline } = options.input as unknown as HullTask;
      const { sandbox = "bwrap" } = (options.configuration as { hull?: Partial<HullSettings> } | null)?.hull ?? {};
      if (server && sandbox !== "none")
        throw new UsageError(
          "MCP_UNSANDBOXED",
          "hull.workcell.mcp in loopwright.yaml names a server that runs code without a sandbox of ours: if that is meant, start the run with --sandbox none",
        );
      const blend = baseline?.blend;
      const bytes = typeof blend === "string" ? Buffer.from(blend, "base64") : undefined;
      const { mcpCells } = await import("@loopwright/blender");
      return mcpCells({ sandbox, server, baseline: bytes })(options);
    },
  };
}

/** A workcell that holds one scene. */
export interface ModelingCell extends Workcell {
  /** Runs a builder's code on the scene; throws ExecutionError where the code is at fault. */
  execute(code: string): Promise<Json>;
  /** What the scene holds, for whoever proposes the next change. */
  scene(): Promise<Json>;
  /** A PNG of each view, transparent where the object is not. */
  render(frame: Frame, size: number): Promise<Record<ViewName, Uint8Array>>;
  exportGlb(): Promise<Uint8Array>;
  /** The scene as a file of the workcell's own program, where it has one. */
  exportBlend?(): Promise<Uint8Array>;
  /** Opens a scene of somebody's; throws ExecutionError where it cannot be opened, and then stands where it was. */
  open?(blend: Uint8Array): Promise<void>;
  /** Its meshes for a game engine, where it can. */
  exportFbx?(): Promise<Uint8Array>;
}

/** What is recorded of a scene. */
export interface Scene {
  result: Json;
  scene_snapshot: Json;
  workcell_snapshot: string;
  current_renders: HullState["current_renders"];
  current_glb: Artifact;
  current_blend?: Artifact;
}

/** Runs code, where there is any, and takes everything down that the evaluator and the next iteration need. */
export async function runAndRecord(
  cell: ModelingCell,
  effect: Pick<EffectContext, "save">,
  code: string,
  task: Pick<HullTask, "frame" | "render_size">,
): Promise<Scene> {
  const result = code === "" ? null : await cell.execute(code);
  const pictures = await cell.render(task.frame, task.render_size);
  const current_renders: Partial<Record<(typeof viewNames)[number], Artifact>> = {};
  for (const view of viewNames) {
    current_renders[view] = await effect.save(`renders/${view}.png`, pictures[view]);
  }
  const current_glb = await effect.save("scene.glb", await cell.exportGlb());
  const scene_snapshot = await cell.scene();
  const seen = { result, scene_snapshot, workcell_snapshot: await cell.snapshot(), current_renders, current_glb };
  const blend = await cell.exportBlend?.();
  return blend ? { ...seen, current_blend: await effect.save("scene.blend", blend) } : seen;
}
