// Tools that hand the scene on, and the one that measures it.

import { type CheckName, checkMesh, checkNames } from "@loopwright/mesh";
import { z } from "zod";
import type { Blender } from "../../blender.ts";
import { defineTool, facts, text } from "../tool.ts";

/** A tool that writes the scene into the user's output folder; `bytesOf` may have more to say than how many bytes there are. */
function exportTool(
  ending: "blend" | "glb" | "fbx",
  title: string,
  what: string,
  bytesOf: (blender: Blender) => Promise<{ bytes: Uint8Array; more?: string }>,
) {
  const filename = z
    .string()
    .max(100)
    .default(`scene.${ending}`)
    .describe(`A plain file name that ends in .${ending}; a file of that name is replaced`);
  return defineTool({
    name: `export_${ending}`,
    title,
    description: `Writes ${what}`,
    schema: z.object({ filename }),
    changes: false,
    async run(session, given) {
      const { bytes, more = "" } = await bytesOf(await session.blender());
      return [text(`${session.write(given.filename, ending, bytes)} (${size(bytes)}${more})`)];
    },
  });
}

const exportBlend = exportTool(
  "blend",
  "Save as .blend",
  "the scene as a .blend file into the user's output folder, and says where.",
  async (blender) => ({ bytes: await blender.exportBlend() }),
);

const exportGlb = exportTool(
  "glb",
  "Export as GLB",
  "the scene as a binary glTF (.glb: meshes with modifiers and geometry nodes applied, materials; no cameras, lights or " +
    "animations) into the user's output folder, and says where. Objects that are hidden in renders are left out.",
  async (blender) => {
    const { bytes, mesh } = await blender.exported();
    return { bytes, more: `, ${mesh.triangles.length / 3} triangles` };
  },
);

const exportFbx = exportTool(
  "fbx",
  "Export as FBX",
  "the scene's meshes, modifiers applied, as an FBX file into the user's output folder, and says where. Game engines take it.",
  async (blender) => ({ bytes: await blender.exportFbx() }),
);

/** What is wrong with any model, whatever it is of. */
const DEFECTS: CheckName[] = [
  ...(["empty", "finite", "holes", "cracks", "non-manifold", "winding", "inside-out"] as const),
  ...(["degenerate", "duplicate", "floating-parts", "hidden-parts"] as const),
];

const meshReport = defineTool({
  name: "mesh_report",
  title: "Measure the geometry",
  description:
    "Measures the model as it is exported (all objects together): triangles, parts, box, area, volume, symmetry; and lists defects with what to " +
    "do about each: holes, edges of more than two faces, faces turned the wrong way or without area or there twice, parts that touch " +
    "nothing. Use it to find out whether a model is closed and clean.",
  schema: z.object({
    checks: z
      .array(z.enum(checkNames as [CheckName, ...CheckName[]]))
      .max(checkNames.length)
      .default(DEFECTS)
      .describe(
        "What is looked for; by default what is wrong with any model, and not symmetry or whether it stands on the ground",
      ),
  }),
  changes: false,
  async run(session, { checks }) {
    const { mesh } = await (await session.blender()).exported();
    const { findings, min, max, parts, ...found } = checkMesh(mesh, { checks });
    const round = (value: number) => Number(value.toPrecision(5));
    const { triangles, vertices, boundaryEdges, nonManifoldEdges, flippedEdges, degenerateTriangles } = found;
    const counts = { triangles, vertices, parts, boundaryEdges, nonManifoldEdges, flippedEdges, degenerateTriangles };
    const [area, volume, symmetry] = [found.area, found.volume, found.symmetry].map(round);
    const box = { from: min.map(round), to: max.map(round), size: max.map((value, axis) => round(value - min[axis]!)) };
    const defects = findings.map(({ code, message, fix }) => `${code}: ${message}${fix ? `; ${fix}` : ""}`);
    return [facts({ ...counts, area, volume, symmetry, box, defects })];
  },
});

function size({ length }: Uint8Array): string {
  return length < 1e6 ? `${Math.ceil(length / 1000)} kB` : `${(length / 1e6).toFixed(1)} MB`;
}

export const fileTools = [exportBlend, exportGlb, exportFbx, meshReport];
