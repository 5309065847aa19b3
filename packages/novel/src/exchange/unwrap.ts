// A text whose lines were broken at a width, as plain text is: its paragraphs in a line each. Verse, whose lines are short, keeps
// them. Pure.

/** A text with fewer broken lines than this is too short to tell. */
const LEAST = 10;
/** Lines of prose are broken between these widths; those of verse are shorter. */
const NARROWEST = 60;
const WIDEST = 100;
/** The share of broken lines that end near the width, and how near that is. */
const MOST = 0.8;
const NEAR = 0.75;
const EMPTY_LINES = /(\n[ \t]*(?:\n[ \t]*)+)/;
/** What begins a line of its own. */
const BEGINS = /^(?:\s|[#>|<[]|[-*+]\s|\d+[.)]\s|(?:[-*_=]\s*){3,}$)/;
/** The same behind an indent: Markdown has its own lines there. */
const IS_MARKUP = /^\s*(?:[#>|<[]|[-*+]\s|\d+[.)]\s|(?:[-*_=]\s*){3,}$)/;

/** The text with whole paragraphs, and the width that its lines were broken at; without one it is as it was. */
export function unwrapLines(text: string): { text: string; width?: number } {
  const blocks = text.trimEnd().split(EMPTY_LINES);
  const inner = blocks.flatMap((block) => block.split("\n").slice(0, -1)).filter((line) => line.trim() !== "");
  const lengths = inner.map(({ length }) => length).sort((a, b) => a - b);
  const width = lengths[Math.floor(lengths.length * 0.98)] ?? 0;
  const isNear = ({ length }: string) => length >= NEAR * width;
  if (inner.length < LEAST || width < NARROWEST || width > WIDEST || inner.filter(isNear).length < MOST * inner.length)
    return { text };
  const whole = blocks.map((block) => {
    const lines = block.split("\n");
    const isProse = lines.slice(0, -1).every(isNear) && !lines.some((line) => BEGINS.test(line));
    return isProse ? lines.map((line, at) => (at === 0 ? line.trimEnd() : line.trim())).join(" ") : block;
  });
  return { text: whole.join(""), width };
}

/** The text of a chapter in which lines that are short for the width, as those of verse, are broken for Markdown too. */
export function breakLines(markdown: string, width: number): string {
  if (/^\s*(?:```|~~~)/m.test(markdown)) return markdown;
  // The indent of a block's first line is a part of the block.
  const blocks = markdown.split(/(\n(?:[ \t]*\n)+)/);
  return blocks
    .map((block) => {
      const lines = block.split("\n");
      const isShort = 2 * lines.slice(0, -1).filter(({ length }) => length < NEAR * width).length > lines.length - 1;
      const isPlain = lines.every((line) => line.trim() !== "" && !IS_MARKUP.test(line));
      if (!isPlain) return block;
      const own = withoutIndent(lines);
      return lines.length > 1 && isShort ? own.map((line) => line.replace(/\\?\s*$/, "")).join("\\\n") : own.join("\n");
    })
    .join("");
}

/** Lines without the indent that all of them share, and none before the first that would make code of them in Markdown. */
function withoutIndent(lines: readonly string[]): string[] {
  const shared = Math.min(...lines.map((line) => line.search(/\S/)));
  return lines.map((line, at) => (at === 0 ? line.slice(shared).replace(/^\s{4,}/, "   ") : line.slice(shared)));
}
