// What a loop that refines a model needs of any workcell that can model: run code, look, take pictures, export.

import type { Json, Workcell } from "@loopwright/core";
import type { Frame, ViewName } from "@loopwright/mesh";

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
  /** Puts a file where code can read it, where there are such; gives back its path as code sees it. */
  bring?(name: string, bytes: Uint8Array): string;
}
