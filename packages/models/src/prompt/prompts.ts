// Prompts: Markdown files, one folder for each loop, any of which a project overrides from prompts/<loop>/<id>.md.
//
// A loop's package says where its own lie. An override has the same id, role and output, uses
// no other input, and has a version of its own; its text is the user's.

import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { type Context, type Json, suggestOrList as suggest, UsageError } from "@loopwright/core";
import { checkTemplates, type PromptFile, promptError, readPromptFile } from "./render.ts";

export { type PromptFile, type RenderedPrompt, renderPrompt } from "./render.ts";

/** Where prompts are looked for. */
export interface PromptPlace {
  /** The loop that they belong to. */
  loop: string;
  /** The loop's own folder of prompts. */
  folder: string;
  /** The project whose prompts/<loop>/ wins. */
  project?: string;
}

/** The prompts of the model layer itself, as if it were a loop. */
export const MODELS: PromptPlace = { loop: "models", folder: join(import.meta.dirname, "../../prompts") };

/** A prompt as it was found: a loop's own, or the project's in its place. */
export interface Prompt extends PromptFile {
  loop: string;
  isOverride: boolean;
}

/** Every prompt of a loop, with overrides in place, by id. An override of nothing is an error. */
export async function listPrompts(at: PromptPlace): Promise<Prompt[]> {
  const [ids, overrides] = await Promise.all([idsIn(at.folder), idsIn(overridesOf(at))]);
  const stray = overrides.find((id) => !ids.includes(id));
  if (stray !== undefined) {
    const file = join(overridesOf(at)!, `${stray}.md`);
    const message = `${file}: '${at.loop}' has no prompt '${stray}' to override${suggest(stray, ids)}`;
    throw new UsageError("PROMPT_UNKNOWN", message);
  }
  return Promise.all(ids.map((id) => loadPrompt(at, id)));
}

/** One prompt of a loop: the project's own where there is one. */
export async function loadPrompt(at: PromptPlace, id: string): Promise<Prompt> {
  const own = await readIn(at.folder, id);
  if (!own) {
    const ids = await idsIn(at.folder);
    throw new UsageError("PROMPT_UNKNOWN", `the loop '${at.loop}' has no prompt '${id}'${suggest(id, ids)}`);
  }
  const override = await readIn(overridesOf(at), id);
  if (override) checkOverride(override, own);
  return { ...(override ?? own), loop: at.loop, isOverride: override !== undefined };
}

function checkOverride(override: PromptFile, own: PromptFile): void {
  for (const key of ["role", "output"] as const) {
    if (override[key] === own[key]) continue;
    const message = `its ${key} is '${override[key]}', and that of what it overrides '${own[key]}'`;
    throw promptError(`${override.file}:1`, message);
  }
  const extra = override.input.find((name) => !own.input.includes(name));
  if (extra === undefined) return;
  const message = `'${extra}' is not given to the prompt '${own.id}'${suggest(extra, own.input)}`;
  throw promptError(`${override.file}:${override.inputLine}`, message);
}

async function readIn(folder: string | undefined, id: string): Promise<PromptFile | undefined> {
  if (folder === undefined || !/^[a-z][a-z0-9-]*$/.test(id)) return undefined;
  const file = join(folder, `${id}.md`);
  const text = await readFile(file, "utf8").catch(ignoreAbsence);
  if (text === undefined) return undefined;
  const prompt = await readPromptFile(text, file);
  if (prompt.id !== id) throw promptError(`${file}:2`, `its id is '${prompt.id}', and its file is called '${id}.md'`);
  await checkTemplates(prompt);
  return prompt;
}

function overridesOf({ loop, project }: PromptPlace): string | undefined {
  return project === undefined ? undefined : join(project, "prompts", loop);
}

async function idsIn(folder: string | undefined): Promise<string[]> {
  const names = folder === undefined ? [] : ((await readdir(folder).catch(ignoreAbsence)) ?? []);
  return names.flatMap((name) => (name.endsWith(".md") ? [name.slice(0, -3)] : [])).sort();
}

function ignoreAbsence(error: NodeJS.ErrnoException): undefined {
  if (error.code !== "ENOENT" && error.code !== "ENOTDIR") throw error;
}

const read = new WeakMap<object, Map<string, Promise<unknown>>>();

/** A prompt of a loop, as a visit has read it: what stood in the file is on record, so that one that is edited between a crash
 * and a resume changes nothing of a visit that is half done. */
export function readPrompt<Input, State>(
  ctx: Context<Input, State>,
  at: Omit<PromptPlace, "project">,
  id: string,
): Promise<Prompt> {
  const known = read.get(ctx) ?? new Map<string, Promise<unknown>>();
  read.set(ctx, known);
  const key = `prompt ${at.loop}/${id}`;
  const load = async () => (await loadPrompt({ ...at, project: ctx.project }, id)) as unknown as Json;
  const prompt = known.get(key) ?? ctx.effect(key, { run: load });
  known.set(key, prompt);
  return prompt as Promise<Prompt>;
}
