// A task as a file: YAML beside its reference pictures. Everything is read before a run starts, and what is wrong is
// said with the file, the line and the key.

import { isUtf8 } from "node:buffer";
import { readFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { UsageError } from "@loopwright/core";
import { openYaml, type YamlFile } from "@loopwright/models/yaml";
import { z } from "zod";
import { demoFolder } from "../folders.ts";
import { applyBaseline } from "../search/builder.ts";
import { frameAround, type ReadReference, ReferenceFile, readReference, toReference } from "./reference-file.ts";
import { HullTask, taskShape } from "./task.ts";

const path = z.string().min(1);
const TaskFile = z.strictObject({
  ...taskShape,
  baseline: z.union([path, z.record(z.string(), z.number())]).optional(),
  frame: taskShape.frame.optional(),
  references: z.record(
    z.string().regex(/^[a-z][a-z0-9_-]*$/i, "a reference's name is of letters, digits, - and _"),
    z.unknown(),
  ),
});

/** What the command line says of a task: `given` holds over the file, `usual` where the file says nothing. */
interface Choices {
  given?: Readonly<Record<string, unknown>>;
  usual?: Readonly<Record<string, unknown>>;
}

/** Reads a task file and the pictures that it names, relative to it. */
export async function loadTask(file: string, { given: typed, usual }: Choices = {}): Promise<HullTask> {
  const yaml = openYaml(await readText(file), { file, code: "TASK_INVALID", whole: "the task" });
  const { value: read, place, fit } = yaml;
  const isMap = typeof read === "object" && read !== null && !Array.isArray(read);
  if (isMap && Object.keys(read).length === 0)
    throw new UsageError("TASK_INVALID", `${file} is empty: \`loopwright init <folder> --loop hull\` writes a task`);
  const given = fit(TaskFile, isMap ? { ...usual, ...read, ...typed } : read);
  const baseline = await readBaseline(file, given.baseline, yaml);
  const pictures = await readReferences(file, given.references, yaml);
  const frame = given.frame ?? frameAround(pictures);
  if (!frame)
    throw new UsageError(
      "TASK_INVALID",
      `${place(["frame"])}: frame: say what the pictures show, frame: { center: [x, y, z], meters: M }, or give every reference a scale`,
    );
  const size = given.render_size;
  const references = Object.fromEntries(pictures.map((each) => [each.name, toReference(each, frame, size)]));
  return fit(HullTask, { ...given, frame, references, ...(baseline && { baseline }) });
}

async function readReferences(
  file: string,
  given: Readonly<Record<string, unknown>>,
  { place, fit }: YamlFile,
): Promise<ReadReference[]> {
  const all: ReadReference[] = [];
  for (const [name, said] of Object.entries(given)) {
    const refuse = (key: string, why: string, cause?: unknown) => {
      const keys = ["references", name, ...(typeof said === "string" || key === "file" ? [] : [key])];
      return new UsageError("REFERENCE_INVALID", `${place(keys)}: ${keys.join(".")}: ${why}`, { cause });
    };
    const whole = typeof said === "string" ? { file: said } : said;
    const form = fit(ReferenceFile, whole, ["references", name]);
    const reference = await readReference(file, name, form, refuse);
    if (all.some((other) => other.name === reference.name))
      throw refuse("view", `the view ${reference.name} has a reference already: one is enough`);
    all.push(reference);
  }
  return all;
}

/** A .blend beside the task, or parameters, which are tried. */
async function readBaseline(
  file: string,
  baseline: string | Record<string, number> | undefined,
  { place }: YamlFile,
): Promise<HullTask["baseline"]> {
  try {
    if (typeof baseline === "string") return { blend: await readBlend(resolve(dirname(file), baseline)) };
    if (baseline) applyBaseline(baseline);
    return baseline;
  } catch (cause) {
    throw new UsageError("TASK_INVALID", `${place(["baseline"])}: baseline: ${(cause as Error).message}`, { cause });
  }
}

async function readBlend(file: string): Promise<string> {
  const [bytes, { isBlend }] = await Promise.all([readFile(file), import("@loopwright/blender")]);
  if (!isBlend(bytes))
    throw new Error(`${file} is ${bytes.length === 0 ? "empty" : "no .blend"}: save the scene from Blender`);
  return bytes.toString("base64");
}

async function readText(file: string): Promise<string> {
  const bytes = await readFile(file).catch((cause: Error) => {
    throw new UsageError("TASK_MISSING", `the task file ${file} cannot be read: ${cause.message}`, { cause });
  });
  if (!isUtf8(bytes) || bytes.includes(0))
    throw new UsageError("TASK_INVALID", `${file} is no text: name a task, which is YAML`);
  return bytes.toString("utf8");
}

/** The demo's task. */
export function demoTask(): Promise<HullTask> {
  return loadTask(join(demoFolder, "task.yaml"));
}
