// The book that iterations are measured on: 30 chapters of 3,000 words, seeded, of common English words, so that a word
// is about as many tokens as in a real one. Every third paragraph names Marcus. Fixed before anything was tuned on it.

export interface File {
  path: string;
  content: string;
}

export const CHAPTERS = 30;
export const WORDS = 3_000;
const PARAGRAPH = 75;
const SEED = 22;

const words =
  "the a of and to in that he she it was had with on at by from but not they what all were when there out up into said which then them been if no could would about like over after back down only other time made before must through way where much your down should because long little very still own see work down life here between good each those people take day same right look think also around another came come three small set put end why again turn every move live found answer grow study still learn house page letter river morning night window door table lamp road hand voice rain winter silence stone bread street stair field horse paper coat key boat water light shadow bell wall garden corner floor kitchen station bridge market glass chair smoke engine captain sister brother mother father child doctor soldier teacher stranger neighbour quiet cold heavy narrow empty bright slow sudden broken distant familiar careful tired angry gentle patient walked stood waited listened opened closed carried remembered forgot watched answered laughed turned lifted folded counted whispered followed crossed climbed reached touched held dropped wrote burned promised refused believed wondered".split(
    " ",
  );

/** A paragraph; every third of a chapter has a name in it. */
function paragraph(seed: number, name: string): string {
  const random = numbers(seed);
  const sentences: string[] = [];
  for (let left = PARAGRAPH; left > 0; ) {
    const length = Math.min(left, 7 + Math.floor(random() * 11));
    const list = Array.from({ length }, () => words[Math.floor(random() * words.length)]!);
    if (name !== "" && sentences.length === 1) list[Math.floor(length / 2)] = name;
    sentences.push(`${list[0]![0]!.toUpperCase()}${list.join(" ").slice(1)}.`);
    left -= length;
  }
  return sentences.join(" ");
}

/** A chapter of prose; another `seed` gives the same chapter in other words. */
export function chapter(number: number, seed = SEED): File {
  const count = WORDS / PARAGRAPH;
  const paragraphs = Array.from({ length: count }, (_, at) =>
    paragraph(seed * 1_000_003 + number * 1_009 + at, at % 3 === 1 ? "Marcus" : ""),
  );
  return {
    path: `chapters/${nameOf(number)}`,
    content: `# Chapter ${number}: Day ${number}\n\n${paragraphs.join("\n\n")}\n`,
  };
}

function beats(number: number): File {
  const parts = ["Act", "POV", "Key Events", "Character Development", "Emotional Beat", "New Information", "Hook"];
  const text = (at: number) => (at === 1 ? "Marcus" : words20(number * 31 + at));
  const body = parts.map((part, at) => `## ${part}\n\n${text(at)}\n`).join("\n");
  return { path: `chapter-beats/${nameOf(number)}`, content: `# Chapter ${number}: Day ${number}\n\n${body}` };
}

/** All files of the book. */
export function book(): File[] {
  const numbersOf = Array.from({ length: CHAPTERS }, (_, at) => at + 1);
  const many = (count: number, seed: number) =>
    Array.from({ length: count }, (_, at) => paragraph(seed + at, "")).join("\n\n");
  const premise = {
    ...{ title: "The Mill", logline: words20(1), premise: paragraph(2, "Marcus"), genre: "fantasy", themes: ["duty"] },
    ...{ tone: "hopeful", setting: words20(3), antagonist: "the magistrate", stakes: words20(4), hook: words20(5) },
    protagonist: { name: "Marcus", want: words20(6), need: words20(7), flaw: "pride" },
  };
  return [
    { path: "premise/premise_metadata.json", content: `${JSON.stringify(premise, null, 2)}\n` },
    {
      path: "treatment/treatment.md",
      content: `# The Mill\n\n${[1, 2, 3].map((act) => `## Act ${act}\n\n${many(7, act * 97)}`).join("\n\n")}\n`,
    },
    {
      path: "chapter-beats/foundation.md",
      content: `# Foundation\n\n## Metadata\n\n${many(1, 11)}\n\n## Characters\n\nMarcus, a miller. ${many(1, 12)}\n\n## World\n\n${many(1, 13)}\n`,
    },
    ...numbersOf.map(beats),
    ...numbersOf.map((number) => chapter(number)),
  ];
}

function words20(seed: number): string {
  const random = numbers(seed * 7_919);
  return `${Array.from({ length: 20 }, () => words[Math.floor(random() * words.length)]!).join(" ")}.`;
}

function nameOf(number: number): string {
  return `chapter-${String(number).padStart(2, "0")}.md`;
}

/** Mulberry32. */
function numbers(seed: number): () => number {
  let state = (seed * 2654435769) | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}
