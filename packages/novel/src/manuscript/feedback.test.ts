import { describe, expect, it } from "vitest";
import { kindOfFeedback, parseFeedback } from "./feedback.ts";

describe("the items of feedback", () => {
  it.each([
    ["Make chapter 3 darker", ["Make chapter 3 darker"]],
    ["- darker\n- shorter", ["darker", "shorter"]],
    ["1. darker\n2) shorter\n(3) wetter", ["darker", "shorter", "wetter"]],
    ["* darker\r\n\r\n* shorter\r\n  and brisker", ["darker", "shorter\nand brisker"]],
    ["In chapter 3:\n- make it darker\n- add rain", ["In chapter 3: make it darker", "In chapter 3: add rain"]],
    ["- only one", ["- only one"]],
    ["Make it darker.\nAdd rain.", ["Make it darker.\nAdd rain."]],
    ["- darker\n- shorter\n\nAnd keep the ending.", ["- darker\n- shorter\n\nAnd keep the ending."]],
    ["  \n ", []],
    ["• 雨を足す\n• もっと暗く", ["雨を足す", "もっと暗く"]],
    ["-5 degrees is too warm\n-10 is right", ["-5 degrees is too warm\n-10 is right"]],
  ])("%j → %j", (text, items) => {
    expect(parseFeedback(text)).toEqual(items);
  });
});

describe("what feedback is about", () => {
  it.each([
    ["Make chapter 3 darker with nightmarish mood", "tone"],
    ["Make the protagonist more flawed", "character"],
    ["Add a betrayal subplot in act 2", "plot"],
    ["The dialogue is stiff", "dialogue"],
    ["Make the ending more ambiguous, the last chapter is too neat", "ending"],
    ["It drags; pick up the pace", "pacing"],
    ["Merge chapters 4 and 5, the structure is loose", "structure"],
    ["Rends-le plus sombre", "other"],
  ])("%s → %s", (text, kind) => {
    expect(kindOfFeedback(text)).toBe(kind);
  });
});

describe("the kind of German feedback", () => {
  it.each([
    ["Mach Kapitel 3 düsterer", "tone"],
    ["Der Schluss ist fast zu versöhnlich", "ending"],
    ["Das Gespräch zwischen Mara und Jonas klingt hölzern", "dialogue"],
    ["Kapitel 2 zieht sich", "pacing"],
    ["Kürze das zweite Kapitel um die Hälfte", "length"],
    ["Die Reihenfolge der Kapitel stimmt nicht", "structure"],
    ["Mara ist als Heldin zu glatt, gib ihr eine Schwäche", "character"],
    ["Der Verrat braucht mehr Szenen", "plot"],
    ["Beschreibe den Schauplatz und die Stadt genauer", "world"],
    ["Die Sätze sind zu verschachtelt, der Stil zu geschraubt", "style"],
    ["Mara trägt einen roten Mantel", "other"],
  ])("%s → %s", (text, kind) => {
    expect(kindOfFeedback(text)).toBe(kind);
  });
});
