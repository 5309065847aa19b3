// What a change to a file has made: its lines, and its hunks, each as the edit that takes it out again, and whether that changes anything that runs. Pure.

import { diffArrays, structuredPatch } from "diff";
import { grammarOf, type Node, withTree } from "../tests/grammar.ts";

/** What is written for people: no test is expected to read it. A source may be called `history.py`, and data `words.txt`. */
export const PROSE =
  /(?:^|\/)(?:authors|changelog|changes|contributors|copying|history|licen[cs]e|news|readme|thanks|todo)(?:[-_][^/.]*)?(?:\.txt)?$|(?:^|\/)docs?\/.*\.txt$|\.(?:md|rst|adoc)$/i;

/** Two texts that differ by more have little in common. */
const MOST_EDITS = 4_000;

/** The lines of a text, from 1, that a change has made. */
export function addedLines(before: string, after: string): number[] {
  const lines = after.split("\n");
  let at = 0;
  const parts = diffArrays(before.split("\n"), lines, { maxEditLength: MOST_EDITS });
  const added = parts?.flatMap((part, index) => {
    // Where lines have gone for nothing, the next one is what has changed.
    if (part.removed) return before === "" || parts[index + 1]?.added || at === lines.length ? [] : [at + 1];
    at += part.value.length;
    return part.added ? part.value.map((_, place) => at - part.value.length + place + 1) : [];
  });
  const found = added ?? lines.map((_, index) => index + 1);
  return found.filter((line) => !/^[\s()[\]{};,]*$/.test(lines[line - 1]!));
}

/** An edit of the result: the stretch that goes, and what was there before. */
export interface Hunk {
  /** From 1; and how many lines of the result it has. */
  line: number;
  count: number;
  start: number;
  end: number;
  text: string;
}

/** The hunks of a change. */
export function hunksOf(before: string, after: string): Hunk[] {
  const { hunks } = structuredPatch("", "", before, after, "", "", { context: 0 });
  const [old, now] = [before, after].map((text) => text.split(/(?<=\n)/)) as [string[], string[]];
  const at = (line: number) => now.slice(0, line - 1).join("").length;
  return hunks.map(({ oldStart, oldLines, newStart, newLines }) => ({
    ...{ line: newStart, count: newLines, start: at(newStart), end: at(newStart + newLines) },
    text: old.slice(oldStart - 1, oldStart - 1 + oldLines).join(""),
  }));
}

/** Whether two versions of a source run differently: comments, types and docstrings do not. */
export async function isRunOtherwise(path: string, one: string, other: string): Promise<boolean> {
  const grammar = grammarOf(path);
  if (!grammar) return one.trim() !== other.trim();
  const [first, second] = await Promise.all([one, other].map((text) => withTree(grammar, text, running)));
  return first === undefined || first !== second;
}

const INERT = /^(?:comment|interface_declaration|type_alias_declaration|type_annotation)$/;

/** What of a source runs, as one text. */
function running(node: Node): string {
  if (INERT.test(node.type)) return "";
  if (node.type === "expression_statement" && node.namedChildren.every((each) => each?.type === "string")) return "";
  if (node.childCount === 0) return `${node.text} `;
  return node.children.map((each) => (each ? running(each) : "")).join("");
}
