// The words after a command: split at spaces, with quotation marks for those that hold one.

/** The words of a text. */
export function splitWords(text: string): string[] {
  const found = text.matchAll(/"([^"]*)"|'([^']*)'|((?:\\.|[^\s\\])+)|\\/g);
  return [...found].map(([all, double, single, bare]) => double ?? single ?? bare?.replace(/\\(.)/g, "$1") ?? all);
}

/** The first word, and all that comes after it as it stands. */
export function firstWord(text: string): [word: string, rest: string] {
  const [, word = "", rest = ""] = /^\s*(\S*)\s*([\s\S]*)$/.exec(text) ?? [];
  return [word, rest.trimEnd()];
}
