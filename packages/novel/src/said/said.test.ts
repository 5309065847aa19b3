import { describe, expect, it } from "vitest";
import { mustBeWeighed } from "../phases/weigh.ts";
import { NovelTask } from "../task.ts";
import { readCondition } from "./conditions.ts";
import { isVague } from "./vague.ts";

describe("readCondition", () => {
  it.each([
    ["if the tone is still too light, make it darker", "if the tone is still too light", "Make it darker"],
    ["If chapter 3 drags then cut the quarrel", "If chapter 3 drags", "Cut the quarrel"],
    ["Unless Mara is named already: name her", "Unless Mara is named already", "Name her"],
    ["Cut the quarrel, but only if it drags", "but only if it drags", "Cut the quarrel"],
    ["Wenn der Ton zu hell ist, dann mach ihn dunkler", "Wenn der Ton zu hell ist", "Mach ihn dunkler"],
  ])("reads '%s'", (item, condition, wanted) => {
    expect(readCondition(item)).toEqual({ condition, wanted });
  });

  it.each([
    "Make chapter 3 darker",
    "Let Mara wonder if the lamp will hold",
    "If only she knew",
    "Let her say, if he comes, I go",
  ])("finds none in '%s'", (item) => expect(readCondition(item)).toBeUndefined());
});

describe("isVague", () => {
  it.each(["make it better", "Make it better!", "improve chapter 3", "please polish this a bit", "mach es besser"])(
    "'%s' says too little",
    (item) => expect(isVague(item)).toBe(true),
  );

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
