// Feedback on prose that wants other chapters, not other words in them: no writer of a chapter can do that, and a command can. Only
// plain cases are read.

const CHAPTERS = "(?:chapters?|kapitel|chapitres?|cap[ií]tulos?|capitoli|capitolo)";
const AND = "\\s*(?:,|–|-|and|und|et|y|e|to|with|mit|avec)\\s*";
const TWO = `${CHAPTERS} (\\d{1,4})${AND}(?:${CHAPTERS} )?(\\d{1,4})`;
/** Nothing more is said of the chapter than that. */
const ALONE = "(?=\\s*(?:$|[.,;!]|in two|into two|in zwei|en deux|en dos|in due))";

const REQUESTS: readonly (readonly [pattern: RegExp, command: (first: string, second: string) => string])[] = [
  [
    new RegExp(`\\b(?:merge|combine|join|fuse|fusionne[rz]?|verbinde|vereine|une) (?:the |die |les |los )?${TWO}`, "i"),
    merge,
  ],
  [
    new RegExp(
      `${TWO}\\b[^\\n]{0,120}\\b(?:one chapter|(?:a|in(?:to)? a) single chapter|into one|zusammenlegen|zu einem kapitel|en un seul chapitre|en un solo cap[ií]tulo)\\b`,
      "i",
    ),
    merge,
  ],
  [
    new RegExp(`^\\s*(?:split|divide|teile|coupe|divise|divide) ${CHAPTERS} (\\d{1,4})${ALONE}`, "i"),
    (n) => `/split ${n}`,
  ],
  [
    new RegExp(`^\\s*(?:drop|delete|remove|cut|streiche|lösche|supprime|elimina) ${CHAPTERS} (\\d{1,4})${ALONE}`, "i"),
    (n) => `/drop ${n}`,
  ],
];

function merge(first: string, second: string): string {
  return Number(second) === Number(first) + 1 ? `/merge ${first} ${second}` : "/merge";
}

/** The command that does what feedback asks of the chapters themselves; undefined where it asks for something else. */
export function structureRequest(feedback: readonly string[]): string | undefined {
  if (feedback.length !== 1) return undefined;
  for (const [pattern, command] of REQUESTS) {
    const [, first, second = ""] = pattern.exec(feedback[0]!) ?? [];
    if (first !== undefined) return command(first, second);
  }
  return undefined;
}
