// Files of a level as people call them, and what people say of them: "5, 7-9", "foundation", "chapter 3 and the foundation".

import { bookPart, chapterNumber, FOUNDATION_PATH } from "../manuscript/files/layout.ts";
import { CHAPTER_WORDS, isFoundationName, partCalled } from "../manuscript/language/part-names.ts";
import { wordToNumber } from "../manuscript/numbers.ts";

/** What a person calls a file by: `foundation`, `chapter-3`, `treatment`. */
export function nameOfFile(path: string): string {
  const number = chapterNumber(path);
  if (number !== undefined) return `chapter-${number}`;
  if (path.startsWith("premise/")) return "premise";
  return path.slice(path.lastIndexOf("/") + 1).replace(/\.\w+$/, "");
}

/** The file that a name means, however it is written; undefined where there is none such. */
export function fileCalled(name: string, paths: readonly string[]): string | undefined {
  const plain = name.trim().replace(/^[`'"]+|[`'".:]+$/g, "");
  const direct = paths.find(
    (path) => path === plain || path.endsWith(`/${plain}`) || nameOfFile(path) === plain.toLowerCase(),
  );
  if (direct !== undefined) return direct;
  const part = partCalled(plain);
  if (part !== undefined) return paths.find((path) => bookPart(path) === part);
  if (isFoundationName(plain)) return paths.find((path) => path === FOUNDATION_PATH);
  const word = /^(?:chapters?|ch\.?|kapitel|chapitre)?[\s_-]*0*([\p{L}\d-]+)$/iu.exec(plain)?.[1] ?? "";
  const number = wordToNumber(word);
  return paths.find((path) => chapterNumber(path) === number && number !== undefined);
}

const CHAPTER = new RegExp(`^(?:${CHAPTER_WORDS})$`, "iu");
const JOINED = new RegExp(
  `[,;\\n]+|(?<!\\p{L})(?:and|und|et|en|och)(?!\\p{L})|&|\\s+(?=\\d|(?:${CHAPTER_WORDS})(?!\\p{L}))`,
  "iu",
);
/** What stands before a file's name in a list and is no part of it. */
const ARTICLES = "the|die|der|das|den|le|la|les|du|el|los|las|il|lo|o|os|as|de|het";
const BEFORE = new RegExp(`^(?:${ARTICLES}|${CHAPTER_WORDS})\\s+`, "iu");
const ARTICLE = new RegExp(`^(?:${ARTICLES})$`, "iu");

/** The files that a person names in a list, and what of it means none. */
export function readFileList(text: string, paths: readonly string[]): { files: string[]; unknown: string[] } {
  const files = new Set<string>();
  const unknown: string[] = [];
  const plain = text.replace(/(\d)\s*(?:-|–|to|bis|\.\.)\s*(?=\d)/gi, "$1-");
  for (const part of plain.split(JOINED)) {
    const name = part.trim().replace(BEFORE, "").replace(BEFORE, "");
    if (name === "" || CHAPTER.test(name) || ARTICLE.test(name)) continue;
    const range = /^(\d{1,4})-(\d{1,4})$/.exec(name);
    const numbers = range ? between(Number(range[1]), Number(range[2])).map(String) : [name];
    for (const each of numbers) {
      const path = fileCalled(each, paths);
      if (path === undefined) unknown.push(each);
      else files.add(path);
    }
  }
  return { files: paths.filter((path) => files.has(path)), unknown };
}

function between(from: number, to: number): number[] {
  return to < from || to - from > 2_000 ? [from, to] : Array.from({ length: to - from + 1 }, (_, at) => from + at);
}

/** `chapters 3, 5–8 and the foundation` */
export function filesInWords(paths: readonly string[]): string {
  const numbers = paths.flatMap((path) => chapterNumber(path) ?? []).sort((a, b) => a - b);
  const runs: [number, number][] = [];
  for (const number of numbers) {
    const last = runs.at(-1);
    if (last && last[1] + 1 === number) last[1] = number;
    else runs.push([number, number]);
  }
  const chapters = runs.map(([from, to]) =>
    from === to ? `${from}` : to === from + 1 ? `${from}, ${to}` : `${from}–${to}`,
  );
  const others = paths.filter((path) => chapterNumber(path) === undefined).map((path) => `the ${nameOfFile(path)}`);
  return [
    ...others,
    ...(chapters.length === 0 ? [] : [`chapter${numbers.length === 1 ? "" : "s"} ${chapters.join(", ")}`]),
  ].join(" and ");
}

/** What a person changes in what is reached. */
export interface ReachChange {
  choice: "add" | "drop";
  list: string;
}

const NOT =
  /^(?:not|without|leave out|drop|skip|except(?: for)?|remove|nicht|ohne|streiche|lass|pas|sans|sauf|außer|salvo|tranne|exceto|behalve|oprócz|utom|кроме|enlève|retire|no|sin|quita|non|senza|togli|não|sem|tira|niet|zonder|nie|bez|inte|utan|не|без)\s+([\s\S]+)$/iu;
const ALSO =
  /^(?:also|add|plus|with|put back|bring back|auch|dazu|nimm|aussi|ajoute|ajoutez|remets|también|añade|anche|aggiungi|rimetti|também|acrescenta|ook|też|dodaj|även|lägg till|также|добавь)\s+([\s\S]+)$/iu;

/** Whether a note says that the list is to be another, as far as its words tell. */
export function saysChange(note: string): boolean {
  return changeSaid(note) !== undefined;
}

/** A line that is such a change and nothing else, as it is typed in any of the languages: "ajoute le 4". */
export function changeSaid(line: string): ReachChange | undefined {
  const said = changeOf(line);
  return said && namesFile(splitReason(said.list).list) ? said : undefined;
}

/** Whether words name a file by a number, or as the parts without one are called: "not so loud" names none. */
function namesFile(list: string): boolean {
  const name = list.trim().replace(BEFORE, "");
  return /\d/.test(list) || isFoundationName(name) || partCalled(name) !== undefined;
}

function changeOf(text: string): ReachChange | undefined {
  const [less, more] = [NOT.exec(text.trim())?.[1], ALSO.exec(text.trim())?.[1]];
  const list = less ?? more;
  return list === undefined ? undefined : { choice: less === undefined ? "add" : "drop", list };
}

/** What a note such as "not 6" or "also 4" changes; undefined where it says something else. */
export function readChange(note: string, paths: readonly string[]): ReachChange | undefined {
  const said = changeOf(note);
  const { files, unknown } = readFileList(splitListed(said?.list ?? "", paths).list, paths);
  return unknown.length > 0 || files.length === 0 ? undefined : said;
}

const ONLY = /^(?:only|just|nur|seulement|solo|sólo|só|apenas|alleen|tylko|bara|только)\s+/iu;

/** Whether a note says that some of the files are meant and others are not: "not 4", "only the foundation". */
export function saysSome(note: string): boolean {
  const only = note.trim().replace(ONLY, "");
  return only !== note.trim() ? namesFile(splitReason(only).list) : changeSaid(note)?.choice === "drop";
}

/** The files that an answer takes of those that there are, and why not the others: "3, 5", "only 3", "not 4, it is too long". */
export function readSome(
  note: string,
  paths: readonly string[],
): { taken: string[]; left: string[]; reason: string } | { refused: string } {
  const without = changeOf(note);
  const isLess = without?.choice === "drop";
  const { list, reason = "" } = splitListed(isLess ? without.list : note.trim().replace(ONLY, ""), paths);
  const { files, unknown } = readFileList(list, paths);
  if (unknown.length > 0) return { refused: `'${unknown[0]}' is none of what was changed: ${filesInWords(paths)}` };
  if (files.length === 0) return { refused: `say which, such as 'some: ${nameOfFile(paths[0] ?? "")}'` };
  const others = paths.filter((path) => !files.includes(path));
  const [taken, left] = isLess ? [others, files] : [files, others];
  return taken.length > 0
    ? { taken, left, reason }
    : { refused: "nothing would be left to accept: 'no' rejects it all" };
}

const REASON =
  /^([\s\S]*?)(?:\s*[,;:—–]\s*|\s+)(?:(?:because|since|as|denn|car|parce que|puisque|porque|pues|perché|poiché|pois|want|bo|ponieważ|потому что|так как)(?!\p{L})[\s,:]*|(?=(?:weil|da|omdat|eftersom|where|wo|où|donde|dove|onde|waar|gdzie|där|где)(?!\p{L})))([\s\S]+)$/iu;

/** A list and why: "6, because it is fine as it is". */
export function splitReason(text: string): { list: string; reason?: string } {
  const [, list, reason] = REASON.exec(text.trim()) ?? [];
  return list === undefined || reason === undefined ? { list: text } : { list, reason };
}

/** The same where nothing but a comma says that a reason follows: "3, he must be carefree there". */
function splitListed(text: string, paths: readonly string[]): { list: string; reason?: string } {
  const split = splitReason(text);
  // "3, it is fine as it is" has a word of reasons in its reason.
  if (split.reason !== undefined && readFileList(split.list, paths).unknown.length === 0) return split;
  const commas = [...text.matchAll(/[,;:—–]\s*/g)];
  for (const { index, 0: comma } of commas) {
    const [list, reason] = [text.slice(0, index), text.slice(index + comma.length)];
    const isList = readFileList(list, paths).unknown.length === 0;
    const [first = ""] = reason.split(/[,;]/, 1);
    if (isList && readFileList(first, paths).files.length === 0 && /\p{L}{2}/u.test(first)) return { list, reason };
  }
  return split;
}

/** Where another change begins: "add 7 and drop 5". */
const NEXT =
  /[\s,;]+(?:(?:and|but|und|aber|et|mais|y|e|en|i|och|и)\s+)?(?=(?:add|also|drop|leave out|without|not|auch|dazu|ohne|nicht)\s)/iu;

/** What a person changes in one answer, each with its reason. Words that name no file after "drop" and the like are a reason's. */
export function readChanges(
  { choice, list }: ReachChange,
  paths: readonly string[],
): (ReachChange & { reason: string })[] {
  const [first = "", ...others] = list.split(NEXT);
  const changes: ReachChange[] = [{ choice, list: first }];
  for (const text of others) {
    const next = readChange(text, paths);
    if (next) changes.push(next);
    else changes.at(-1)!.list += ` ${text}`;
  }
  return changes.map((each) => ({ reason: "", ...each, ...splitListed(each.list, paths) }));
}
