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
import { fencesOf, pairFences } from "./blocks.ts";

interface Tag {
  isClosing: boolean;
  start: number;
  end: number;
}

const TAG = /<(\/?)(?:think|thinking|reasoning)\s*>/gi;

/** Where tags and fences are so many that pairing them would take long, only what follows the last tag counts. */
const MAX_PAIRING = 1_000_000;

/** An answer without its thought. */
export function withoutThought(text: string): string {
  const tags = tagsOf(text);
  if (tags.length === 0) return text;
  const fences = fencesOf(text);
  if (tags.length * fences.length > MAX_PAIRING) return tags.at(-1)!.isClosing ? text.slice(tags.at(-1)!.end) : "";
  let kept: string[] = [];
  let from = 0;
  for (let next = 0; next < tags.length; ) {
    const tag = tags[next]!;
    const shield = shieldOf(tag);
    if (shield !== undefined) {
      while (next < tags.length && tags[next]!.start < shield) next++;
      continue;
    }
    const last = tag.isClosing ? next : endOfThought(tags, next);
    if (tag.isClosing) kept = [];
    else kept.push(text.slice(from, tag.start));
    if (last === undefined) return kept.join("");
    from = tags[last]!.end;
    next = last + 1;
  }
  return kept.join("") + text.slice(from);

  /** Where the closed block that holds a tag ends. Fences inside earlier thoughts are none of the answer's. */
  function shieldOf(tag: Tag): number | undefined {
    if (fences.length === 0) return undefined;
    const own = fences.filter(({ start }) => start >= from);
    const pair = pairFences(own, text.length).find(
      ({ open, close }) => close && open.start <= tag.start && tag.start < close.end,
    );
    return pair?.close?.end;
  }
}

/** An answer without its thought; throws FormatError where nothing is left. */
export function answerOf(text: string): string {
  const answer = withoutThought(text);
  if (answer.trim() !== "") return answer;
  const why = text.trim() === "" ? "" : " It held nothing but thought: give the answer after the thought has ended.";
  throw new FormatError("ANSWER_EMPTY", `The answer was empty.${why}`);
}

/** The closing tag of a thought that opens at a tag: the one that balances it, else the last there is. */
function endOfThought(tags: readonly Tag[], opening: number): number | undefined {
  let depth = 0;
  let last: number | undefined;
  for (let at = opening; at < tags.length; at++) {
    depth += tags[at]!.isClosing ? -1 : 1;
    if (tags[at]!.isClosing) last = at;
    if (depth === 0) return at;
  }
  return last;
}

function tagsOf(text: string): Tag[] {
  return [...text.matchAll(TAG)].map((match) => ({
    isClosing: match[1] === "/",
    start: match.index,
    end: match.index + match[0].length,
  }));
}
