// The debug store: every attempt of an iteration in one folder of the project, for whoever wants to know what went on.
//
// Its name comes from the time at which the iteration began, as the journal has it, so that a run which is resumed writes
// into the same one. Each write is an effect and gives the same file however often it is made. Git does not see the store,
// whatever the project's own .gitignore says.

import { basename, join } from "node:path";
import { leadsOut, sha256, UsageError } from "@loopwright/core";
import { writeWhole } from "./manuscript/files/files.ts";
import type { NovelContext } from "./task.ts";
import type { Level } from "./types.ts";

const STORE = ".agentic";
/** Where the folders of all iterations lie, from the project's own. */
export const DEBUG_STORE = `${STORE}/debug`;

/** The folder of an iteration's debug files, from the project's own. */
export function debugFolder(project: string, target: Level, at: number): string {
  const time = new Date(at).toISOString().replace(/[:.]/g, "-");
  return `${DEBUG_STORE}/${basename(project)}/iteration_${target}_${time}`;
}

/** Writes files into an iteration's debug folder, by name. */
export async function keepForDebugging(
  ctx: NovelContext,
  key: string,
  folder: string,
  files: Readonly<Record<string, string>>,
): Promise<void> {
  const project = projectOf(ctx);
  await ctx.effect(key, {
    input: Object.fromEntries(Object.entries(files).map(([name, text]) => [`${folder}/${name}`, sha256(text)])),
    run: async () => {
      for (const place of [STORE, folder]) {
        if (!leadsOut(project, join(project, place))) continue;
        const message = `${join(project, place)} is a link, and nothing is written through it: put a folder there`;
        throw new UsageError("FOLDER_LINKED", message);
      }
      await writeWhole(join(project, STORE, ".gitignore"), "*\n");
      for (const [name, text] of Object.entries(files)) await writeWhole(join(project, folder, name), text);
      return null;
    },
  });
}

/** The folder of the novel's project; a run without one has nothing to write on. */
export function projectOf({ project }: Pick<NovelContext, "project">): string {
  if (project === undefined) throw new Error("the novel loop runs in a project's folder, and this run has none");
  return project;
}
