// Tools that hand the scene on, and the one that measures it.

import { boundsOf, checkMesh } from "@loopwright/mesh";
import { z } from "zod";
import { defineTool, facts, text } from "../tool.ts";

const filename = (ending: string) =>
  z
    .string()
    .max(100)
    .default(`scene.${ending}`)
    .describe(`A plain file name that ends in .${ending}; a file of that name is replaced`);

const exportBlend = defineTool({
  name: "export_blend",
  title: "Save as .blend",
  description: "Writes the scene as a .blend file into the user's output folder, and says where.",
  schema: z.object({ filename: filename("blend") }),
  changes: false,
  async run(session, { filename }) {
    const bytes = await (await session.blender()).exportBlend();
    return [text(`${session.write(filename, "blend", bytes)} (${size(bytes)})`)];
  },
});

const exportGlb = defineTool({
  name: "export_glb",
  title: "Export as GLB",
  description:
    "Writes the scene as a binary glTF (.glb: meshes with modifiers and geometry nodes applied, materials; no cameras, lights or " +
    "animations) into the user's output folder, and says where. Objects that are hidden in renders are left out.",
  schema: z.object({ filename: filename("glb") }),
  changes: false,
  async run(session, { filename }) {
    const { bytes, mesh } = await (await session.blender()).exported();
    const triangles = mesh.triangles.length / 3;
    return [text(`${session.write(filename, "glb", bytes)} (${size(bytes)}, ${triangles} triangles)`)];
  },
});

const meshReport = defineTool({
  name: "mesh_report",
  title: "Measure the geometry",
  description:
    "Measures the model as it is exported: triangles, box, volume, and defects (open edges, edges of more than two faces, faces turned " +
    "against their neighbors, faces without area). All objects count as one mesh. Use it to find out whether a model is closed and clean.",
  schema: z.object({}),
  changes: false,
  async run(session) {
    const { mesh } = await (await session.blender()).exported();
    const { min, max } = boundsOf(mesh);
    const round = (value: number) => Number(value.toPrecision(5));
    const { volume, ...counts } = checkMesh(mesh);
    const box = { from: min.map(round), to: max.map(round), size: max.map((value, axis) => round(value - min[axis]!)) };
    return [facts({ ...counts, volume: round(volume), box })];
  },
});

function size({ length }: Uint8Array): string {
  return length < 1e6 ? `${Math.ceil(length / 1000)} kB` : `${(length / 1e6).toFixed(1)} MB`;
}

export const fileTools = [exportBlend, exportGlb, meshReport];
