// Files as the page shows them: pictures in a grid, texts as what changed, the rest as links.

import { showCount, showSize } from "@loopwright/terminal";
import { html, type Markup, type Part } from "@loopwright/terminal/html";
import type { Content, Contents } from "../contents.ts";
import type { SavedFile } from "../gather.ts";
import { showDiff, showText } from "./diff-view.ts";

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

/** The files of one section, with so much room for the markup of texts. */
export function showFiles(
  files: readonly SavedFile[],
  contents: Contents,
  earlierOf: (name: string) => Earlier | undefined,
  room: number,
): ShownFiles {
  const pictures: Markup[] = [];
  const texts: Markup[] = [];
  const links: Markup[] = [];
  let left = room;
  for (const file of files) {
    const content = contents.get(file) ?? { kind: "linked", why: "not shown here" };
    if (content.kind === "picture") pictures.push(showPicture(file, content));
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
  return {
    pictures: pictures.length > 0 && html`<div class="pictures">\n${pictures}</div>\n`,
    others: [texts, links.length > 0 && html`<ul class="files">\n${links}</ul>\n`],
  };
}

function showPicture(file: SavedFile, content: Content & { kind: "picture" }): Markup {
  const { type, base64, width = 0, height = 0 } = content;
  const isBroad = height > 0 && width / height >= 2;
  const measures = width > 0 && height > 0 && html` width="${width}" height="${height}"`;
  return html`<figure${isBroad && html` class="broad"`}><img alt="${file.name}"${measures} src="data:${type};base64,${base64}"><figcaption>${showLink(file)}</figcaption></figure>
`;
}

function showTextFile(file: SavedFile, text: string, earlier: Earlier | undefined): Markup {
  if (text === "") return html`<p class="note">${showLink(file)} is empty.</p>\n`;
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
