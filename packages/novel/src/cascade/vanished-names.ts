// Names that a change has taken out of a level while the levels above still use them: a renamed character, most often. Pure.

import { filesWith } from "../reach/renamed.ts";
import type { Level } from "../types.ts";

const WORD = /\p{L}[\p{L}\p{M}'’-]*/gu;
const NAME = /^\p{Lu}[\p{L}\p{M}'’-]{2,}$/u;

/** The names that stood in the changed texts, stand nowhere in the level now, and still stand above; and where. One that the
 * author said goes is found wherever it stands. */
export function vanishedNames(
  before: readonly string[],
  now: readonly string[],
  above: readonly { level: Level; text: string }[],
  renamed?: string,
): { names: string[]; levels: Level[] } {
  const left = new Set(now.flatMap(wordsOf));
  const gone = new Set(before.flatMap(namesOf).filter((name) => !left.has(name)));
  const isGone = renamed !== undefined && !hasName(now.join("\n"), renamed);
  const used = above.map(({ level, text }) => ({
    level,
    names: [
      ...namesOf(text).filter(
        (name) => gone.has(name) && !(isGone && hasName(text, renamed) && renamed.includes(name)),
      ),
      ...(isGone && hasName(text, renamed) ? [renamed] : []),
    ],
  }));
  const names = [...new Set(used.flatMap((each) => each.names))].sort();
  return { names, levels: used.filter((each) => each.names.length > 0).map(({ level }) => level) };
}

function wordsOf(text: string): string[] {
  return (text.match(WORD) ?? []).map((word) => word.replace(/['’]s?$/, ""));
}

/** Words with a capital that stand so within a sentence, where only names do; languages that write others so have more. */
function namesOf(text: string): string[] {
  const found = text.matchAll(/(?<=[\p{Ll},;:"“„«'‘(]\s*["“„«'‘(]?\s?)\p{Lu}[\p{L}\p{M}'’-]{2,}/gu);
  return [...found].map(([word]) => word.replace(/['’]s?$/, "")).filter((word) => NAME.test(word));
}

function hasName(text: string, name: string): boolean {
  return filesWith(name, [{ path: "", content: text }]).length > 0;
}
