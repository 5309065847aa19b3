// What a loop needs of Blender: the workcell, and which Blender there is.

export { Blender, type PictureOptions } from "./blender.ts";
export { McpBlender, type McpCellOptions, mcpCells } from "./client/cell.ts";
export type { OtherServer } from "./client/server.ts";
export { type BlenderProgram, findBlender, requireBlender, testedVersions } from "./program.ts";
export { type GlbPictures, renderGlb } from "./render.ts";
export type { BlenderLimits } from "./worker/job.ts";
export { type BlenderOptions, isBlend } from "./worker/job.ts";
