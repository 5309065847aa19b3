// Files as the page shows them: pictures in a grid, texts as what changed, the rest as links; and those that say most of what the
// run came to, which stand before anything else.

import type { Legend } from "@loopwright/core";
import { showCount, showSize } from "@loopwright/terminal";
import { cutText, html, type Markup, type Part } from "@loopwright/terminal/html";
import { structuredPatch } from "diff";
import type { Content, Contents } from "./contents.ts";
import { type SavedFile, type Story, showPlace } from "./story.ts";

/** The same-named text of an earlier iteration. */
export interface Earlier {
  iteration: number;
  text: string;
}

/** The files of a section: its pictures, and everything else. */
export interface ShownFiles {
  pictures: Part;
  others: Part;
}

export type Legends = Readonly<Record<string, Legend>>;

/** What of a section's files is shown elsewhere, and what the colors of pictures mean. */
export interface Shared {
  above?: ReadonlySet<SavedFile>;
  legends?: Legends;
}

const LISTED_LIMIT = 120;

/** The files of one section; those that stand above are not shown again. */
export function showFiles(
  files: readonly SavedFile[],
  contents: Contents,
  earlierOf: (name: string) => Earlier | undefined,
  { above = new Set(), legends = {} }: Shared = {},
): ShownFiles {
  const [pictures, texts, links]: Markup[][] = [[], [], []];
  const others = files.filter((file) => !above.has(file));
  for (const file of others) {
    const content = contents.get(file) ?? { kind: "linked", why: "not shown here" };
    if (content.kind === "picture") pictures!.push(showPicture(file, content, legends));
    else if (content.kind === "text") texts!.push(showTextFile(file, content.text, earlierOf(file.name)));
    else links!.push(showLinked(file, content.why));
  }
  const more = links!.length - LISTED_LIMIT;
  if (more > 0) links!.splice(LISTED_LIMIT, more, html`<li>and ${showCount(more, "more file")}</li>\n`);
  const shown = files.length - others.length;
  const note = shown > 0 && html`<p class="note"><a href="#result">${showCount(shown, "file")} above</a>.</p>\n`;
  return {
    pictures: [note, pictures!.length > 0 && html`<div class="pictures">\n${pictures}</div>\n`],
    others: [texts, links!.length > 0 && html`<ul class="files">\n${links}</ul>\n`],
  };
}

/** A picture, with what its colors mean. */
function showPicture(file: SavedFile, content: Content & { kind: "picture" }, legends: Legends): Markup {
  const legend = Object.hasOwn(legends, file.name) ? legends[file.name]! : [];
  const { type, base64, width = 0, height = 0 } = content;
  const isBroad = height > 0 && width / height >= 2;
  const measures = width > 0 && height > 0 && html` width="${width}" height="${height}"`;
  return html`<figure${isBroad && html` class="broad"`}><img alt="${file.name}"${measures} src="data:${type};base64,${base64}"><figcaption>${showLink(file)}${legend.length > 0 && html`<ul class="legend">${legend.map(showColor)}</ul>`}</figcaption></figure>
`;
}

function showColor({ color, means }: Legend[number]): Markup {
  const fill = /^#[0-9a-f]{6}$/i.test(color) ? color : "#808080";
  return html`<li><i style="background:${fill}"></i>${means}</li>`;
}

function showTextFile(file: SavedFile, text: string, earlier: Earlier | undefined): Markup {
  if (text === "") return html`<p class="note">${showLink(file)} is empty.</p>\n`;
  const size = showSize(file.artifact.size);
  if (isPatch(file)) return withSummary(file, size, showPatch(text));
  if (!earlier) return withSummary(file, size, showText(file.name, text));
  const diff = showDiff(file.name, earlier.text, text);
  const since = earlier.iteration === 0 ? "the start" : `iteration ${earlier.iteration}`;
  if (!diff) return html`<p class="note">${showLink(file)} is as in ${since}.</p>\n`;
  return withSummary(file, `${diff.summary} since ${since}`, diff.view);
}

function withSummary(file: SavedFile, about: string, view: Markup): Markup {
  return html`<details><summary><span>${file.name}</span> <span class="dim">${about}</span></summary>${view}${
    file.href !== undefined && html`<p class="note"><a href="${file.href}">open the file</a></p>`
  }</details>
`;
}

function showLink({ name, href }: SavedFile): Markup {
  return href === undefined ? html`${name}` : html`<a href="${href}">${name}</a>`;
}

function showLinked(file: SavedFile, why: string): Markup {
  const about = why === "" ? showSize(file.artifact.size) : `${showSize(file.artifact.size)}, ${why}`;
  return html`<li>${showLink(file)} <span class="dim">${about}</span></li>\n`;
}

const LINES_LIMIT = 240;
const LINE_LIMIT = 400;
/** Beyond this many changed lines two texts are too different for their difference to be read. */
const MAX_EDITS = 240;

/** A text, cut where it is long. */
export function showText(name: string, text: string): Markup {
  return showLines(html`<pre tabindex="0">`, linesOf(readable(name, text)), (line) => html`${cut(line)}\n`);
}

/** A patch as it was saved. */
function showPatch(text: string): Markup {
  const isHead = /^(diff |index |(new|deleted) file |(old|new) mode |rename |similarity |\+\+\+ |--- |@@ )/;
  return showLines(html`<pre class="diff" tabindex="0">`, linesOf(text), (line) =>
    isHead.test(line) ? html`<b>${cut(line)}\n</b>` : showChange(line),
  );
}

/** The lines that changed from one text to the next; undefined where nothing did. */
export function showDiff(name: string, before: string, after: string): { summary: string; view: Markup } | undefined {
  const [old, now] = [readable(name, before), readable(name, after)];
  if (old === now) return undefined;
  const patch = structuredPatch("", "", old, now, "", "", { context: 3, maxEditLength: MAX_EDITS });
  if (!patch) return { summary: "rewritten", view: showText(name, after) };
  const lines = patch.hunks.flatMap((hunk) => [`@@ line ${hunk.newStart}`, ...hunk.lines]);
  const [added, removed] = ["+", "-"].map((sign) => lines.filter((line) => line.startsWith(sign)).length);
  const summary = `${showCount(added!, "line")} added, ${removed} removed`;
  return { summary, view: showLines(html`<pre class="diff" tabindex="0">`, lines, showChange) };
}

function showChange(line: string): Markup {
  if (line.startsWith("+")) return html`<ins>${cut(line)}\n</ins>`;
  if (line.startsWith("-")) return html`<del>${cut(line)}\n</del>`;
  return line.startsWith("@@") ? html`<b>${cut(line).slice(3)}\n</b>` : html`${cut(line)}\n`;
}

function showLines(open: Markup, lines: readonly string[], show: (line: string) => Markup): Markup {
  const left = lines.length - LINES_LIMIT;
  const note = left > 0 && html`<p class="note">${showCount(left, "more line")} not shown.</p>`;
  return html`${open}${lines.slice(0, LINES_LIMIT).map(show)}</pre>${note}`;
}

function cut(line: string): string {
  return cutText(line, LINE_LIMIT);
}

/** JSON that stands on one line is set out, so that its lines can be compared. */
function readable(name: string, text: string): string {
  if (!/\.json$/i.test(name) || text.trimEnd().includes("\n")) return text;
  try {
    return `${JSON.stringify(JSON.parse(text), null, 2)}\n`;
  } catch {
    return text;
  }
}

function linesOf(text: string): string[] {
  return text.replace(/\n$/, "").split("\n");
}

const RESULT_PICTURES = 4;

/** The result of a run: the files that say most of it. Where the run as a whole has left none, those of its best iteration. */
export function showResult(
  { results, sections }: Story,
  contents: Contents,
  best: number | undefined,
  legends: Legends = {},
): { files: ReadonlySet<SavedFile>; view: Markup | false } {
  const section =
    sections.find(({ iteration }) => iteration === best) ?? sections.findLast(({ files }) => files.size > 0);
  const whole = choose(results, contents, legends);
  const ofSection = whole.length > 0 || !section ? [] : choose([...section.files.values()], contents, legends);
  const notes = results.filter((file) => /\.md$/i.test(file.name) && textOf(file, contents) !== "").slice(0, 1);
  const chosen = [whole, ofSection, notes].find((files) => files.length > 0);
  if (!chosen) return { files: new Set(), view: false };
  const which = section?.iteration === best ? "best" : "latest";
  const words = chosen === ofSection ? `The ${which}, ${showPlace(section!)}` : "Result";
  const views = chosen.map((file) => showOne(file, contents.get(file)!, legends));
  const isPictures = contents.get(chosen[0]!)!.kind === "picture";
  const view = html`<section class="result"><h2 id="result">${words}</h2>
${isPictures ? html`<div class="pictures">${views}</div>` : views}</section>`;
  return { files: new Set(chosen), view };
}

/** Pictures, those with a legend first; else one diff; else one text. */
function choose(files: readonly SavedFile[], contents: Contents, legends: Legends): SavedFile[] {
  const pictures = files
    .filter((file) => contents.get(file)?.kind === "picture")
    .sort((a, b) => Number(b.name in legends) - Number(a.name in legends));
  if (pictures.length > 0) return pictures.slice(0, RESULT_PICTURES);
  const texts = files.filter((file) => textOf(file, contents) !== "");
  // What is said about the work is not the work.
  const works = texts.filter(
    ({ name }) => !/(^|\/)(tried|plan|log|prompt|hand-off|summary|iteration)[^/]*$/i.test(name),
  );
  const text =
    texts.find(isPatch) ??
    works.find(({ name }) => /\.(md|txt)$/i.test(name)) ??
    texts.findLast((file) => writtenFiles(file, textOf(file, contents)).length > 0) ??
    works.find(({ name }) => !/\.(json|jsonl|csv|log|ya?ml|xml)$/i.test(name));
  return text ? [text] : [];
}

function isPatch({ name }: SavedFile): boolean {
  return /\.(diff|patch)$/i.test(name);
}

function textOf(file: SavedFile, contents: Contents): string {
  const content = contents.get(file);
  return content?.kind === "text" ? content.text.trim() : "";
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
  const { text } = content as Content & { kind: "text" };
  const written = writtenFiles(file, text);
  if (written.length === 0)
    return html`<p class="note">${showLink(file)}</p>${isPatch(file) ? showPatch(text) : showText(file.name, text)}`;
  const words = written.map(({ path, content: said }) => `── ${path}\n\n${said.trim()}\n`).join("\n");
  return html`<p class="note">${showCount(written.length, "file")} in ${showLink(file)}</p>${showText("", words)}`;
}
