// What a run came to, before anything else: its pictures, else its diff, else its text or the files that it wrote. Where the run
// as a whole has left none, those of its best iteration.

import { showCount } from "@loopwright/terminal";
import { html, type Markup } from "@loopwright/terminal/html";
import type { Content, Contents } from "../contents.ts";
import { showPlace } from "../scores.ts";
import type { ReportSource } from "../source.ts";
import type { SavedFile, Section, Story } from "../story.ts";
import { showPatch, showText } from "./diff-view.ts";
import { isPatch, type Legends, showPicture } from "./files.ts";

const PICTURES = 4;

/** What was chosen to stand first, and how it is shown. */
export interface Result {
  files: ReadonlySet<SavedFile>;
  view: Markup | false;
}

/** The result of a run: the files that say most of it. */
export function showResult(
  { results, sections }: Story,
  contents: Contents,
  best: number | undefined,
  { legends = {} }: Pick<ReportSource, "legends">,
): Result {
  const section =
    sections.find(({ iteration }) => iteration === best) ?? sections.findLast(({ files }) => files.size > 0);
  const whole = choose(results, contents, legends);
  const ofSection = whole.length > 0 || !section ? [] : choose([...section.files.values()], contents, legends);
  const notes = results.filter((file) => /\.md$/i.test(file.name) && textOf(file, contents) !== "").slice(0, 1);
  const chosen = [whole, ofSection, notes].find((files) => files.length > 0);
  if (!chosen) return { files: new Set(), view: false };
  const words = chosen === ofSection ? heading(section!, best) : "Result";
  const views = chosen.map((file) => showOne(file, contents.get(file)!, legends));
  const isPictures = contents.get(chosen[0]!)!.kind === "picture";
  const view = html`<section class="result"><h2 id="result">${words}</h2>
${isPictures ? html`<div class="pictures">${views}</div>` : views}</section>`;
  return { files: new Set(chosen), view };
}

function heading(section: Section, best: number | undefined): string {
  return section.iteration === best ? `The best, ${showPlace(section)}` : `The latest, ${showPlace(section)}`;
}

/** Pictures, those with a legend first; else one diff; else one text. */
function choose(files: readonly SavedFile[], contents: Contents, legends: Legends): SavedFile[] {
  const of = (kind: Content["kind"]) => files.filter((file) => contents.get(file)?.kind === kind);
  const pictures = of("picture").toSorted((a, b) => Number(b.name in legends) - Number(a.name in legends));
  if (pictures.length > 0) return pictures.slice(0, PICTURES);
  const texts = of("text").filter((file) => textOf(file, contents) !== "");
  const hasWritten = (file: SavedFile) => writtenFiles(file, textOf(file, contents)).length > 0;
  const text =
    texts.find(({ name }) => isPatch(name)) ?? texts.find(isProse) ?? texts.findLast(hasWritten) ?? texts.find(isCode);
  return text ? [text] : [];
}

function textOf(file: SavedFile, contents: Contents): string {
  const content = contents.get(file);
  return content?.kind === "text" ? content.text.trim() : "";
}

function isProse(file: SavedFile): boolean {
  return /\.(md|txt)$/i.test(file.name) && !isNote(file);
}

/** Anything but figures, logs and notes. */
function isCode(file: SavedFile): boolean {
  return !/\.(json|jsonl|csv|log|ya?ml|xml)$/i.test(file.name) && !isNote(file);
}

/** What is said about the work, and is not the work. */
function isNote({ name }: SavedFile): boolean {
  return /(^|\/)(tried|plan|log|prompt|hand-off|summary|iteration)[^/]*$/i.test(name);
}

/** The files that a JSON file says were written: a list of `{ path, content }`, or one list of them in an object. */
function writtenFiles({ name }: SavedFile, text: string): { path: string; content: string }[] {
  if (!/\.json$/i.test(name)) return [];
  try {
    const value: unknown = JSON.parse(text);
    const lists = Array.isArray(value) ? [value] : Object.values(value ?? {}).filter(Array.isArray);
    return lists.find((list) => list.length > 0 && list.every(isWritten)) ?? [];
  } catch {
    return [];
  }
}

function isWritten(value: unknown): boolean {
  const { path, content } = (value ?? {}) as { path?: unknown; content?: unknown };
  return typeof path === "string" && typeof content === "string";
}

function showOne(file: SavedFile, content: Content, legends: Legends): Markup {
  if (content.kind === "picture") return showPicture(file, content, legends);
  const text = (content as Content & { kind: "text" }).text;
  const name = file.href === undefined ? html`${file.name}` : html`<a href="${file.href}">${file.name}</a>`;
  const written = writtenFiles(file, text);
  if (written.length > 0) {
    const words = written.map(({ path, content }) => `── ${path}\n\n${content.trim()}\n`).join("\n");
    return html`<p class="note">${showCount(written.length, "file")} in ${name}</p>${showText("", words)}`;
  }
  return html`<p class="note">${name}</p>${isPatch(file.name) ? showPatch(text) : showText(file.name, text)}`;
}
