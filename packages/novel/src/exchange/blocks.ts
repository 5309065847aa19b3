// What a chapter's text is made of, between Markdown on one side and XHTML and Word on the other.

/** A piece of text with its marks. A line break inside the text is a hard one. */
export interface Span {
  text: string;
  em?: boolean | undefined;
  strong?: boolean | undefined;
  strike?: boolean | undefined;
  code?: boolean | undefined;
  /** The text is the label of a footnote. */
  note?: boolean | undefined;
  href?: string | undefined;
}

export type Marks = Omit<Span, "text">;

export type Block =
  | { kind: "paragraph"; spans: Span[] }
  | { kind: "heading"; depth: number; spans: Span[]; isMarked?: boolean }
  | { kind: "scene-break" }
  | { kind: "quote"; blocks: Block[] }
  | { kind: "list"; isOrdered: boolean; start: number; items: Block[][] }
  | { kind: "code"; text: string }
  | { kind: "note"; label: string; spans: Span[] };

const markNames = ["em", "strong", "strike", "code", "note", "href"] as const;

/** What is read of spans without their marks. */
export function plainText(spans: readonly Span[]): string {
  return spans.map(({ text, note }) => (note ? `[${text}]` : text)).join("");
}

/** Spans with space as one sees it: single, none at the ends of a line, no empty line; neighbors of one kind are one. */
export function tidySpans(spans: readonly Span[]): Span[] {
  const tidy: Span[] = [];
  let end = "\n";
  for (const span of spans) {
    let text = span.code ? span.text : span.text.replace(/[ \t]+/g, " ").replace(/(?<!\s)\s*\n[ \n]*/g, "\n");
    if (end.endsWith("\n")) text = text.replace(/^[ \n]+/, "");
    if (end.endsWith(" ")) text = text.replace(/^ /, "");
    if (text === "") continue;
    if (text.startsWith("\n")) trimEnd(tidy);
    end = text;
    const last = tidy.at(-1);
    if (last && !span.note && hasSameMarks(last, span)) last.text += text;
    else tidy.push({ ...span, text });
  }
  trimEnd(tidy);
  return tidy;
}

/** Whether two spans differ in nothing but their text. */
export function hasSameMarks(one: Marks, other: Marks): boolean {
  return markNames.every((name) => (one[name] || undefined) === (other[name] || undefined));
}

/** An address that a book may link to; undefined for scripts, files and places inside something else. */
export function safeHref(href: string): string | undefined {
  const address = href.trim();
  if (!/^(?:https?:\/\/|mailto:)[^\s]+$/i.test(address)) return undefined;
  return URL.canParse(address) ? address.replace(/[<>"\\^`{|}]/g, encodeURIComponent) : undefined;
}

function trimEnd(spans: Span[]): void {
  for (let last = spans.at(-1); last; last = spans.at(-1)) {
    while (!last.code && /\s$/.test(last.text)) last.text = last.text.slice(0, -1);
    if (last.text !== "") return;
    spans.pop();
  }
}
