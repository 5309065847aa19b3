// Files as the page shows them: pictures in a grid, texts as what changed, the rest as links.

import type { Legend } from "@loopwright/core";
import { showCount, showSize } from "@loopwright/terminal";
import { html, type Markup, type Part } from "@loopwright/terminal/html";
import type { Content, Contents } from "../contents.ts";
import type { SavedFile } from "../story.ts";
import { showDiff, showPatch, showText } from "./diff-view.ts";

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

const LISTED_LIMIT = 120;

export type Legends = Readonly<Record<string, Legend>>;

/** What of a section's files is shown elsewhere, and what the colors of pictures mean. */
export interface Shared {
  above?: ReadonlySet<SavedFile>;
  legends?: Legends;
}

/** The files of one section, with so much room for the markup of texts; those that stand above are not shown again. */
export function showFiles(
  files: readonly SavedFile[],
  contents: Contents,
  earlierOf: (name: string) => Earlier | undefined,
  room: number,
  { above = new Set(), legends = {} }: Shared = {},
): ShownFiles {
  const pictures: Markup[] = [];
  const texts: Markup[] = [];
  const links: Markup[] = [];
  const others = files.filter((file) => !above.has(file));
  let left = room;
  for (const file of others) {
    const content = contents.get(file) ?? { kind: "linked", why: "not shown here" };
    if (content.kind === "picture") pictures.push(showPicture(file, content, legends));
    else if (content.kind === "linked") links.push(showLinked(file, content.why));
    else {
      const shown = left > 0 ? showTextFile(file, content.text, earlierOf(file.name)) : undefined;
      left -= shown?.text.length ?? 0;
      if (shown && left >= 0) texts.push(shown);
      else links.push(showLinked(file, "left out to keep this page small"));
    }
  }
  const more = links.length - LISTED_LIMIT;
  if (more > 0) links.splice(LISTED_LIMIT, more, html`<li>and ${showCount(more, "more file")}</li>\n`);
  const shown = files.length - others.length;
  const note = shown > 0 && html`<p class="note"><a href="#result">${showCount(shown, "file")} above</a>.</p>\n`;
  return {
    pictures: [note, pictures.length > 0 && html`<div class="pictures">\n${pictures}</div>\n`],
    others: [texts, links.length > 0 && html`<ul class="files">\n${links}</ul>\n`],
  };
}

/** A picture, with what its colors mean. */
export function showPicture(file: SavedFile, content: Content & { kind: "picture" }, legends: Legends): Markup {
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

/** Whether a file is a patch. */
export function isPatch(name: string): boolean {
  return /\.(diff|patch)$/i.test(name);
}

function showTextFile(file: SavedFile, text: string, earlier: Earlier | undefined): Markup {
  if (text === "") return html`<p class="note">${showLink(file)} is empty.</p>\n`;
  if (isPatch(file.name)) return withSummary(file, "", showPatch(text));
  if (!earlier) return withSummary(file, "", showText(file.name, text));
  const diff = showDiff(file.name, earlier.text, text);
  const since = earlier.iteration === 0 ? "the start" : `iteration ${earlier.iteration}`;
  if (!diff) return html`<p class="note">${showLink(file)} is as in ${since}.</p>\n`;
  return withSummary(file, `${diff.summary} since ${since}`, diff.view);
}

function withSummary(file: SavedFile, words: string, view: Markup): Markup {
  const about = words === "" ? showSize(file.artifact.size) : words;
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
