// Where the package keeps what is not code, the same from the sources and from what is built of them; and names of files in a run.

import { join } from "node:path";
import { showCount, showScore } from "@loopwright/terminal";

export const demoFolder = join(import.meta.dirname, "../demo");
export const promptsFolder = join(import.meta.dirname, "../prompts");
export const programsFolder = join(import.meta.dirname, "../programs");
export const templatesFolder = join(import.meta.dirname, "../templates/hull");

/** The scene as it stands when a run stops short of its end: a copy, for a person to edit. */
export const EDIT_FILE = "edit.blend";
/** Where the files of a game asset are, in the attempt's folder. */
export const FOLDER = "game-asset";

type Progress = { from: number; to: number; iterations: number; seconds: number };

/** What became of a run with a model, in words. */
export function progressWords({ from, to, iterations, seconds }: Progress): string {
  const how = to > from ? "better" : "no better";
  return `score ${showScore(from)} → ${showScore(to)}, ${how} than the start; ${showCount(iterations, "iteration")} of ${seconds} s`;
}

/** What was told of a game asset, in words. */
export function assetWords({ triangles, problems }: { triangles: number[]; problems: string[] }) {
  if (problems.length > 0)
    return { words: "game asset: not as it should be", diff: problems.map((problem) => `- ${problem}`).join("\n") };
  return `game asset: three levels of ${triangles.join(", ")} triangles, unwrapped, and asset.fbx, in ${FOLDER}/`;
}
