import { describe, expect, it } from "vitest";
import { mustBeWeighed } from "../phases/weigh.ts";
import { NovelTask } from "../task.ts";
import { readCondition } from "./conditions.ts";
import { isVague } from "./vague.ts";

describe("readCondition", () => {
  it.each([
    ["if the tone is still too light, make it darker", "if the tone is still too light"],
    ["If chapter 3 drags then cut the quarrel", "If chapter 3 drags"],
    ["Unless Mara is named already: name her", "Unless Mara is named already"],
    ["Cut the quarrel, but only if it drags", "but only if it drags"],
    ["Wenn der Ton zu hell ist, dann mach ihn dunkler", "Wenn der Ton zu hell ist"],
  ])("reads '%s'", (item, condition) => {
    expect(readCondition(item)).toBe(condition);
  });

  it.each([
    ["fr", "Si le ton est trop léger, assombris-le"],
    ["fr", "S'il dépasse cent mots, raccourcis le prologue."],
    ["fr", "Raccourcis le prologue, mais seulement s’il dépasse cent mots."],
    ["es", "Si el tono es demasiado ligero, entonces oscurécelo más"],
    ["it", "Se il tono è troppo leggero, rendilo più cupo"],
    ["pt", "Se o tom ainda é leve, torne-o mais escuro"],
    ["nl", "Als de toon te licht is, maak hem dan donkerder"],
    ["pl", "Jeśli ton jest zbyt lekki, przyciemnij go bardziej"],
    ["sv", "Om tonen är för ljus, gör den mörkare"],
    ["ru", "Если тон слишком светлый, сделай его темнее"],
    ["de", "Streich den Streit, aber nur wenn er sich zieht"],
    ["ru", "Убери ссору, только если она затянута"],
    ["it", "La fine: se la lettera di Ottavio è troppo lunga, allora tagliala della metà"],
    ["en", "The ending: if it is still too sad, let the dog live"],
  ])("reads a condition in a book in %s: '%s'", (language, item) => {
    expect(readCondition(item, language)).toBeDefined();
  });

  it.each([
    ["de", "Als der Sturm kommt, soll Mara lachen"],
    ["es", "Se va Mara del faro, y nadie la ve"],
    ["de", "Lass sie lächeln, wenn sie den Brief liest"],
  ])("takes no word of another language for one, in %s: '%s'", (language, item) => {
    expect(readCondition(item, language)).toBeUndefined();
  });

  it.each([
    "Make chapter 3 darker",
    "Let Mara wonder if the lamp will hold",
    "If only she knew",
    "Let her say, if he comes, I go",
    "Where the picture comes home, let Mr. Hale bring a ribbon",
    "Chapter 3: let her say, if he comes, I go",
  ])("finds none in '%s'", (item) => expect(readCondition(item)).toBeUndefined());
});

describe("isVague", () => {
  it.each([
    ...["make it better", "Make it better!", "improve chapter 3", "please polish this a bit", "mach es besser"],
    ...["Améliore le texte.", "C'est plat.", "Je ne sais pas, ça ne prend pas.", "Hazlo mejor", "Migliora il testo"],
  ])("'%s' says too little", (item) => expect(isVague(item)).toBe(true));

  it.each([
    "Make it darker",
    "Make chapter 3 darker",
    "Bring the brother back",
    "Fix the typo in chapter 2",
    "",
    "more rain",
  ])("'%s' says enough", (item) => expect(isVague(item)).toBe(false));
});

describe("A step of a cascade", () => {
  it("is not weighed: the feedback that it repeats was, where it began", () => {
    const feedback = ["If Mara survives, let her leave"];
    const task = NovelTask.parse({ kind: "iterate", target: "prose", iteration_id: "it-2", feedback });
    const cascade = { direction: "down", from: "chapters", levels: [], iteration_id: "it-1", feedback: "" } as const;
    expect(mustBeWeighed(task)).toBe(true);
    expect(mustBeWeighed({ ...task, cascade: { ...cascade, levels: [] } })).toBe(false);
  });
});
