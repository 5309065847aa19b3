import { describe, expect, it } from "vitest";
import { loadGate } from "./gate/load.ts";
import { matchesIn, measured, readByWords } from "./requirements.ts";

const car = await loadGate("car_realism_v001", ".");
const chair = await loadGate("furniture_realism_v001", ".");

describe("what was asked for, without a model", () => {
  it.each([
    ["a red sedan", "car", ["car", "red", "sedan"]],
    ["a blue convertible from the 1960s", "car", ["car", "blue", "convertible", "from", "1960s"]],
    ["A RED, four-door car!", "car", ["red", "four", "door", "car"]],
    ["an orange sports car", "suv", ["suv", "orange", "sports car"]],
    ["not red", "car", ["car", "not", "red"]],
    ["car with 4 wheels, 4.2 m long", "car", ["car", "with", "4 wheels", "4.2 m long"]],
    ["ein rotes Auto", "car", ["car", "ein", "rotes", "auto"]],
    ["赤い車", "car", ["car", "赤い", "車"]],
    ["", "car", ["car"]],
  ])("'%s': no word is left out", (prompt, kind, words) => {
    expect(readByWords({ prompt, kind }, car).requirements.map((each) => each.words)).toEqual(words);
  });

  it("a table at the gate for chairs is nothing that it has words for", () => {
    const { requirements, nothing } = readByWords({ prompt: "a wooden table", kind: "chair" }, chair);
    expect(nothing).toEqual(["a"]);
    expect(requirements.map(({ words }) => words)).toEqual(["chair", "wooden", "table"]);
    expect(requirements.map((each) => measured(each, chair).map(({ measure }) => measure))).toEqual([["kind"], [], []]);
  });
});

describe("what a check may measure of a requirement", () => {
  it.each([
    ["red", ["red"]],
    ["a red sedan", ["red", "sedan"]],
    ["not red", []],
    ["red seats", []],
  ])("'%s': %j", (words, measures) => {
    expect(measured({ words }, car).map(({ measure }) => measure)).toEqual(measures);
  });

  it("takes the longest words first, and the number that is in them", () => {
    expect(matchesIn("a sports car on 3 wheels", car)).toEqual([
      { words: "a", measure: "nothing" },
      { words: "sports car", measure: "sports car" },
      { words: "on" },
      { words: "3 wheels", measure: "wheels", number: 3 },
    ]);
  });
});
