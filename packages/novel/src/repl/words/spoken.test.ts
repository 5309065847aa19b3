import { describe, expect, it } from "vitest";
import { gates } from "../../gates.ts";
import { readChange } from "../../reach/words.ts";
import { plainAnswer } from "./answer-words.ts";
import { answerLine, confirmWords, isForAccept, plainLineOf, readSpoken } from "./spoken.ts";

const accept = { name: "accept", choices: ["yes", "no", "diff"] };
const downstream = { name: "downstream", choices: ["cull-all", "keep-all", "cancel"] };

describe("readSpoken", () => {
  it.each([
    ["yes, but bring the brother back", "yes", "bring the brother back"],
    ["Yes but bring the brother back", "yes", "bring the brother back"],
    ["no, because it is too cute", "no", "it is too cute"],
    ["no: it is too cute", "no", "it is too cute"],
    ["n, it is too cute", "no", "it is too cute"],
    ["no — too cute,\nand too long", "no", "too cute,\nand too long"],
    ["ok, but shorter", "yes", "shorter"],
  ])("takes '%s' as a choice and what was said with it", (line, choice, note) => {
    expect(readSpoken(accept, line)).toEqual({ choice, note });
  });

  it.each([
    "yes",
    "no",
    "diff",
    "no, wait",
    "yes please now",
    "Yes, perfect!",
    "yes, of course",
    "maybe, but later on",
    "the brother, he should stay",
    "",
  ])("leaves '%s' to the gate", (line) => expect(readSpoken(accept, line)).toBeUndefined());

  it("knows a gate's own words, and no gate at which nothing can be said", () => {
    expect(readSpoken(downstream, "keep-all, but leave chapter 9 alone")).toEqual({
      choice: "keep-all",
      note: "leave chapter 9 alone",
    });
    for (const line of ["yes, please", "yes, but quickly", "no, but leave chapter 9 alone"])
      expect(readSpoken(downstream, line), line).toBeUndefined();
    expect(readSpoken({ name: "detail", choices: ["all", "skip"] }, "skip, because I know it")).toBeUndefined();
  });
});

describe("what is reached, in words", () => {
  const reach = { name: "reach", choices: ["yes", "all", "add", "drop", "cancel"] };

  it.each([
    ["ajoute le 4", "fr", "add: le 4"],
    ["enlève le chapitre 4", "fr", "drop: le chapitre 4"],
    ["sauf 4", "fr", "drop: 4"],
    ["ohne 4, weil es passt", "de", "drop: 4, weil es passt"],
    ["sauf le 4", "fr", "drop: le 4"],
    ["add 4", undefined, "add 4"],
    ["without a doubt", undefined, "without a doubt"],
  ])("'%s' (%s) is '%s'", (line, language, answer) => {
    expect(answerLine(reach, line, language)).toBe(answer);
  });

  it.each(["aussi le 4", "pas 4", "pas le chapitre 4", "not 6", "auch 4", "sauf le 4", "except for 6"])(
    "'yes, but %s' changes the list",
    (note) => {
      expect(confirmWords(reach, { choice: "yes", note })).toContain("and ask again");
      expect(
        readChange(
          note,
          [4, 6].map((number) => `chapters/chapter-0${number}.md`),
        ),
      ).toBeDefined();
    },
  );

  it("a note that names no file is one", () => {
    expect(confirmWords(reach, { choice: "yes", note: "not so loud" })).toContain("into account");
  });
});

describe("the question about the texts", () => {
  const detail = { name: "detail", choices: ["chapter-4", "all", "skip"] };

  it("and that about variants take a courtesy for nothing", () => {
    const variant = { name: "variant", choices: ["1", "2", "parts", "none"] };
    for (const line of ["take 1, please", "1, please", "la 1, s'il te plaît", "prends la 1"])
      expect(answerLine(variant, line, "fr"), line).toBe("1");
    expect(readSpoken(variant, "prends la 2, mais sans le vent", "fr")).toEqual({ choice: "2", note: "sans le vent" });
  });

  it("takes a chapter as it is called in the book's language", () => {
    for (const line of ["chapitre 4", "chapter 4", "4", "chapter-4"])
      expect(answerLine(detail, line, "fr"), line).toBe("chapter-4");
    expect(answerLine(detail, "bien sûr", "fr")).toBe("yes");
  });

  it("and that about what is kept takes its own words", () => {
    const kept = { name: "kept", choices: ["release", "leave", "stop"] };
    for (const [line, choice] of [
      ["leave it", "leave"],
      ["Release it", "release"],
      ["leave it and do the rest", "leave"],
    ])
      expect(answerLine(kept, line!), line).toBe(choice);
    expect(answerLine(kept, "lascialo e fai il resto", "it")).toBe("leave");
    expect(answerLine(kept, "Freigeben", "de")).toBe("release");
  });

  it("hands an answer in words to the question that follows it", () => {
    expect(isForAccept(detail, "no, because it is too cute")).toBe(true);
    expect(isForAccept(detail, "oui, mais plus court", "fr")).toBe(true);
    for (const line of ["no", "yes", "chapter-4", "skip"]) expect(isForAccept(detail, line), line).toBe(false);
    expect(isForAccept({ ...detail, name: "accept" }, "no, because it is too cute")).toBe(false);
  });
});

describe("readSpoken in the book's language", () => {
  it.each([
    ["de", "ja, aber kürzer", "yes", "kürzer"],
    ["de", "Nein, weil es zu niedlich ist", "no", "weil es zu niedlich ist"],
    ["fr", "oui, mais plus court", "yes", "plus court"],
    ["fr", "d'accord, mais reste sobre", "yes", "reste sobre"],
    ["fr", "d’accord, mais reste sobre", "yes", "reste sobre"],
    ["fr", "oui, sauf le 1", "yes", "sauf le 1"],
    ["en", "yes, except chapter 3", "yes", "except chapter 3"],
    ["en", "yes, only the second one", "yes", "only the second one"],
    ["fr", "non, parce qu'il pleut trop", "no", "il pleut trop"],
    ["es", "sí, pero más corto", "yes", "más corto"],
    ["it", "sì, ma più breve", "yes", "più breve"],
    ["pt", "não, porque é longo", "no", "é longo"],
    ["nl", "nee, omdat het regent", "no", "omdat het regent"],
    ["pl", "tak, ale krócej", "yes", "krócej"],
    ["sv", "nej, eftersom det regnar", "no", "eftersom det regnar"],
    ["ru", "да, но короче", "yes", "короче"],
    ["de", "no, because it is too cute", "no", "it is too cute"],
  ])("%s: '%s'", (language, line, choice, note) => {
    expect(readSpoken(accept, line, language)).toEqual({ choice, note });
  });

  it("knows a plain yes and no, and those of no other language", () => {
    expect(["Ja", "nein.", "yes", "alle", "oui"].map((line) => plainAnswer(line, "de-AT"))).toEqual([
      ...["yes", "no", "yes", "all", "oui"],
    ]);
    expect(readSpoken(accept, "ja, aber kürzer", "fr")).toBeUndefined();
  });

  it("knows the choices that every question has", () => {
    const said = {
      de: "weiter",
      fr: "passer",
      es: "saltar",
      it: "salta",
      pt: "pular",
      nl: "overslaan",
      ru: "пропустить",
    };
    for (const [language, word] of Object.entries(said)) expect(plainAnswer(word, language), word).toBe("skip");
    expect(["tieni tutto", "a cascata", "Uno alla volta.", "alla fine"].map((line) => plainAnswer(line, "it"))).toEqual(
      [...["keep-all", "cascade", "each", "end"]],
    );
    expect(["Annulla", "basta!", "annulla, grazie"].map((line) => plainAnswer(line, "it"))).toEqual([
      ...["cancel", "stop", "cancel"],
    ]);
    expect(readSpoken({ name: "reach", choices: ["yes", "cancel"] }, "annulla, perché è troppo presto", "it")).toEqual({
      ...{ choice: "cancel", note: "è troppo presto" },
    });
  });
});

describe("an answer with a courtesy", () => {
  it.each([
    ["en", "yes please", "yes"],
    ["en", "Sure, go ahead!", "yes"],
    ["en", "no, thanks", "no"],
    ["de", "ja, bitte", "yes"],
    ["de", "Ja gern, danke.", "yes"],
    ["de", "nein, danke", "no"],
    ["fr", "oui, s’il te plaît", "yes"],
    ["es", "sí, por favor", "yes"],
    ["it", "no, grazie", "no"],
    ["it", "va bene, sì", "yes"],
    ["it", "Va bene.", "yes"],
    ["en", "ok, no", "no"],
    ["de", "Danke, nein", "no"],
    ["pt", "sim, por favor", "yes"],
    ["nl", "ja graag", "yes"],
    ["pl", "tak, proszę", "yes"],
    ["sv", "nej tack", "no"],
    ["ru", "да, пожалуйста", "yes"],
  ])("%s: '%s' is the plain answer", (language, line, choice) => {
    expect(plainAnswer(line, language)).toBe(choice);
    expect(readSpoken(accept, line, language)).toBeUndefined();
  });

  it("is no plain one where more is said, and a courtesy alone is none", () => {
    expect(readSpoken(accept, "no, please make it darker")).toEqual({ choice: "no", note: "please make it darker" });
    expect(plainAnswer("bitte", "de")).toBe("bitte");
  });
});

describe("readSpoken at other gates", () => {
  const reach = { name: "reach", choices: ["yes", "all", "add", "drop", "cancel"] };
  const variant = { name: "variant", choices: ["1", "2", "parts", "none"] };

  it.each([
    [reach, "yes, but keep the dog", "yes", "keep the dog"],
    [reach, "no, because it is chapter 4", "cancel", "it is chapter 4"],
    [variant, "take 2, but shorter", "2", "shorter"],
    [variant, "nimm Variante 2, aber kürzer", "2", "kürzer"],
    [variant, "none, because all are cute", "none", "all are cute"],
    [variant, "no, because all are cute", "none", "all are cute"],
  ])("%o: '%s'", (gate, line, choice, note) => {
    expect(readSpoken(gate, line, "de")).toEqual({ choice, note });
  });

  it.each(["add 4", "drop 6, because it is fine"])("leaves '%s' to the gate", (line) => {
    expect(readSpoken(reach, line)).toBeUndefined();
  });

  it("reads the number alone out of a sentence", () => {
    expect(plainLineOf(variant, "take variant 2")).toBe("2");
    for (const line of ["parts 2:1-2 1:9", "parti 2:1-2 1:9", "prendi le parti 2:1-2 1:9", "nimm die Teile 2:1-2 1:9"])
      expect(plainLineOf(variant, line), line).toBe("parts 2:1-2 1:9");
  });
});

describe("answerLine", () => {
  const detail = { name: "detail", choices: ["chapter-2", "all", "skip"] };
  const variant = { name: "variant", choices: ["1", "2", "parts", "none"] };

  it("takes no at the question about the texts, in any language that is known", () => {
    for (const line of ["nein", "no", "Nein.", "keine"])
      expect(gates.detail!.synonyms![answerLine(detail, line, "de")], line).toBe("skip");
  });

  it("gives what fits nothing as it was typed, so that it is quoted so", () => {
    expect(answerLine({ name: "unreadable", choices: ["again", "accept", "stop"] }, "nein", "de")).toBe("nein");
    expect(answerLine(variant, "nimm 7", "de")).toBe("nimm 7");
    expect(answerLine(variant, "nimm 2", "de")).toBe("2");
    expect(answerLine(accept, "ja", "de")).toBe("yes");
  });
});

describe("confirmWords", () => {
  it("says in one line what is about to be done", () => {
    expect(confirmWords(accept, { choice: "yes", note: "bring\nhim back" })).toBe(
      'Accept, and then go on with "bring him back"?',
    );
    expect(confirmWords(accept, { choice: "no", note: "too cute" })).toBe(
      'Reject, and try again with "too cute"? stop makes no other attempt and keeps that as the reason; no asks again.',
    );
    expect(confirmWords(accept, { choice: "stop", note: "too cute" })).toBe(
      'Reject for good, and keep your reason "too cute"?',
    );
    const long = "word ".repeat(100).trim();
    expect(confirmWords(accept, { choice: "yes", note: long })).toContain(long);
    expect(confirmWords({ name: "continue", choices: [] }, { choice: "no", note: "x y" })).toContain(
      "Make no other attempt",
    );
  });
});
