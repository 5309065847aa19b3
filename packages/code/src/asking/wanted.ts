// What a planner has asked to see of the program: files, or definitions in them.

import type { FileBlock } from "@loopwright/workspace";
import { BUDGETS, charactersFor, tokensOf } from "../rank/budget.ts";
import { excerptOf } from "./excerpts.ts";

const MOST_WANTED = 12;
/** What is asked for may take so much of the planner's budget. */
const WANTED_SHARE = 0.75;
const LEAST_WANTED = 250;

/** The files that were asked for, as far as there is room for them. */
export async function showWanted(wanted: readonly string[], files: readonly FileBlock[]): Promise<FileBlock[]> {
  const asked = wanted.slice(0, MOST_WANTED).map((each) => {
    const [path = "", name] = each.replace(/^\/workspace\//, "").split(/::?|#/);
    return { path, ...(name && { name }) };
  });
  const isMeant = (file: FileBlock, { path }: { path: string }) => file.path === path || file.path.endsWith(`/${path}`);
  const shown: FileBlock[] = [];
  let left = BUDGETS.planner * WANTED_SHARE;
  for (const file of files) {
    const own = asked.filter((each) => isMeant(file, each));
    if (own.length === 0 || left < LEAST_WANTED) continue;
    const names = own.flatMap(({ name }) => name ?? []);
    const { text } = await excerptOf(file.path, file.content, { names, lines: [] }, charactersFor(left));
    shown.push({ path: file.path, content: text });
    left -= tokensOf(text);
  }
  return shown;
}
