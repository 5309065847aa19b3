// Tools that change the scene as a whole, and the one that describes it.

import { z } from "zod";
import { LONGEST_EXECUTION_MS } from "../../blender.ts";
import type { Session } from "../server.ts";
import { defineTool, facts, text } from "../tool.ts";

const MOST_NAMES = 20;

const executeCode = defineTool({
  name: "execute_code",
  title: "Run Python in Blender",
  description:
    "Runs Python in a headless, sandboxed Blender; this is how the scene is built. bpy, bmesh, math and mathutils are imported. " +
    "Each call has fresh variables; the scene stays. print() what you want to see. There is no window, no network, and no file " +
    "outside the working folder (and /files, where the user offers one, read-only). If the code raises, the scene is put back as it was " +
    "before the call, and the error names the line. Prefer bpy.data and bmesh over bpy.ops, which needs the right context. " +
    "Lengths are in meters, Z is up, the front of a model looks to -Y.",
  schema: z.object({
    code: z.string().min(1).max(500_000).describe("Python source, run from top to bottom"),
    timeout_seconds: z
      .number()
      .min(1)
      .max(LONGEST_EXECUTION_MS / 1000)
      .default(60)
      .describe("The code is stopped after this long, and the scene put back"),
  }),
  changes: true,
  async run(session, { code, timeout_seconds }, signal) {
    const blender = await session.blender();
    const { output } = await blender.execute(code, { limitMs: timeout_seconds * 1000, signal });
    const printed = output.trim();
    return [text(`${printed === "" ? "Done; nothing was printed." : printed}\n${await summary(session)}`)];
  },
});

const getSceneInfo = defineTool({
  name: "get_scene_info",
  title: "What is in the scene",
  description:
    "Lists objects (name, type, place, rotation in degrees, scale, evaluated vertices and triangles, from/to corners of the box around it, " +
    "modifiers, materials) and node groups, as Blender tells it. For facts about the geometry itself use mesh_report, for its look " +
    "get_diagnostic_renders.",
  schema: z.object({
    name_contains: z.string().max(200).default("").describe("Only objects whose name has this in it"),
    max_objects: z.number().int().min(1).max(200).default(30),
  }),
  changes: false,
  async run(session, { name_contains, max_objects }) {
    return [facts(await (await session.blender()).scene({ most: max_objects, contains: name_contains }))];
  },
});

const resetToBaseline = defineTool({
  name: "reset_to_baseline",
  title: "Back to the beginning",
  description:
    "Puts the scene back to how the session began: empty, or the .blend that the user started the server with. " +
    "undo_last_step takes this back.",
  schema: z.object({
    fresh_process: z
      .boolean()
      .default(false)
      .describe(
        "Also starts a new Blender, which forgets imported modules and everything else that code did to Python",
      ),
  }),
  changes: true,
  async run(session, { fresh_process }) {
    await (await session.blender()).reset({ isFresh: fresh_process });
    return [text(`The scene is at its baseline. ${await summary(session)}`)];
  },
});

const undoLastStep = defineTool({
  name: "undo_last_step",
  title: "Undo",
  description:
    "Takes back the last call that changed the scene (code, node edit or reset). Up to 32 steps can be taken back.",
  schema: z.object({}),
  changes: true,
  async run(session) {
    const blender = await session.blender();
    if (!(await blender.undo())) return [text("There is no step to take back: the scene is as it began.")];
    return [text(`Undone; ${blender.steps} more can be. ${await summary(session)}`)];
  },
});

/** The objects by name, the first ones of many. */
async function summary(session: Session): Promise<string> {
  const { objects, object_count: count } = await (await session.blender()).scene({ most: MOST_NAMES });
  const names = Array.isArray(objects) ? objects.map((each) => (each as { name?: unknown })?.name) : [];
  const shown = names.filter((name) => typeof name === "string").join(", ");
  return Number(count) === 0
    ? "The scene has no objects."
    : `Objects (${count}): ${shown}${Number(count) > MOST_NAMES ? ", …" : ""}`;
}

export const sceneTools = [executeCode, getSceneInfo, resetToBaseline, undoLastStep];
