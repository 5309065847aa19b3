// Templates: Blender scripts that build a good asset of a kind, another one for each seed.

import { join } from "node:path";
import { leadsOut, readPlainFile, UsageError } from "@loopwright/core";
import { templatesFolder } from "./folders.ts";

/** The templates that come with the loop. */
export const templateNames = ["car_sedan_template_v001", "car_suv_template_v001", "chair_template_v001"] as const;

/** The code that builds a template's asset in Blender's scene. A template names what it needs in a line `# needs: a.py b.py`. */
export function templateCode(
  name: string,
  { seed = 1, folder = templatesFolder }: { seed?: number; folder?: string } = {},
): string {
  if (!/^[a-z][a-z0-9_]*$/.test(name) || !Number.isSafeInteger(seed))
    throw new UsageError(
      "TEMPLATE_UNKNOWN",
      `there is no template '${name}' with the seed ${seed}: use one of ${templateNames.join(", ")}`,
    );
  const own = read(folder, `${name}.py`);
  const needs = /^# needs: (.+)$/m.exec(own)?.[1]?.trim().split(/\s+/) ?? [];
  return [...needs.map((file) => read(folder, file)), own, `build(${seed})\n`].join("\n\n");
}

/** A file of the folder's own: whoever wrote a template gets no other file of the user's into Blender by it. */
function read(folder: string, file: string): string {
  const path = join(folder, file);
  try {
    if (/[/\\]/.test(file) || leadsOut(folder, path)) throw new Error(`${file} lies outside of ${folder}`);
    return readPlainFile(path);
  } catch (cause) {
    throw new UsageError(
      "TEMPLATE_UNKNOWN",
      `there is no template file ${file}: use one of ${templateNames.join(", ")}`,
      { cause },
    );
  }
}
