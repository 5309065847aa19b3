// What a loop needs of Blender: the workcell, and which Blender there is.

export {
  Blender,
  type CallOptions,
  type Executed,
  type Exported,
  LONGEST_EXECUTION_MS,
  type PictureOptions,
} from "./blender.ts";
export { McpBlender, type McpCellOptions, mcpCells } from "./client/cell.ts";
export type { OtherServer } from "./client/connection.ts";
export { type BlenderOptions, isBlend } from "./options.ts";
export { type BlenderProgram, findBlender, testedVersions } from "./program.ts";
export { type GlbPictures, renderGlb } from "./render.ts";
export type { BlenderLimits } from "./worker/job.ts";
