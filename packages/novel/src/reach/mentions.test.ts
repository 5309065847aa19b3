// What of the feedback's own words is shown of each file: names, rare words, and nothing that every file has.

import { describe, expect, it } from "vitest";
import { begin, bookRun, prose, written } from "../../../../test/fakes/book-runs.ts";
import { authorsWords } from "../said/authors-words.ts";
import { mentionsOf } from "./mentions.ts";

const chapter = (number: number, text: string) => ({
  path: `chapters/chapter-0${number}.md`,
  content: `# Chapter ${number}\n\n${text}\n`,
});
const lines = (found: Map<string, string[]>) => [...found.values()];

it("mentions in French are found after an elision", () => {
  const files = [
    chapter(1, "L'épicière compta ses cageots. Il pleuvait."),
    chapter(2, "Il pleuvait. On parla d'Armelle, et de l’épicière."),
    chapter(3, "Il pleuvait. Rien ne vint."),
    chapter(4, "Il pleuvait encore, et Armelle dormait."),
  ];
  const found = (text: string, words: string[] = []) =>
    lines(mentionsOf([text], files, { language: "fr" }, words)).map(([first = ""]) => first.split(", ").sort());
  expect(found("Appelle l'épicière Soizic.")).toEqual([["l'épicière ×1"], ["l'épicière ×1"], [""], [""]]);
  expect(found("Le nom d'abord.", ["épicière", "Armelle"])).toEqual([
    ...[["épicière ×1"], ["Armelle ×1", "épicière ×1"], [""], ["Armelle ×1"]],
  ]);
});

describe("mentions in English", () => {
  const files = [
    chapter(1, "The rain fell. The lamp that Mara lit was dim, and the sea was loud. When it rose, she slept."),
    chapter(2, "The sea was loud. Old Ove dried the nets. He had built the lighthouse when Mara was small."),
    chapter(3, "The sea was loud. Mara slept. When she woke, the rain had gone."),
    chapter(4, "The sea was loud. The nets were dry, and Mara counted them. When would he come?"),
  ];

  it("count names, and no word that only begins a sentence or fills one", () => {
    expect(lines(mentionsOf(["The sea should be quiet when Mara wakes. When she sleeps, too."], files))).toEqual([
      ["Mara ×1"],
      ["Mara ×1"],
      ["Mara ×1"],
      ["Mara ×1"],
    ]);
  });

  it("quote the sentence of a plain word that few files have, the rarest first", () => {
    const found = lines(mentionsOf(["Take the lighthouse out"], files));
    expect(found).toEqual([[], ["lighthouse ×1", "“He had built the lighthouse when Mara was small.”"], [], []]);
    expect(lines(mentionsOf(["Let the nets be empty"], files))[3]).toEqual(["nets ×1"]);
  });

  it("count whom the feedback means by what they are, or by another part of their name", () => {
    const cast = [
      { name: "Ove Lund", about: "Mara's grandfather, who built the light" },
      { name: "Mara Holm", about: "the keeper" },
      { name: "Jon Holm", about: "her son" },
    ];
    expect(lines(mentionsOf(["Her grandfather should limp"], files, { cast }))[1]).toEqual([
      "Ove (grandfather) ×1",
      "“Old Ove dried the nets.”",
    ]);
    expect(lines(mentionsOf(["The light should fail"], files, { cast })).flat()).toEqual([]);
    const more = [...files, chapter(5, "They called for Lund, and Lund came.")];
    expect(lines(mentionsOf(["Ove limps"], more, { cast }))[4]).toEqual([
      "Lund (Ove) ×2",
      "“They called for Lund, and Lund came.”",
    ]);
    const family = [...files, chapter(5, "They called for Holm, and Holm came.")];
    expect(lines(mentionsOf(["Mara limps"], family, { cast }))[4]).toEqual([]);
  });

  it("count words that stand side by side, also where each alone is everywhere", () => {
    const books = [
      chapter(1, "The green book lay on the green table. The book was shut."),
      chapter(2, "He wrote into the green book. A book is green once."),
      chapter(3, "The green hills; a book about them."),
    ];
    expect(lines(mentionsOf(["The green book should be red"], books)).map(([first]) => first)).toEqual([
      "green book ×1",
      "green book ×1",
      undefined,
    ]);
  });

  it("tell words apart that only begin alike, and know one by its endings", () => {
    const inns = [
      chapter(1, "The landlord laughed. The landlord poured."),
      chapter(2, "The landlady took both harpoons."),
      chapter(3, "They harpooned a whale. They harpoon no more."),
      chapter(4, "Nobody sat on the chair."),
    ];
    const found = lines(mentionsOf(["The landlady should have the harpoon on a chain"], inns));
    expect(found.map(([first]) => first)).toEqual([undefined, "landlady ×1, harpoon ×1", "harpoon ×2", undefined]);
  });

  it("are looked for on request, numbers too, and each is shown once", () => {
    const found = mentionsOf(["The nets should be dry"], [chapter(8, "In 1937 the nets burned."), ...files], {}, [
      "1937",
      "net",
    ]);
    expect(lines(found)[0]).toEqual(["1937 ×1, net ×1", "“In 1937 the nets burned.”"]);
  });

  it("find an oath that is hardly a word", () => {
    const oaths = [
      chapter(1, "A d--uncomfortable thing. He dined."),
      chapter(2, "He dined."),
      chapter(3, "A d-- beast!"),
    ];
    expect(lines(mentionsOf(["The oath goes"], oaths, {}, ["d--"]))).toEqual([
      ["d-- ×1", "“A d--uncomfortable thing.”"],
      [],
      ["d-- ×1", "“A d-- beast!”"],
    ]);
  });

  it("quote a long sentence where the word stands in it", () => {
    const long = chapter(9, `He went ${"on and on ".repeat(40)}until the heron rose and left him there.`);
    const [line] = lines(mentionsOf(["Without any heron"], [long, ...files]));
    expect(line![1]).toMatch(/^“…\w+ .*until the heron rose and left him there\.”$/);
    expect(line![1]!.length).toBeLessThan(170);
  });

  it("quote for each rare word one sentence before a second for any", () => {
    const many = "A heron rose. ".repeat(3);
    const birds = [
      chapter(1, `${many}A gull cried.`),
      chapter(2, "Still."),
      chapter(3, "Still."),
      chapter(4, "Still."),
    ];
    expect(lines(mentionsOf(["No heron, no gull"], birds))[0]).toEqual([
      "heron ×3, gull ×1",
      "“A heron rose.”",
      "“A gull cried.”",
      "and in 2 more sentences",
    ]);
  });
});

describe("mentions in German", () => {
  const files = [
    chapter(1, "An einem Novembermorgen stand Jonas am Deich. Der Wind war kalt, und Jonas fror."),
    chapter(2, "Der Deich hielt. Am Abend kam Jonas heim. Die Möwen schrien, und Jonas' Vater schwieg."),
    chapter(3, "Niemand sah den Deich an diesem Novembermorgen, auch Almut nicht."),
    chapter(4, "Das Meer lag still. Der Vater ging. Jonas schlief."),
    chapter(5, "Das Meer lag still."),
  ];

  it("take no noun for a name, and quote it where it is rare", () => {
    const found = lines(mentionsOf(["Der Novembermorgen soll neblig sein, und Jonas soll zögern"], files));
    expect(found.map(([first]) => first)).toEqual([
      "Jonas ×2, Novembermorgen ×1",
      "Jonas ×2",
      "Novembermorgen ×1",
      "Jonas ×1",
      undefined,
    ]);
    expect(found[0]![1]).toContain("Novembermorgen");
    expect(found[2]![1]).toBe("“Niemand sah den Deich an diesem Novembermorgen, auch Almut nicht.”");
  });

  it("know a rare name by the list of characters", () => {
    const cast = [{ name: "Almut", about: "die Nachbarin" }];
    expect(lines(mentionsOf(["Almut soll lachen"], files, { cast, language: "de" }))[2]![0]).toBe("Almut ×1");
  });
});

it("only the author's own words are looked for, not those that the loop puts around them", async () => {
  const cascade = {
    direction: "up" as const,
    from: "prose" as const,
    levels: [],
    iteration_id: "a",
    feedback: "Jonas limps",
  };
  expect(authorsWords({ feedback: ["Bring the chapters in line"], cascade })).toEqual(["Jonas limps"]);
  expect(authorsWords({ feedback: ['The storm (said of "Better", when asked "Which scene?")'] })).toEqual([
    "The storm",
  ]);
  const { test, scripted } = await bookRun({
    files: {
      ...written,
      "project.yaml": `${written["project.yaml"]}language: de\n`,
      "chapters/chapter-02.md": prose(2, "A gull cried."),
    },
    script: {
      reach: [{ json: { files: [{ file: "chapter-2", why: "die Möwe" }] } }],
      "revise-prose": [prose(2, "No gull.")],
    },
  });
  await begin(test, { target: "prose", feedback: ["The gull should be silent"] });
  const { text } = scripted.asked("reach")[0]!;
  expect(text).toContain("A gull cried.”");
  expect(text).toContain("in German");
  expect(text).not.toContain("The ×");
});
