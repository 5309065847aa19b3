// Cutting a part of a prompt: its beginning and its end are kept, and a line between them says how much was left out.
//
// So a fence around the text stays closed, a file keeps its head, and a log keeps the error at its end. The cut is made
// between lines, unless that would leave too little; then inside a line, between words where it can be. Where a cut would
// leave a fence open, that one is closed before the line, and the one that the end lay in is opened again after it.

import { openFence } from "./open-fence.ts";

/** Counts the tokens of a text. */
export type CountTokens = (text: string) => number;

/** Room for the line that says what was left out. */
const NOTE_TOKENS = 14;
/** What a cut costs beside what must be left: that line, and what is lost at the edges. */
export const CUT_TOKENS = 24;
/** How far back from a cut inside a line a space is looked for. */
const WORD = 24;

/** The text cut to at most `most` tokens, and where it is not left out whole, with at least `least` of its own. */
export function cutText(text: string, most: number, least: number, count: CountTokens): string {
  for (let room = most - NOTE_TOKENS; room > 0; ) {
    const head = keep(text, "start", Math.ceil(room / 2), least / 2, count);
    const rest = text.slice(head.length);
    const tail = keep(rest, "end", room - count(head), least / 2, count);
    const missing = rest.slice(0, rest.length - tail.length);
    const note = `[… about ${count(missing).toLocaleString("en")} tokens left out …]`;
    const cut = withoutOpenFence(join(head, note, tail), () => joinFenced(head, note, missing, tail));
    const over = count(cut) - most;
    if (over <= 0) return cut;
    room -= over;
  }
  return "";
}

function join(head: string, note: string, tail: string): string {
  const before = head === "" || head.endsWith("\n") ? head : `${head}\n`;
  return `${before}${note}${tail.startsWith("\n") || tail === "" ? "" : "\n"}${tail}`;
}

function withoutOpenFence(cut: string, otherwise: () => string): string {
  if (!openFence(cut)) return cut;
  const fixed = otherwise();
  const open = openFence(fixed);
  return open ? `${fixed}${fixed.endsWith("\n") ? "" : "\n"}${open.close}` : fixed;
}

function joinFenced(head: string, note: string, missing: string, tail: string): string {
  const [before, after] = [openFence(head), openFence(head + missing)];
  const closed = before ? `${head}${head.endsWith("\n") ? "" : "\n"}${before.close}\n` : head;
  const opened = after ? `${note}\n${after.line}` : note;
  return join(closed, opened, tail);
}

/** As many lines from one side of a text as fit; where they would be few, a part of the next line too. */
function keep(text: string, side: "start" | "end", most: number, least: number, count: CountTokens): string {
  let kept = "";
  let used = 0;
  for (let left = text; left !== ""; ) {
    const line = side === "start" ? firstLine(left) : lastLine(left);
    // A line of so many characters cannot fit, and counting it could take long.
    const tokens = line.length > (most - used) * 256 ? Number.POSITIVE_INFINITY : count(line);
    if (used + tokens > most) {
      const isEnough = used >= Math.max(least, most / 2);
      const piece = isEnough ? "" : keepPiece(line, side, most - used, least - used, count);
      return side === "start" ? kept + piece : piece + kept;
    }
    used += tokens;
    kept = side === "start" ? kept + line : line + kept;
    left = side === "start" ? left.slice(line.length) : left.slice(0, left.length - line.length);
  }
  return kept;
}

function firstLine(text: string): string {
  const end = text.indexOf("\n");
  return end === -1 ? text : text.slice(0, end + 1);
}

function lastLine(text: string): string {
  return text.slice(text.lastIndexOf("\n", text.length - 2) + 1);
}

/** The longest piece of a line, from one side of it, that fits. */
function keepPiece(line: string, side: "start" | "end", most: number, least: number, count: CountTokens): string {
  const take = (length: number) => (side === "start" ? line.slice(0, length) : line.slice(line.length - length));
  let fits = 0;
  let over = 1;
  while (over < line.length && count(take(over)) <= most) {
    fits = over;
    over = Math.min(line.length, over * 2);
  }
  while (over - fits > 1) {
    const middle = (fits + over) >> 1;
    if (count(take(middle)) <= most) fits = middle;
    else over = middle;
  }
  const piece = take(fits);
  const atWord = side === "start" ? toLastSpace(piece) : fromFirstSpace(piece);
  return wellFormed(count(atWord) >= least ? atWord : piece, side);
}

function toLastSpace(piece: string): string {
  const space = piece.lastIndexOf(" ");
  return space >= piece.length - WORD && space > 0 ? piece.slice(0, space) : piece;
}

function fromFirstSpace(piece: string): string {
  const space = piece.indexOf(" ");
  return space !== -1 && space < WORD ? piece.slice(space + 1) : piece;
}

/** Half of a surrogate pair at the cut is left out: what is kept must be part of the text. */
function wellFormed(piece: string, side: "start" | "end"): string {
  if (side === "start") return /[\ud800-\udbff]$/.test(piece) ? piece.slice(0, -1) : piece;
  return /^[\udc00-\udfff]/.test(piece) ? piece.slice(1) : piece;
}
