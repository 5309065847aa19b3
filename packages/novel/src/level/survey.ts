// A level as whoever reads feedback is shown it: of each file its title, its plan, what it says in short and which words stand in it;
// of a level that is short, all of it.

import { planOf, readBeat } from "../manuscript/index.ts";
import { wordsToLookFor } from "../manuscript/search.ts";
import { shorten } from "../manuscript/words.ts";
import type { FileBlock, Level } from "../types.ts";
import { digestOf, plainList } from "./digest.ts";
import { mentionsOf } from "./mentions.ts";
import { nameOfFile } from "./names.ts";

/** A file as the question shows it. */
export interface Surveyed {
  name: string;
  title: string;
  words: number;
  /** What is planned for it; "" where there is no plan, or where it is the plan itself. */
  planned: string;
  digest: string;
  mentions: string;
  /** All of it, where the level is short or it was asked for. */
  text: string;
}

/** Signs of a plan in a line. */
const PLANNED = 280;

/** The files of a level with what is told of each; `plan` are the chapter plans, `words` are looked for beside those of the feedback, and
 * `open` files are shown whole. */
export function surveyLevel(
  level: Level,
  files: readonly FileBlock[],
  plan: readonly FileBlock[],
  asked: { feedback: readonly string[]; words?: readonly string[]; open?: readonly string[] },
): Surveyed[] {
  const { feedback, words = [], open = [] } = asked;
  const mentions = mentionsOf(
    [...words, ...wordsToLookFor(feedback.join("\n")).filter(({ length }) => length > 3)],
    files,
  );
  return files.map((file) => {
    const isWhole = level !== "prose" || open.includes(file.path);
    const { title, words: count, text } = digestOf(file);
    return {
      ...{ name: nameOfFile(file.path), title, words: count },
      planned: level === "prose" ? plannedFor(file.path, plan) : "",
      digest: isWhole ? "" : text,
      mentions: level === "prose" ? (mentions.get(file.path) ?? "") : "",
      text: isWhole ? file.content : "",
    };
  });
}

function plannedFor(path: string, plan: readonly FileBlock[]): string {
  const own = plan.find((file) => file.path === planOf(path))?.content ?? "";
  return shorten(plainList(readBeat(own, "Key Events") ?? ""), PLANNED);
}
