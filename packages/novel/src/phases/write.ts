// write: the writer writes the level, whole or chapter by chapter; or a person has written it.

import type { NovelContext, NovelState } from "../task.ts";
import { writeVariants } from "../variants/write-variants.ts";
import { deriveChapters } from "../writing/derive-chapters.ts";
import { splitChapters } from "../writing/split-chapters.ts";
import { takeEdit } from "../writing/take-edit.ts";
import { writeChapter } from "../writing/write-chapter.ts";
import { writeLevel } from "../writing/write-level.ts";

/** Has an attempt at the level made. */
export function write(state: NovelState, ctx: NovelContext) {
  const { kind, target } = ctx.input;
  if (ctx.input.variants !== undefined) return writeVariants(state, ctx);
  if (kind === "edit") return takeEdit(state, ctx);
  if (kind === "split") return splitChapters(state, ctx);
  if (kind === "derive" && target === "chapters") return deriveChapters(state, ctx);
  return target === "prose" ? writeChapter(state, ctx) : writeLevel(state, ctx);
}
