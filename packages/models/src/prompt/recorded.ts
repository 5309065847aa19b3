// A loop's prompts, as a visit has read them: what stood in the file is on record, so that one that is edited between a crash
// and a resume changes nothing of a visit that is half done.

import type { Context, Json } from "@loopwright/core";
import { loadPrompt, type Prompt, type PromptPlace } from "./prompts.ts";

const read = new WeakMap<object, Map<string, Promise<Prompt>>>();

/** A prompt of a loop, the project's own where there is one. It is read once in a visit. */
export function readPrompt<Input, State>(
  ctx: Context<Input, State>,
  at: Omit<PromptPlace, "project">,
  id: string,
): Promise<Prompt> {
  const known = read.get(ctx) ?? new Map<string, Promise<Prompt>>();
  read.set(ctx, known);
  const place = { ...at, ...(ctx.project !== undefined && { project: ctx.project }) };
  const key = `prompt ${at.loop}/${id}`;
  const prompt =
    known.get(key) ??
    (ctx.effect(key, {
      run: async () => (await loadPrompt(place, id)) as unknown as Json,
    }) as unknown as Promise<Prompt>);
  known.set(key, prompt);
  return prompt;
}
