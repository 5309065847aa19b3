// Fenced blocks: what an answer or a document sets apart between lines of backticks or tildes.
//
// A fence that opens with a language while another one of no greater length is open means that the first was never
// closed: what it holds is cut, and is never taken for whole.
// Thought: what a model says to itself between <think> and </think> (or thinking, reasoning) is not part of its answer.
//
//   T1  Blocks may be many, nested and in any case of letters.
//   T2  A closing tag that was never opened: everything before it is thought, since servers swallow the opening one.
//   T3  An opening tag that is never closed: everything after it is thought, and so the answer may be empty.
//   T4  Openings that outnumber their closings (thought that mentions the tag): thought lasts to the last closing tag.
//   T5  Inside a closed fenced block of the answer tags are text: code may speak of them. A truncated fence protects nothing,
//       and neither does a fence inside a thought.
//
// Where it is unclear whether something is thought or answer, it is thought: a lost answer is asked for again, but
// a thought taken for an answer is believed.

import { FormatError } from "@loopwright/core";

/** A line that opens or closes a block. */
export interface Fence {
  mark: string;
  indent: string;
  /** In small letters; empty where it names none. */
  language: string;
  /** Where its line begins and ends. */
  start: number;
  end: number;
}

/** Two fences that belong together; one that is never closed has none. */
export interface FencePair {
  open: Fence;
  close: Fence | undefined;
  /** Where the next fence or the text's end tears off a block that is never closed. */
  cut: number;
}

export interface Block {
  language: string;
  text: string;
  /** Whether its closing fence is there. */
  isClosed: boolean;
}

const FENCE = /^([ \t]*)(`{3,}|~{3,})[ \t]*([^\s`]*)/;

/** The fenced blocks of a text, in order. */
export function fencedBlocks(text: string): Block[] {
  return pairFences(fencesOf(text), text.length).map(({ open, close, cut }) => {
    const body = text.slice(open.end + 1, close?.start ?? cut).replace(/\r?\n$/, "");
    return { language: open.language, text: outdent(body, open.indent), isClosed: close !== undefined };
  });
}

/** Every line of a text that is a fence. */
export function fencesOf(text: string): Fence[] {
  const fences: Fence[] = [];
  for (const { 0: line, index } of text.matchAll(/^[ \t]*(?:```|~~~).*$/gm)) {
    const found = FENCE.exec(line);
    if (!found || line.includes("`", found[0].length)) continue;
    const [, indent, mark, language] = found as unknown as [string, string, string, string];
    const lineEnd = text.indexOf("\n", index + line.length);
    const end = lineEnd < 0 ? text.length : lineEnd;
    fences.push({ indent, mark, language: language.toLowerCase(), start: index, end });
  }
  return fences;
}

/** Puts each opening fence together with the one that closes it. */
export function pairFences(fences: readonly Fence[], length: number): FencePair[] {
  const pairs: FencePair[] = [];
  let open: Fence | undefined;
  for (const fence of fences) {
    // A shorter fence, or one of the other sign, is text of the block that is open.
    if (open && !fence.mark.startsWith(open.mark)) continue;
    const closes = open !== undefined && fence.language === "";
    if (open) pairs.push({ open, close: closes ? fence : undefined, cut: fence.start });
    open = closes ? undefined : fence;
  }
  if (open) pairs.push({ open, close: undefined, cut: length });
  return pairs;
}

/** A block inside a list is indented as a whole. */
function outdent(body: string, indent: string): string {
  if (indent === "") return body;
  const lines = body.split("\n");
  return lines.map((line) => (line.startsWith(indent) ? line.slice(indent.length) : line)).join("\n");
}

const TAG = /<(\/?)(?:think|thinking|reasoning)\s*>/gi;

/** Where tags and fences are so many that pairing them would take long, only what follows the last tag counts. */
const MAX_PAIRING = 1_000_000;

/** An answer without its thought. */
export function withoutThought(text: string): string {
  const tags = [...text.matchAll(TAG)];
  if (tags.length === 0) return text;
  const fences = fencesOf(text);
  const end = (tag: RegExpExecArray) => tag.index + tag[0].length;
  if (tags.length * fences.length > MAX_PAIRING) return isClosing(tags.at(-1)!) ? text.slice(end(tags.at(-1)!)) : "";
  let kept: string[] = [];
  let from = 0;
  for (let next = 0; next < tags.length; ) {
    const tag = tags[next]!;
    const shield = shieldOf(tag.index);
    if (shield !== undefined) {
      while (next < tags.length && tags[next]!.index < shield) next++;
      continue;
    }
    const last = isClosing(tag) ? next : endOfThought(tags, next);
    if (isClosing(tag)) kept = [];
    else kept.push(text.slice(from, tag.index));
    if (last === undefined) return kept.join("");
    from = end(tags[last]!);
    next = last + 1;
  }
  return kept.join("") + text.slice(from);

  /** Where the closed block that holds a place ends. Fences inside earlier thoughts are none of the answer's. */
  function shieldOf(at: number): number | undefined {
    if (fences.length === 0) return undefined;
    const own = pairFences(
      fences.filter(({ start }) => start >= from),
      text.length,
    );
    return own.find(({ open, close }) => close && open.start <= at && at < close.end)?.close?.end;
  }
}

const isClosing = (tag: RegExpExecArray) => tag[1] === "/";

/** An answer without its thought; throws FormatError where nothing is left. */
export function answerOf(text: string): string {
  const answer = withoutThought(text);
  if (answer.trim() !== "") return answer;
  const why = text.trim() === "" ? "" : " It held nothing but thought: give the answer after the thought has ended.";
  throw new FormatError("ANSWER_EMPTY", `The answer was empty.${why}`);
}

/** The closing tag of a thought that opens at a tag: the one that balances it, else the last there is. */
function endOfThought(tags: readonly RegExpExecArray[], opening: number): number | undefined {
  let depth = 0;
  for (let at = opening; at < tags.length; at++) {
    depth += isClosing(tags[at]!) ? -1 : 1;
    if (depth === 0) return at;
  }
  const last = tags.findLastIndex(isClosing);
  return last > opening ? last : undefined;
}
