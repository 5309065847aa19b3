// Words in quotation marks, however a language writes them: "…", “…”, „…“, »…«, «…».

const QUOTED = '"([^"]+)"|“([^”]+)”|„([^“”"]+)[“”"]|»([^«]+)«|«([^»]+)»';

/** What stands in quotation marks in a text. */
export function quotedIn(text: string): string[] {
  return Array.from(text.matchAll(new RegExp(QUOTED, "gu")), innerOf);
}

/** What a text begins with, where that is in quotation marks, and what follows; undefined where it is not. */
export function readQuoted(text: string): { words: string; rest: string } | undefined {
  const found = new RegExp(`^(?:${QUOTED})`, "u").exec(text.trim());
  return found ? { words: innerOf(found), rest: text.trim().slice(found[0].length).trim() } : undefined;
}

function innerOf([, ...groups]: RegExpMatchArray): string {
  return (groups.find((each) => each !== undefined) ?? "").trim();
}
