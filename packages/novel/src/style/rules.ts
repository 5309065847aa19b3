// The rules of a book as its writer and its judge are told them: in the instructions, and not as data.

import { readPrompt, renderPrompt } from "@loopwright/models";
import type { WritingVariables } from "../manuscript/context.ts";
import type { NovelContext } from "../task.ts";
import { promptsFolder } from "../types.ts";

/** The rules as text for a prompt's system part; "" where there are none. */
export async function rulesText(
  ctx: NovelContext,
  variables: WritingVariables,
  reader: "writer" | "judge",
): Promise<string> {
  const { target } = ctx.input;
  const { style_rules, voice_sample, banned_phrases, required_beats, goals, lessons } = variables;
  const told = {
    reader,
    level: target,
    style_rules,
    voice_sample: voice_sample === "" ? "" : quoted(voice_sample),
    banned_phrases,
    required_beats: target === "premise" || target === "prose" ? [] : required_beats,
    // A plan is written with an eye on them, and is not held against them.
    goals: target === "prose" || (target === "chapters" && reader === "writer") ? goals : [],
    lessons: lessons[reader],
  };
  const prompt = await readPrompt(ctx, { loop: "novel", folder: promptsFolder }, "rules");
  return (await renderPrompt(prompt, told)).text.trim();
}

/** A sample as a quotation: nothing in it can be taken for a rule. */
function quoted(sample: string): string {
  return sample
    .split("\n")
    .map((line) => `> ${line}`.trimEnd())
    .join("\n");
}
