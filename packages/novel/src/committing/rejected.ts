// What a person turned down on a level since they last took a change, from the debug store: the same is not offered twice.

import { readdir, readFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { shorten } from "../manuscript/words.ts";
import type { Level } from "../types.ts";

/** So many are told, the newest; and so much of each. */
const MOST = 5;
const LONGEST = 400;

/** A line for each rejected iteration, oldest first. What cannot be read is not told. */
export async function rejectedSince(project: string, target: Level): Promise<string[]> {
  const root = join(project, ".agentic/debug", basename(project));
  const names = await readdir(root).catch(() => []);
  const found: string[] = [];
  for (const name of names
    .filter((each) => each.startsWith(`iteration_${target}_`))
    .sort()
    .reverse()) {
    const decision = await textOf(join(root, name, "user_decision.txt"));
    if (decision.startsWith("accepted") || found.length === MOST) break;
    const told = decision.startsWith("rejected")
      ? summaryOf(await textOf(join(root, name, "final_semantic_diff.md")))
      : "";
    if (told !== "") found.push(told);
  }
  return found.reverse();
}

/** What was asked and what came of it, out of a summary as it was shown. */
function summaryOf(shown: string): string {
  const asked = /User feedback:\n([\s\S]*?)\n\n/.exec(shown)?.[1] ?? "";
  const changes = [...shown.matchAll(/^ {4}• (.*(?:\n {6}(?![-•]).*)*)/gm)].map(([, change]) => change!.trim());
  if (asked === "" && changes.length === 0) return "";
  return shorten([asked, changes.join("; ")].filter((part) => part !== "").join(" → "), LONGEST);
}

function textOf(path: string): Promise<string> {
  return readFile(path, "utf8").catch(() => "");
}
