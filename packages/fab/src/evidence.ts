// From a file to what every critic is shown, or to the code that it is refused with. Nothing outside of the file is read, and nothing
// in it is run.

import { readFile, stat } from "node:fs/promises";
import { type Finding, LoopwrightError } from "@loopwright/core";
import { checkMesh, glbToModel, type MeshReport, type Model } from "@loopwright/mesh";
import { forwardOf } from "./critics/category/car.ts";
import type { Evidence } from "./critics/critic.ts";
import { counted, percent } from "./critics/critic.ts";
import { openEdges, scaleFor } from "./critics/geometry.ts";
import type { GateConfig } from "./gate/schema.ts";
import { type Figures, fillFigures, found } from "./playbook.ts";
import { readByWords } from "./requirements.ts";

/** More than this is not looked at: checks must end, and in bounded memory. */
const MOST_TRIANGLES = 2_000_000;
const MOST_BYTES = 512 * 2 ** 20;

/** The bytes of an asset's file, or why it has none. */
export async function readAsset(path: string): Promise<{ bytes: Uint8Array } | { problem: Finding }> {
  const file = await stat(path).catch(() => undefined);
  if (!file?.isFile()) return { problem: found("IMPORT_FILE_NOT_FOUND", `there is no file ${path}`) };
  if (file.size > MOST_BYTES)
    return { problem: found("IMPORT_TOO_LARGE", `the file has ${file.size} bytes, and ${MOST_BYTES} is the most`) };
  return { bytes: await readFile(path) };
}

/** A model with its figures, or the code that its bytes are refused with. */
export async function readModel(
  bytes: Uint8Array,
): Promise<{ model: Model; report: MeshReport; front: number } | { problem: Finding }> {
  let model: Model;
  try {
    model = await glbToModel(bytes);
  } catch (error) {
    if (!(error instanceof LoopwrightError)) throw error;
    const code = error.code === "GLB_TOO_LARGE" ? "IMPORT_TOO_LARGE" : "IMPORT_INVALID_GLTF";
    return { problem: found(code, firstSentence(error.message)) };
  }
  const count = model.triangles.length / 3;
  if (count > MOST_TRIANGLES)
    return { problem: found("IMPORT_TOO_LARGE", `it has ${count} triangles, and ${MOST_TRIANGLES} is the most`) };
  if (count === 0) return { problem: found("MESH_INVALID", "the file has no surface: not one triangle") };
  const forward = forwardOf(model);
  const report = checkMesh(model, forward ? { forward } : {});
  const problem = brokenBy(report);
  if (problem) return { problem };
  return { model, report, front: report.mirror === "x" ? -90 : 0 };
}

let last: { digest: string; read: ReturnType<typeof readModel> } | undefined;

/** The same for bytes of that digest. The last model is kept: phase after phase asks for it. */
export function readModelOnce(digest: string, load: () => Promise<Uint8Array>): ReturnType<typeof readModel> {
  if (last?.digest !== digest) last = { digest, read: load().then(readModel) };
  return last.read;
}

/** What has no surface, or places that are none, cannot be judged any further. */
function brokenBy({ triangles, brokenTriangles, area }: MeshReport): Finding | undefined {
  if (brokenTriangles > 0)
    return found(
      "MESH_INVALID",
      `${brokenTriangles} of ${counted(triangles, "triangle")} ${brokenTriangles === 1 ? "has" : "have"} a corner that is no place`,
    );
  return area === 0 ? found("MESH_INVALID", `its ${counted(triangles, "triangle", "has|have")} no area`) : undefined;
}

/** Without the advice: that is the playbook's. */
function firstSentence(message: string): string {
  return message.split(/\. (?=[A-Z])/, 1)[0]!.replace(/\.$/, "");
}

/** The evidence, or the code that the bytes are refused with. */
export async function evidenceOf(
  bytes: Uint8Array,
  { gate, prompt }: { gate: GateConfig; prompt?: string | undefined },
): Promise<{ evidence: Evidence } | { problem: Finding }> {
  const read = await readModel(bytes);
  if ("problem" in read) return read;
  const { requirements } = prompt === undefined ? { requirements: [] } : readByWords({ prompt }, gate);
  return { evidence: { ...read, gate, prompt, requirements, renders: [], noRenders: undefined } };
}

/** What a gate expects. */
export function gateFigures({ kind, geometry }: GateConfig): Figures {
  const range = ([least, most]: readonly [number, number]) => `${least}–${most}`;
  return {
    kind,
    most_triangles: String(MOST_TRIANGLES),
    expected_length: range(geometry.length),
    expected_width: range(geometry.width),
    expected_height: range(geometry.height),
    expected_triangles: range(geometry.triangles),
    expected_wheels: geometry.wheels ?? 0,
  };
}

/** What an asset has. */
export function assetFigures(report: MeshReport, { geometry }: GateConfig): Figures {
  const { length, width, height, triangles, materials, symmetry, consistentNormals, roughness, min } = report;
  return {
    length,
    width,
    height,
    triangles: String(triangles),
    materials,
    symmetry: percent(symmetry),
    normals: percent(consistentNormals),
    roughness: percent(roughness),
    open_edges: percent(openEdges(report)),
    lowest: min[2],
    scale: scaleFor(report, geometry),
  };
}

/** What was measured, for whoever is shown the asset. */
export function figuresToText(figures: Figures): string {
  return fillFigures(
    `length {length} m (expected {expected_length}), width {width} m (expected {expected_width}), height {height} m (expected {expected_height})
lowest place {lowest} m above the ground
{triangles} triangles, {materials} materials
{symmetry} of the surface has its like on the other side, {normals} of it faces outward
{open_edges} of the edges are at a hole or at a wall inside`,
    figures,
  );
}
