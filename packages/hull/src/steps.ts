// What a person can type about a run of this loop: the scene is theirs to edit. It is loaded for help too.

import { isFinal, type NextStep, type RunRecord } from "@loopwright/core/look";

/** The scene as it stands when a run stops short of its end: a copy, for a person to edit. */
export const EDIT_FILE = "edit.blend";

/** To go on with a scene that was edited by hand. */
export function editSteps(record: RunRecord): NextStep[] {
  const { run, folder, attempt, ended, state, iterations } = record;
  const current = (state.current_blend as { path?: unknown } | undefined)?.path;
  if (typeof current !== "string" || iterations === 0 || (ended && isFinal(ended.outcome))) return [];
  const room = ended?.hit?.ceiling === "iterations" ? ` --max-iterations ${iterations + 1}` : "";
  const resume = (file: string) => `loopwright resume ${run} --with ${file}${room}`;
  const place = `runs/${folder}/${ended ? `${attempt}/${EDIT_FILE}` : current}`;
  return [
    ended
      ? { command: resume(place), does: "goes on with the scene, once you have edited that copy of it in Blender" }
      : {
          command: resume("FILE.blend"),
          does: `goes on with the scene as you have edited it; copy it first: ${place}`,
        },
  ];
}
