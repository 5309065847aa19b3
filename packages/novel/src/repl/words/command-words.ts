// The words after a command, split at spaces, with quotation marks for those that hold one, as in `what="a gray scar"`.

/** The words of a text. */
export function splitWords(text: string): string[] {
  const found = text.matchAll(
    /([\p{L}\p{N}_-]+=)?(?:"([^"]*)"|'([^']*)'|“([^”]*)”|„([^“”"]*)[“”"]|»([^«]*)«|«([^»]*)»)|((?:\\.|[^\s\\])+)|\\/gu,
  );
  return [...found].map(([all, name = "", ...groups]) => {
    const bare = groups.pop();
    const quoted = groups.find((each) => each !== undefined);
    return quoted === undefined ? (bare?.replace(/\\(.)/g, "$1") ?? all) : name + quoted;
  });
}

/** The first word, and all that comes after it as it stands. */
export function firstWord(text: string): [word: string, rest: string] {
  const [, word = "", rest = ""] = /^\s*(\S*)\s*([\s\S]*)$/.exec(text) ?? [];
  return [word, rest.trimEnd()];
}
