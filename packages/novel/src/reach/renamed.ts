// Feedback that replaces a name by another, and the files that have it.

import type { FileBlock } from "../types.ts";

const NAME = "[“„»«\"'‘]?(\\p{Lu}[\\p{L}\\p{M}’'-]*(?: \\p{Lu}[\\p{L}\\p{M}’'-]*)*)[”“«»\"'’]?";
/** A name that only stands there: the one to come. */
const OTHER = NAME.replace("(\\p{Lu}", "(?:\\p{Lu}");
const NOW = "(?:now|from now on|jetzt|nun|ab jetzt|künftig|fortan|von nun an)";

/** Ways to say that a name is replaced; the group is the one that goes. */
const PATTERNS = [
  `rename (?:the character |the place )?${NAME} (?:to|into|as)\\b`,
  `change (?:the name (?:of )?|the character name )${NAME} (?:to|into)\\b`,
  `change ${NAME}['’]s name (?:to|into)\\b`,
  `(?:called|named) ${OTHER},? (?:instead of|and not|not|rather than) ${NAME}`,
  `call ${NAME} ${OTHER} (?:from now on|instead|throughout|everywhere)\\b`,
  `${NAME} (?:should|shall|must|is to|will|is) (?:${NOW} )?(?:be )?(?:called|named|renamed(?: to)?) ${OTHER}`,
  `replace the name ${NAME} (?:by|with)\\b`,
  `re(?:nomme|baptise)[rz]? (?:le personnage |le lieu )?${NAME} en\\b`,
  `remplace[rz]? (?:le nom )?(?:de )?${NAME} par ${OTHER}`,
  `r(?:enombra|inomina|enomeia) (?:a )?${NAME} (?:como|en|por|in|a|para)\\b`,
  `heißen?,? (?:statt|nicht|anstatt|anstelle von) ${NAME}`,
  `${NAME} heißt (?:${NOW}|ab (?:sofort|hier)) ${OTHER}`,
  `${NAME} soll (?:${NOW} |ab sofort )?${OTHER} heißen`,
  `(?:be)?nenne? (?:die Figur |den Ort )?${NAME} in ${OTHER} um`,
  `${NAME} (?:wird|soll) (?:${NOW} )?in ${OTHER} umbenannt`,
].map((source) => new RegExp(`(?<![\\p{L}\\p{N}])${anyCase(source)}`, "u"));

/** Words with a capital that only begin a sentence. */
const NO_NAME = /^(?:The|She|He|It|They|I|Der|Die|Das|Den|Sie|Er|Es|Ich)(?: |$)/;

/** A first letter that may be a capital too: names are told apart by theirs, so nothing else is folded. */
function anyCase(source: string): string {
  return source
    .replace(/^([a-z])/, (_, letter: string) => `[${letter}${letter.toUpperCase()}]`)
    .replace(/^\(\?:be\)\?n/, "(?:[Bb]en|[Nn])");
}

/** The name that feedback wants replaced; undefined where it asks for something else. */
export function renamedName(feedback: readonly string[]): string | undefined {
  if (feedback.length !== 1) return undefined;
  for (const pattern of PATTERNS) {
    const found = pattern.exec(feedback[0]!)?.[1];
    if (found === undefined || NO_NAME.test(found)) continue;
    // "Call Captain Hunt Captain Vane": where its first word comes again, the other name begins.
    return found.replace(/['’]s?$/, "").replace(/^((\S+) .*?) \2(?: .*)?$/, "$1");
  }
  return undefined;
}

/** The files that have a name, word for word. */
export function filesWith(name: string, files: readonly FileBlock[]): string[] {
  const pattern = new RegExp(
    `(?<![\\p{L}\\p{N}])${name.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")}(?![\\p{L}\\p{N}])`,
    "u",
  );
  return files.filter(({ content }) => pattern.test(content)).map(({ path }) => path);
}
