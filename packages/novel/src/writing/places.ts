// Where a passage stands in a text. White space, straight or curly quotation marks, and accents that are signs of their own
// make no difference; everything else does.

export interface Place {
  from: number;
  to: number;
}

/** The signs of a text that tell it from another. */
export interface Letters {
  whole: string;
  text: string;
  /** Where each sign of `text` begins and ends in the whole. */
  starts: number[];
  ends: number[];
}

/** A text without white space, with straight quotation marks and each accent as part of its letter. */
export function lettersOf(whole: string): Letters {
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
export function placesOf(passage: string, { whole, text, starts, ends }: Letters): Place[] {
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
export function withoutPlace(text: string, { from, to }: Place): string {
  const [before, after] = [text.slice(0, from), text.slice(to)];
  const [lead, tail] = [before.slice(before.trimEnd().length), after.slice(0, after.length - after.trimStart().length)];
  const beginsParagraph = lead === before || isBreak(lead);
  const endsParagraph = tail === after || (isBreak(tail) && !beginsParagraph);
  return endsParagraph ? before.trimEnd() + after : before + after.trimStart();
}

function isBreak(space: string): boolean {
  return /\n\s*\n/.test(space);
}
