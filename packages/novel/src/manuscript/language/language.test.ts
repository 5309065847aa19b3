import { describe, expect, it } from "vitest";
import { blankLevel } from "../begin.ts";
import { readBeat } from "../format/chapters.ts";
import { checkFormat } from "../format/format.ts";
import { countedTitle, readChapterTitle } from "./chapter-title.ts";
import { detectLanguage } from "./detect.ts";
import { headingsOf } from "./headings.ts";
import { bookWords } from "./words.ts";

describe("the language of a text", () => {
  it.each([
    ["en", "A lighthouse keeper must choose whom the light is for when the last ship comes."],
    ["de", "Ein Leuchtturmwärter muss entscheiden, für wen das Licht brennt, als das letzte Schiff kommt."],
    ["fr", "Une gardienne de phare doit choisir pour qui brille la lumière quand le dernier navire arrive."],
    ["es", "Una guardiana del faro debe elegir para quién brilla la luz cuando llega el último barco."],
    ["it", "La guardiana del faro deve scegliere per chi brilla la luce quando arriva l'ultima nave."],
    ["pt", "Uma faroleira deve escolher para quem brilha a luz quando chega o último navio, mas não quer."],
    ["nl", "Een vuurtorenwachter moet kiezen voor wie het licht brandt als het laatste schip komt."],
    ["ru", "Смотритель маяка должен решить, для кого горит свет."],
    ["ja", "灯台守は、誰のために光を灯すのかを選ばなければならない。"],
    ["zh", "守塔人必须决定灯光为谁而亮。"],
    ["ar", "على حارس المنارة أن يختار لمن يضيء النور."],
  ])("is told from its words or its script: %s", (tag, text) => {
    expect(detectLanguage(text)).toBe(tag);
  });

  it.each(["", "42", "Marcus Vell", "xyzzy plugh"])("is not guessed where nothing tells it: '%s'", (text) => {
    expect(detectLanguage(text)).toBeUndefined();
  });
});

describe("the form of a book's levels", () => {
  it.each(Object.keys(bookWords))("is sound in %s, with the headings of that language", (language) => {
    const project = { title: "T", language };
    const options = { previous: [], project, isFirst: true, chapters: 1 };
    const files = blankLevel("chapters", project).map(({ path, content }) => ({
      path,
      content: content.replace(/^(## .*)$/gm, "$1\n\nText."),
    }));
    expect(checkFormat("chapters", files, options)).toEqual([]);
    expect(readBeat(files[1]!.content, "Key Events")).toBe("Text.");
    const [treatment] = blankLevel("treatment", project);
    const filled = { path: treatment!.path, content: treatment!.content.replace(/^(## .*)$/gm, "$1\n\nSo it goes.") };
    expect(checkFormat("treatment", [filled], options)).toEqual([]);
  });

  it("has English headings where the language is not known", () => {
    expect(headingsOf("tlh").hook).toBe("Hook");
    expect(headingsOf("de-AT").chapter).toBe("Kapitel");
  });
});

describe("a chapter's number", () => {
  it.each([
    ["Chapter 12: The Fire", 12],
    ["Kapitel 3", 3],
    ["Chapitre IV. La Nuit", 4],
    ["第7章", 7],
    ["Capítulo 9 – El faro", 9],
  ])("is found in '%s'", (title, number) => {
    expect(readChapterTitle(title)?.number).toBe(number);
    expect(countedTitle(title)).toBe(number);
  });

  it("is not taken from a year or a word", () => {
    expect(countedTitle("1984")).toBeUndefined();
    expect(readChapterTitle("Chapter and Verse")).toBeUndefined();
    expect(readChapterTitle("Kapitell")).toBeUndefined();
  });
});
