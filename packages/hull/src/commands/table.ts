// What is loaded for help: the loop's command, its template, and what a person can type about a run.

import { cp, readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Command, Template } from "@loopwright/core";
import { isFinal, type NextStep, type RunRecord } from "@loopwright/core/look";
import type { HullConfiguration } from "../configuration.ts";
import { demoFolder, EDIT_FILE, templatesFolder } from "../folders.ts";

export const command: Command<HullConfiguration> = {
  name: "hull",
  summary: "refine a 3D model toward its reference pictures, in Blender, by a model or by search",
  details:
    "Reads a task (YAML: what is wanted, its references, its threshold) and refines a model: built, rendered, judged, and built\n" +
    "again. Code that a model wrote runs in a sandboxed Blender. `loopwright init <folder> --loop hull` writes a task that runs.\n" +
    "To lend a hand, `loopwright pause` it, edit the scene that this names, and `loopwright resume RUN --with FILE.blend`.",
  flags: [
    { name: "task", value: "FILE", help: "the task (task.yaml)" },
    {
      name: "workcell",
      value: "KIND",
      kind: ["loft", "blender"],
      help: "where it is built: blender, or loft, which needs no other program (blender)",
    },
    {
      name: "builder",
      value: "KIND",
      kind: ["model", "search"],
      help: "who builds it (model where one is configured, else search)",
    },
    {
      name: "evaluator",
      value: "KIND",
      kind: ["measure", "model", "both"],
      help: "who judges it: measure, a model that sees the pictures, or both (measure)",
    },
    {
      name: "game-asset",
      help: "make the best into a game asset at the end: three levels of detail, unwrapped, and an FBX",
    },
    {
      name: "sandbox",
      value: "KIND",
      kind: ["bwrap", "none"],
      help: "bwrap, or none: code that a model wrote then runs with your rights",
    },
  ],
  examples: [
    "loopwright hull --task task.yaml",
    "loopwright hull --task task.yaml --game-asset",
    "loopwright hull --workcell loft --builder search",
  ],
  drivesRuns: true,
  run: async (context) => (await import("./hull.ts")).runHull(context),
};

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

/** A file of a new project, and where its text comes from: npm packs no file of the name .gitignore. */
const sources = {
  "task.yaml": "task.yaml",
  "loopwright.yaml": "loopwright.yaml",
  ".gitignore": "gitignore.template",
};

export const template: Template = {
  summary: "a task for the hull loop: task.yaml and its reference pictures",
  files: async () => {
    const read = Object.entries(sources).map(async ([file, source]) => [
      file,
      await readFile(join(templatesFolder, source), "utf8"),
    ]);
    return Object.fromEntries(await Promise.all(read));
  },
  finish: (folder) => cp(join(demoFolder, "references"), join(folder, "references"), { recursive: true, force: false }),
  next: ["loopwright hull"],
};
