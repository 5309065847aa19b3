// Pages: everything that comes from a run is hostile text. Only what a program writes itself is markup, and whatever is put
// into it is escaped, so that nothing can break out of its place.

import { stripVTControlCharacters } from "node:util";

/** A piece of HTML that is safe to put into a page. */
export class Markup {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  toString(): string {
    return this.text;
  }
}

/** What can stand in markup: text is escaped, markup is not. */
export type Part = Markup | string | number | undefined | false | readonly Part[];

/** A template whose parts are escaped, unless they are markup already; lists are put together, nothing gives nothing. */
export function html(strings: TemplateStringsArray, ...parts: readonly Part[]): Markup {
  let text = strings[0]!;
  for (const [index, part] of parts.entries()) text += partToText(part) + strings[index + 1]!;
  return new Markup(text);
}

const POLICY = "default-src 'none'; img-src data:; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'";

/** A whole page as text: it needs no other file, runs nothing and fetches nothing. */
export function htmlPage({ title, style, body }: { title: string; style: string; body: Markup }): string {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${new Markup(POLICY)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<meta name="color-scheme" content="light dark">
<link rel="icon" href="data:,">
<title>${title}</title>
<style>${new Markup(style)}</style>
</head>
<body>
<main>
${body}
</main>
</body>
</html>
`.text;
}

function partToText(part: Part): string {
  if (part === undefined || part === false) return "";
  if (part instanceof Markup) return part.text;
  if (typeof part === "string") return escapeText(part);
  if (typeof part === "number") return String(part);
  return part.map(partToText).join("");
}

const entities: Record<string, string> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
  "`": "&#96;",
};

/** Signs that mean something in HTML, that no one sees, or that turn the direction of what follows. */
const odd = /[&<>"'`]|(?![\n\t])\p{Cc}|[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

/** A text as it can stand in an element or in a quoted attribute; what would be invisible is made visible. */
export function escapeText(text: string): string {
  return text.toWellFormed().replace(odd, (sign) => entities[sign] ?? visible(sign.codePointAt(0)!));
}

function visible(code: number): string {
  if (code < 0x20) return String.fromCharCode(0x2400 + code);
  if (code === 0x7f) return "\u2421";
  return code < 0xa0 ? "\ufffd" : `[U+${code.toString(16).toUpperCase().padStart(4, "0")}]`;
}

/** A text of at most so many characters; what was cut is counted. */
export function cutText(text: string, limit: number): string {
  if (text.length <= limit) return text;
  return `${text
    .slice(0, limit)
    .toWellFormed()
    .replace(/\ufffd$/, "")}… (${text.length - limit} more characters)`;
}

/** Words of at most so many characters, as a person reads them: without colors and whatever else moves a terminal. */
export function cutWords(text: string, limit: number): string {
  return cutText(stripVTControlCharacters(text), limit);
}

/** A relative address of a file; undefined for a path that could lead out of its folder. */
export function pathToHref(path: string): string | undefined {
  const parts = path.split("/");
  const isSafe = parts.every((part) => part !== "" && part !== "." && part !== "..");
  return isSafe ? parts.map((part) => encodeURIComponent(part.toWellFormed())).join("/") : undefined;
}
