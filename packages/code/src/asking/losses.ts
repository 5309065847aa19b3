// What a whole file would lose of the one that it takes the place of. Pure.
//
// Models that are asked for a file of two thousand lines write thirty and "# rest unchanged". Written, that destroys the file.

import { lineCount } from "../showing/count-words.ts";

const LEAST_LINES = 20;
const LEAST_LOST = 3;

/** A comment that stands for lines, in the wordings that are in use. */
const OPENING = /^\s*(?:#|\/\/|\/\*|\*|<!--|--|;|%|"""|'''|\[|\(|\{\/\*|\.\.\.|…)/;
const STANDS_FOR_LINES = [
  /\b(?:rest|remainder|remaining|everything else|all (?:the )?other|other (?:methods|functions|classes|code|parts))\b.*\b(?:unchanged|the same|same|as (?:is|before|it (?:is|was))|untouched|intact|here|omitted|above|below|stays?|remains?|continues?|follows?|code|file|methods|functions|class(?:es)?|implementation)\b/i,
  /\b(?:existing|previous|original|old|current|unchanged)\b.*\b(?:code|file|methods?|functions?|class(?:es)?|implementation|content|lines|imports|stuff|here)\b.*(?:\.{3}|…|\b(?:here|unchanged|same|above|below|stays?|remains?|goes|continues?|omitted)\b)/i,
  /(?:\.{3}|…)\s*\(?\[?(?:the\s+)?(?:rest|remaining|existing|previous|other|same|unchanged|more|code|omitted|snip)/i,
  /\b(?:unchanged|no changes?|omitted|truncated|snip(?:ped)?|elided|same as (?:before|above|the original)|as (?:before|above)|for brevity|keep (?:the )?(?:existing|rest|remaining|original))\b/i,
  /^\W*(?:\.{3}|…)\W*$/,
];

/** Why a text may not take the place of what is there; undefined where it may. */
export function lossOf(before: string, after: string): string | undefined {
  const [had, has] = [linesOf(before), linesOf(after)];
  const lost = had.length - countKept(had, has);
  if (lost < LEAST_LOST) return undefined;
  const known = new Set(had);
  const line = has.find(
    (each) => !known.has(each) && OPENING.test(each) && STANDS_FOR_LINES.some((it) => it.test(each)),
  );
  if (line !== undefined)
    return `says '${line.trim().slice(0, 80)}' in place of lines that stand there, and they would be gone: ${INSTEAD}`;
  if (had.length >= LEAST_LINES && has.length * 2 < had.length)
    return `has ${lineCount(has.length)} where ${had.length} stand, and the others would be gone: ${INSTEAD}`;
  return undefined;
}

const INSTEAD = "give an edit of the lines that change, or the whole file";

function linesOf(text: string): string[] {
  return text.split("\n").filter((line) => line.trim() !== "");
}

function countKept(had: readonly string[], has: readonly string[]): number {
  const left = new Map<string, number>();
  for (const line of has) left.set(line.trim(), (left.get(line.trim()) ?? 0) + 1);
  return had.filter((line) => {
    const count = left.get(line.trim()) ?? 0;
    left.set(line.trim(), count - 1);
    return count > 0;
  }).length;
}
