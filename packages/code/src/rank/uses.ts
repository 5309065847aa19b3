// What the definitions that a task names use: names in their bodies that files define which theirs imports. Pure.

import type { FileBlock } from "@loopwright/workspace";
import { factsOf } from "./facts.ts";

const LONGEST_BODY = 120;

/** The files, among those that a file imports, that define something which one of these definitions uses; with what. */
export function usedFiles(
  { path, content }: FileBlock,
  names: readonly string[],
  imported: readonly FileBlock[],
): Map<string, string> {
  const { definitions } = factsOf(path, content);
  const lines = content.split("\n");
  const bodies = definitions.filter(({ name }) => names.includes(name)).map(({ line }) => bodyAt(lines, line));
  const used = new Set(bodies.flatMap((body) => body.match(/[A-Za-z_$][\w$]+/g) ?? []));
  const found = new Map<string, string>();
  if (used.size === 0) return found;
  for (const file of imported) {
    const own = factsOf(file.path, file.content).definitions.find(({ name }) => used.has(name));
    if (own) found.set(file.path, own.name);
  }
  return found;
}

/** A definition's lines: until one stands as far to the left, in which only brackets close. */
function bodyAt(lines: readonly string[], line: number): string {
  const depth = indentOf(lines[line - 1]!);
  const rest = lines.slice(line, line + LONGEST_BODY);
  const end = rest.findIndex((each) => each.trim() !== "" && indentOf(each) <= depth && !/^\s*[\])}]/.test(each));
  return rest.slice(0, end < 0 ? rest.length : end).join("\n");
}

function indentOf(line: string): number {
  return line.search(/\S|$/);
}
