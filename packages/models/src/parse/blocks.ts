// Fenced blocks: what an answer or a document sets apart between lines of backticks or tildes.
//
// A fence that opens with a language while another one of no greater length is open means that the first was never
// closed: what it holds is cut, and is never taken for whole.

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
    if (open && !covers(fence.mark, open.mark)) continue;
    const closes = open !== undefined && fence.language === "";
    if (open) pairs.push({ open, close: closes ? fence : undefined, cut: fence.start });
    open = closes ? undefined : fence;
  }
  if (open) pairs.push({ open, close: undefined, cut: length });
  return pairs;
}

function covers(mark: string, open: string): boolean {
  return mark[0] === open[0] && mark.length >= open.length;
}

/** A block inside a list is indented as a whole. */
function outdent(body: string, indent: string): string {
  if (indent === "") return body;
  const lines = body.split("\n");
  return lines.map((line) => (line.startsWith(indent) ? line.slice(indent.length) : line)).join("\n");
}
