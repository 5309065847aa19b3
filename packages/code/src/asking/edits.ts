// Edits of a file: a stretch of its text, and what is to stand in its place; and what a whole file would lose of the one that it
// takes the place of. Pure.
//
// The stretch must be found once: as it is written, else with the spaces at both ends of its lines left out of account. What
// is found nowhere is refused with the nearest text, what is found twice with the places, so that the next answer can be right.

export interface Edit {
  search: string;
  replace: string;
}

export type Edited = { text: string; problem?: undefined } | { text?: undefined; problem: string };

const SHOWN_LINES = 24;

const SEARCH = /^\s*<{5,9}\s*SEARCH\s*$/i;
const MIDDLE = /^\s*={5,9}\s*$/;
const REPLACE = /^\s*>{5,9}\s*REPLACE\s*$/i;

/** The edits that stand in the lines of a block, or what is wrong with their form. */
export function readEdits(
  lines: readonly string[],
): { edits: Edit[]; problem?: undefined } | { edits?: undefined; problem: string } {
  const edits: Edit[] = [];
  let part: "none" | "search" | "replace" = "none";
  let [search, replace]: [string[], string[]] = [[], []];
  for (const line of lines) {
    if (part === "none" && SEARCH.test(line)) [part, search, replace] = ["search", [], []];
    else if (part === "search" && MIDDLE.test(line)) part = "replace";
    else if (part === "replace" && REPLACE.test(line)) {
      edits.push({ search: search.join("\n"), replace: replace.join("\n") });
      part = "none";
    } else if (part === "search") search.push(line);
    else if (part === "replace") replace.push(line);
    else if (line.trim() !== "" && !/^\s*(?:```|~~~)/.test(line))
      return { problem: `holds text outside of an edit ('${line.trim().slice(0, 60)}')` };
  }
  if (part !== "none") return { problem: "holds an edit without its >>>>>>> REPLACE" };
  if (edits.length === 0) return { problem: "holds no <<<<<<< SEARCH, ======= and >>>>>>> REPLACE" };
  return { edits };
}

/** An edit as an answer gives it. */
export function editToText({ search, replace }: Edit): string {
  return `<<<<<<< SEARCH\n${search}\n=======\n${replace}\n>>>>>>> REPLACE\n`;
}

/** A text with all edits made, in their order, or why one of them cannot be made: then none is. */
export function applyEdits(text: string, edits: readonly Edit[]): Edited {
  // A file keeps its line ends, whatever the answer had.
  const hasCarriage = /\r\n/.test(text) && !/[^\r]\n/.test(text);
  let now = hasCarriage ? text.replaceAll("\r\n", "\n") : text;
  for (const edit of edits) {
    const { text: next, problem } = applyEdit(now, edit);
    if (problem !== undefined) return { problem };
    now = next;
  }
  return { text: hasCarriage ? now.replaceAll("\n", "\r\n") : now };
}

function applyEdit(text: string, { search, replace }: Edit): Edited {
  if (search.trim() === "") return { problem: "a SEARCH part is empty: quote the lines that are to be replaced" };
  const [lines, wanted] = [text.split("\n"), withoutLastBreak(search).split("\n")];
  const exact = placesOf(lines, wanted, (line) => line);
  if (exact.length === 1) return { text: replaceLines(lines, exact[0]!, wanted.length, withoutLastBreak(replace)) };
  const within = exact.length === 0 && wanted.length === 1 ? occurrences(text, wanted[0]!) : 0;
  if (within === 1) return { text: text.replace(wanted[0]!, () => withoutLastBreak(replace)) };
  const loose = exact.length > 1 ? exact : placesOf(lines, wanted, (line) => line.trim());
  if (loose.length === 1) {
    const indented = reindent(replace, indentOf(wanted), indentOf(lines.slice(loose[0]!, loose[0]! + wanted.length)));
    return { text: replaceLines(lines, loose[0]!, wanted.length, indented) };
  }
  if (loose.length > 1 || within > 1) return { problem: foundTwice(search, loose) };
  return { problem: foundNowhere(search, lines, wanted) };
}

/** Where a run of lines stands in others. Only the places of its rarest line are looked at: a long run of equal lines takes no minutes. */
function placesOf(lines: readonly string[], wanted: readonly string[], form: (line: string) => string): number[] {
  const [all, some] = [lines.map(form), wanted.map(form)];
  const places = Map.groupBy(all.keys(), (at) => all[at]!);
  const placesOfLine = (nth: number) => places.get(some[nth]!) ?? [];
  const rarest = some.reduce((best, _, nth) => (placesOfLine(nth).length < placesOfLine(best).length ? nth : best), 0);
  const starts = placesOfLine(rarest).map((at) => at - rarest);
  return starts.filter((start) => some.every((line, nth) => all[start + nth] === line));
}

function occurrences(text: string, part: string): number {
  return text.split(part).length - 1;
}

function replaceLines(lines: readonly string[], at: number, count: number, replace: string): string {
  const put = replace === "" ? [] : replace.split("\n");
  return [...lines.slice(0, at), ...put, ...lines.slice(at + count)].join("\n");
}

function withoutLastBreak(text: string): string {
  return text.replace(/\r\n?/g, "\n").replace(/\n$/, "");
}

function indentOf(lines: readonly string[]): string {
  const first = lines.find((line) => line.trim() !== "") ?? "";
  return /^[ \t]*/.exec(first)![0];
}

function reindent(text: string, from: string, to: string): string {
  const lines = withoutLastBreak(text).split("\n");
  if (from === to) return lines.join("\n");
  return lines.map((line) => (line.trim() === "" ? line : shift(line, from, to))).join("\n");
}

function shift(line: string, from: string, to: string): string {
  if (line.startsWith(from)) return to + line.slice(from.length);
  return to.startsWith(from) ? to.slice(from.length) + line : line.trimStart();
}

function foundTwice(search: string, places: readonly number[]): string {
  const numbers = places.slice(0, 5).map((at) => at + 1);
  const where = numbers.length > 0 ? ` (at lines ${numbers.join(", ")})` : "";
  return `this text stands there more than once${where}: quote more lines around it\n${shown(search)}`;
}

function foundNowhere(search: string, lines: readonly string[], wanted: readonly string[]): string {
  const at = nearest(lines, wanted);
  const near = lines.slice(at, at + Math.min(wanted.length + 2, SHOWN_LINES));
  const numbered = near.map((line, index) => `${at + index + 1}: ${line}`).join("\n");
  return `this text does not stand there:\n${shown(search)}\nThe nearest is this; quote it as it is, without the numbers:\n${numbered}`;
}

function shown(search: string): string {
  const lines = withoutLastBreak(search).split("\n");
  const more = lines.length - SHOWN_LINES;
  const rest = more > 0 ? `\n… ${more === 1 ? "1 more line" : `${more} more lines`}` : "";
  return lines.slice(0, SHOWN_LINES).join("\n") + rest;
}

/** Where the run of lines begins that has the most of the wanted ones, by their words. */
function nearest(lines: readonly string[], wanted: readonly string[]): number {
  const words = new Set(wanted.flatMap(wordsOf));
  const hits = lines.map((line) => wordsOf(line).filter((word) => words.has(word)).length);
  let [best, most] = [0, -1];
  let sum = 0;
  for (let end = 0; end < hits.length; end++) {
    sum += hits[end]! - (hits[end - wanted.length] ?? 0);
    const at = Math.max(0, end - wanted.length + 1);
    if (sum > most) [best, most] = [at, sum];
  }
  return best;
}

function wordsOf(line: string): string[] {
  return [...new Set(line.match(/\w{2,}/g) ?? [])];
}

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

/** Why a whole file may not take the place of what is there; undefined where it may. Models that are asked for a file of two thousand
 * lines write thirty and "# rest unchanged": written, that destroys the file. */
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
    return `has ${has.length === 1 ? "1 line" : `${has.length} lines`} where ${had.length} stand, and the others would be gone: ${INSTEAD}`;
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
