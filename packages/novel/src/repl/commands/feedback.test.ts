import { describe, expect, it } from "vitest";
import { parseFeedback } from "./generate.ts";

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
