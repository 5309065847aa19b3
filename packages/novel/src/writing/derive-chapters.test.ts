import { expect, it } from "vitest";
import { beats } from "../../../../test/fakes/book-runs.ts";
import { toLine } from "./derive-chapters.ts";

it("A derived chapter is told to those after it by how it begins and ends, and by what it says for the first time", () => {
  const events = [
    "The lamp is lit.",
    ..."abcdefghijklmnopqrstuvwxyz".split("").map((letter) => letter.repeat(30)),
    "It goes out.",
  ];
  const content = beats(2, events.map((event) => `- ${event}`).join("\n")).replace(
    /(## New Information\n\n)[^#]*/,
    "$1- The keeper is 41\n- Easter is on 5 April\n\n",
  );
  const line = toLine({ path: "chapter-beats/chapter-02.md", content });
  expect(line).toMatch(/^- .*Night 2.*: The lamp is lit\. .*It goes out\. New: The keeper is 41 Easter is on 5 April$/);
  expect(line.length).toBeLessThan(600);
});
