import { describe, expect, it } from "vitest";
import { numberedTitle, wordToNumber } from "./numbers.ts";
import { wantedChapters } from "./wanted-chapters.ts";

describe("the chapters that feedback asks for", () => {
  it.each([
    ["Cut it down to 12 chapters", 12],
    ["Expand the book to twenty-one chapters", 21],
    ["Make it 10 chapters", 10],
    ["It should have exactly nine chapters.", 9],
    ["I want 14 chapters in total", 14],
    ["Restructure the story into 30 chapters", 30],
  ])("are a number: %s → %s", (feedback, number) => {
    expect(wantedChapters([feedback])).toBe(number);
  });

  it.each([
    "Merge chapters 4 and 5",
    "Split chapter 3 into two chapters",
    "Add a new chapter after the fire",
    "Cut chapter 7",
    "Remove the second chapter",
    "We need fewer chapters",
    "Add an epilogue",
    "Drop the last two chapters",
  ])("are free: %s", (feedback) => {
    expect(wantedChapters(["Make it darker", feedback])).toBe("free");
  });

  it.each([
    "Make chapter 3 darker with more internal conflict",
    "Add more tension to chapter 3",
    "Remove the dragon from chapter 9",
    "Cut the flashback in chapter 2",
    "Chapters 8 to 15 are too slow",
    "Add foreshadowing to three chapters",
    "The first five chapters drag",
    "In two chapters Ysolde should be angry",
    "Split the reveal over chapters 3 and 4",
    "Also make chapter 7 reflect the consequences of chapter 3",
    "Add a scene where she has to be 3 chapters later",
  ])("are as before: %s", (feedback) => {
    expect(wantedChapters([feedback])).toBe("same");
  });
});

describe("numbers in words", () => {
  it("are read as digits, words and Roman numbers", () => {
    expect(["7", "twelve", "Forty-Two", "ninety", "XIV", "i", "C"].map(wordToNumber)).toEqual([
      7, 12, 42, 90, 14, 1, 100,
    ]);
    expect(["ill", "civic", "", "twenty-eleven", "iiii", "tenth"].map(wordToNumber)).toEqual(Array(6).fill(undefined));
  });

  it("are found in titles, and not where a title only begins alike", () => {
    expect(numberedTitle("Chapter 12: The Fire", "chapter")).toBe(12);
    expect(numberedTitle("chapter twenty one", "chapter")).toBe(21);
    expect(numberedTitle("Act II – Water", "act")).toBe(2);
    expect(numberedTitle("Third Act", "act")).toBe(3);
    expect(numberedTitle("Chapter I’m gone", "chapter")).toBeUndefined();
    expect(numberedTitle("Chapters of a life", "chapter")).toBeUndefined();
    expect(numberedTitle("Chapter Illness", "chapter")).toBeUndefined();
  });
});
