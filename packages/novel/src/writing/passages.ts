// A text that is revised by its passages, each as it stands and with what stands there instead:
//
//   ===PASSAGE===
//   …
//   ===BECOMES===
//   …                              nothing: the passage goes
//   ===END PASSAGE===
//
// What no passage quotes stays byte for byte. To find one, white space, straight or curly quotation marks, and accents that are signs of their
// own make no difference; everything else does.

import { plainLines, sectionsOf, shorten } from "../manuscript/words.ts";

interface Passage {
  quoted: string;
  becomes: string;
}

const MARK = /^[ \t>*`]*={3,}[ \t]*(PASSAGE|BECOMES|END)(?:[ \t]+PASSAGE)?[ \t]*={3,}[ \t*`]*$/i;
const ANY_MARK = /^[ \t>*`]*={3,}[ \t]*(?:PASSAGE|BECOMES|END[ \t]+PASSAGE)\b/im;
/** A writer's remark beside the blocks; what is longer is text that has lost its place. */
const LONGEST_REMARK = 400;

/** Whether an answer is one of passages. */
export function hasPassages(answer: string): boolean {
  return ANY_MARK.test(plainLines(answer));
}

/** A text with the passages of an answer replaced, or what is wrong with them. */
export function revisePassages(answer: string, standing: string): { content?: string; problems: string[] } {
  const { passages, problems } = splitPassages(plainLines(answer));
  if (problems.length > 0) return { problems };
  const letters = lettersOf(standing);
  const places = passages.flatMap((passage) => {
    const found = placesOf(passage.quoted, letters);
    if (found.length === 1) return { ...passage, ...found[0]! };
    problems.push(
      found.length === 0
        ? `The passage ${named(passage)} does not stand in the text: quote it as it stands there, to the letter and without a gap, or give the text whole.`
        : `The passage ${named(passage)} stands in the text ${found.length} times: quote more of what is around it, so that it stands there once.`,
    );
    return [];
  });
  places.sort((a, b) => a.from - b.from);
  for (const [at, next] of places.slice(1).entries()) {
    const last = places[at]!;
    if (next.from < last.to)
      problems.push(`The passages ${named(last)} and ${named(next)} overlap: quote them in one block.`);
  }
  if (problems.length > 0) return { problems };
  const lineEnd = standing.includes("\r\n") ? "\r\n" : "\n";
  // From the end, so that the places before stay where they are.
  const content = places.reduceRight((text, { becomes, ...place }) => {
    if (becomes === "") return withoutPlace(text, place);
    return text.slice(0, place.from) + becomes.replaceAll("\n", lineEnd) + text.slice(place.to);
  }, standing);
  return { content, problems };
}

function splitPassages(answer: string): { passages: Passage[]; problems: string[] } {
  const passages: Passage[] = [];
  const problems: string[] = [];
  const outside: string[] = [];
  let open: { quoted: string[]; becomes?: string[] } | undefined;
  const close = (hasEnd: boolean) => {
    if (!open) return;
    const passage = { quoted: open.quoted.join("\n").trim(), becomes: open.becomes?.join("\n").trim() ?? "" };
    if (!open.becomes)
      problems.push(`The block of ${named(passage)} has no ===BECOMES===: give each block with its three marks.`);
    else if (!hasEnd)
      problems.push(`The block of ${named(passage)} has no ===END PASSAGE===: give each block to its end.`);
    else if (passage.quoted === "") problems.push("A block quotes nothing between ===PASSAGE=== and ===BECOMES===.");
    passages.push(passage);
    open = undefined;
  };
  for (const line of answer.split("\n")) {
    const mark = MARK.exec(line)?.[1]?.toUpperCase();
    if (mark === undefined) (open?.becomes ?? open?.quoted ?? outside).push(line);
    else if (mark === "END") close(true);
    else if (mark === "PASSAGE") {
      close(false);
      open = { quoted: [] };
    } else if (!open) problems.push("Before a ===BECOMES=== there is no ===PASSAGE===.");
    else if (open.becomes) problems.push("A block has two ===BECOMES===: give each passage a block of its own.");
    else open.becomes = [];
  }
  close(false);
  const beside = outside.join("\n").trim();
  if (beside.length > LONGEST_REMARK || sectionsOf(beside).length > 0)
    problems.push("The answer has text outside its blocks: give the passages alone, or the whole text alone.");
  if (passages.length + problems.length === 0) problems.push("Each mark of a passage stands on a line of its own.");
  return { passages, problems };
}

function named({ quoted }: Passage): string {
  return `'${shorten(quoted, 60)}'`;
}

interface Place {
  from: number;
  to: number;
}

/** The signs of a text that tell it from another. */
interface Letters {
  whole: string;
  text: string;
  /** Where each sign of `text` begins and ends in the whole. */
  starts: number[];
  ends: number[];
}

/** A text without white space, with straight quotation marks and each accent as part of its letter. */
function lettersOf(whole: string): Letters {
  const letters: Letters = { whole, text: "", starts: [], ends: [] };
  for (const { 0: sign, index } of whole.matchAll(/\S\p{M}*/gu)) {
    const plain = sign
      .normalize("NFC")
      .replace(/[“”„‟]/, '"')
      .replace(/[‘’‚‛]/, "'");
    letters.text += plain;
    for (let unit = 0; unit < plain.length; unit++) {
      letters.starts.push(index);
      letters.ends.push(index + sign.length);
    }
  }
  return letters;
}

/** Where a passage stands, but not as a part of a word. */
function placesOf(passage: string, { whole, text, starts, ends }: Letters): Place[] {
  const quoted = lettersOf(passage).text;
  const places: Place[] = [];
  if (quoted === "") return places;
  for (let at = text.indexOf(quoted); at >= 0; at = text.indexOf(quoted, at + 1)) {
    const [from, to] = [starts[at]!, ends[at + quoted.length - 1]!];
    if (!isInWord(whole, from) && !isInWord(whole, to)) places.push({ from, to });
  }
  return places;
}

function isInWord(text: string, at: number): boolean {
  const [before, after] = [text.slice(Math.max(0, at - 3), at), text.slice(at, at + 2)];
  return /[\p{L}\p{N}]\p{M}?$/u.test(before) && /^[\p{L}\p{N}]/u.test(after);
}

/** A text without a place in it, nor the white space that parted it from its neighbors. */
function withoutPlace(text: string, { from, to }: Place): string {
  const [before, after] = [text.slice(0, from), text.slice(to)];
  const [lead, tail] = [before.slice(before.trimEnd().length), after.slice(0, after.length - after.trimStart().length)];
  const beginsParagraph = lead === before || isBreak(lead);
  const endsParagraph = tail === after || (isBreak(tail) && !beginsParagraph);
  return endsParagraph ? before.trimEnd() + after : before + after.trimStart();
}

function isBreak(space: string): boolean {
  return /\n\s*\n/.test(space);
}
