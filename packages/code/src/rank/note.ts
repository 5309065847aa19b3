// What was chosen of a program for a prompt, as it is kept for whoever watches, and in words. Pure.

import { lineCount } from "../showing/count-words.ts";

/** What is known of a choice. */
export interface ChosenNote {
  budget: number;
  /** The tokens that it takes. */
  used: number;
  files: { path: string; tokens: number; why: string }[];
  /** Files that may matter and of which nothing is shown. */
  cut: { path: string; lines: number }[];
}

const MOST_NAMED = 3;

/** A choice in words, for terminal, `show` and report. */
export function chosenWords({ budget, used, files, cut }: ChosenNote): string {
  const figure = (tokens: number) => tokens.toLocaleString("en");
  const first = files.slice(0, MOST_NAMED).map(({ path, why }) => (why === "" ? path : `${path} (${why})`));
  const more = files.length > MOST_NAMED ? ", …" : "";
  const named = files.length > 0 ? `: ${first.join(", ")}${more}` : "";
  const left = cut.slice(0, MOST_NAMED).map(({ path, lines }) => `${path} (${lineCount(lines)})`);
  const missing =
    cut.length > 0
      ? `; no room for ${left.join(", ")}${cut.length > MOST_NAMED ? ` and ${cut.length - MOST_NAMED} more` : ""}`
      : "";
  return `the planner sees ${files.length} ${files.length === 1 ? "file" : "files"} in ${figure(used)} of ${figure(budget)} tokens${named}${missing}`;
}
