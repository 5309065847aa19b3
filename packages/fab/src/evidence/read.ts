// From a file to a model, or to the code that it is refused with. Nothing outside of the file is read, and nothing in it is run.

import { readFile, stat } from "node:fs/promises";
import { type Finding, LoopwrightError } from "@loopwright/core";
import { checkMesh, glbToModel, type MeshReport, type Model } from "@loopwright/mesh";
import { forwardOf } from "../critics/category/car.ts";
import { counted } from "../critics/words.ts";
import { found } from "../playbook/found.ts";

/** More than this is not looked at: checks must end, and in bounded memory. */
export const MOST_TRIANGLES = 2_000_000;
const MOST_BYTES = 512 * 2 ** 20;

export type Given = { bytes: Uint8Array } | { problem: Finding };

/** The bytes of an asset's file, or why it has none. */
export async function readAsset(path: string): Promise<Given> {
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
