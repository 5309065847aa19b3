// Text as the page shows it: whole where it is new, else as the lines that changed.

import { showCount } from "@loopwright/terminal";
import { cutText, html, type Markup } from "@loopwright/terminal/html";
import { structuredPatch } from "diff";

const LINES_LIMIT = 240;
const LINE_LIMIT = 400;
/** Beyond this many changed lines two texts are too different for their difference to be read. */
const MAX_EDITS = 240;

/** A text, cut where it is long. */
export function showText(name: string, text: string): Markup {
  const lines = linesOf(readable(name, text));
  const shown = lines.slice(0, LINES_LIMIT).map((line) => html`${cutText(line, LINE_LIMIT)}\n`);
  return html`<pre tabindex="0">${shown}</pre>${leftOut(lines.length)}`;
}

/** A patch as it was saved. */
export function showPatch(text: string): Markup {
  const lines = linesOf(text);
  return html`<pre class="diff" tabindex="0">${lines.slice(0, LINES_LIMIT).map(showPatchLine)}</pre>${leftOut(lines.length)}`;
}

function showPatchLine(line: string): Markup {
  return /^(diff |index |(new|deleted) file |(old|new) mode |rename |similarity |\+\+\+ |--- |@@ )/.test(line)
    ? html`<b>${cutText(line, LINE_LIMIT)}\n</b>`
    : showLine(line);
}

/** The lines that changed from one text to the next; undefined where nothing did. */
export function showDiff(name: string, before: string, after: string): { summary: string; view: Markup } | undefined {
  const [old, now] = [readable(name, before), readable(name, after)];
  if (old === now) return undefined;
  const patch =
    countUnshared(old, now) <= MAX_EDITS &&
    structuredPatch("", "", old, now, "", "", { context: 3, maxEditLength: MAX_EDITS });
  if (!patch) return { summary: "rewritten", view: showText(name, after) };
  const lines = patch.hunks.flatMap((hunk) => [`@@ line ${hunk.newStart}`, ...hunk.lines]);
  const [added, removed] = ["+", "-"].map((sign) => lines.filter((line) => line.startsWith(sign)).length);
  const summary = `${showCount(added!, "line")} added, ${removed} removed`;
  const view = html`<pre class="diff" tabindex="0">${lines.slice(0, LINES_LIMIT).map(showLine)}</pre>${leftOut(lines.length)}`;
  return { summary, view };
}

/** How many lines only one of two texts has: at least so many must change, and counting them is quick. */
function countUnshared(before: string, after: string): number {
  const counts = new Map<string, number>();
  for (const line of before.split("\n")) counts.set(line, (counts.get(line) ?? 0) + 1);
  for (const line of after.split("\n")) counts.set(line, (counts.get(line) ?? 0) - 1);
  let unshared = 0;
  for (const count of counts.values()) unshared += Math.abs(count);
  return unshared;
}

function showLine(line: string): Markup {
  const text = cutText(line, LINE_LIMIT);
  if (line.startsWith("+")) return html`<ins>${text}\n</ins>`;
  if (line.startsWith("-")) return html`<del>${text}\n</del>`;
  if (line.startsWith("@@")) return html`<b>${text.slice(3)}\n</b>`;
  return html`${text}\n`;
}

function leftOut(count: number): Markup | false {
  return count > LINES_LIMIT && html`<p class="note">${showCount(count - LINES_LIMIT, "more line")} not shown.</p>`;
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
  const lines = text.split("\n");
  return lines.at(-1) === "" ? lines.slice(0, -1) : lines;
}
