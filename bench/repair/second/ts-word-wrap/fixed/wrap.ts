export interface WrapOptions {
  width: number;
  indent?: string;
}

function* chunks(word: string, size: number): Generator<string> {
  for (let at = 0; at < word.length; at += size) {
    yield word.slice(at, at + size);
  }
}

/** Breaks a paragraph into lines of at most `width` characters, indent included. */
export function wrap(text: string, { width, indent = "" }: WrapOptions): string[] {
  const room = width - indent.length;
  if (room < 1) throw new RangeError("width leaves no room for text");

  const lines: string[] = [];
  let line = "";
  for (const word of text.split(/\s+/).filter(Boolean)) {
    for (const piece of chunks(word, room)) {
      if (line === "") {
        line = piece;
      } else if (line.length + 1 + piece.length <= room) {
        line += " " + piece;
      } else {
        lines.push(indent + line);
        line = piece;
      }
    }
  }
  if (line !== "") lines.push(indent + line);
  return lines;
}

export function wrapText(text: string, options: WrapOptions): string {
  return text
    .split(/\n{2,}/)
    .map((paragraph) => wrap(paragraph, options).join("\n"))
    .join("\n\n");
}
