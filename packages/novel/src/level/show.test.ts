// A question about the book: what it is answered from, and what more the model may ask to see.

import type { NovelTask } from "@loopwright/novel";
import { describe, expect, it } from "vitest";
import { bookRun, notesOf, prose, written } from "../../../../test/fakes/book-runs.ts";

const wind = "The wind went over the wall. ".repeat(700);
const long = {
  ...written,
  ...Object.fromEntries(
    [1, 2, 3].map((number) => [`chapters/chapter-0${number}.md`, prose(number, `${wind}Door ${number} fell shut.`)]),
  ),
};
const ask: Partial<NovelTask> = { kind: "ask", target: "prose", feedback: ["Which door falls shut last?"] };

describe("A question about the book", () => {
  it("is answered from the levels above and a short prose as a whole, in one request", async () => {
    const { start, test, scripted } = await bookRun({ files: written });
    const { run, outcome } = await start(ask);
    expect(outcome).toBe("done");
    const [answered] = await notesOf(test, run, "answered");
    expect(answered!.shown).toEqual([
      ...["the premise", "the treatment", "the plan of 3 chapters", "the prose of all 3 chapters"],
    ]);
    expect(scripted.asked("talk")).toHaveLength(1);
    expect(scripted.asked("talk")[0]!.text).toContain(prose(2).trim());
    expect(scripted.asked("talk")[0]!.text).not.toContain("`open`");
  });

  it("of a long one may have chapters opened and words looked for, once", async () => {
    const more = { json: { open: ["chapter-3"], look_for: ["stairs"] } };
    const { start, test, scripted } = await bookRun({
      files: long,
      script: { talk: [more, more, "Door 3, in chapter 3."] },
    });
    const { run, outcome } = await start(ask);
    expect(outcome).toBe("done");
    expect(await notesOf(test, run, "read-looked")).toEqual([{ words: ["stairs"], files: ["chapter-3"] }]);
    const [first, second, again] = scripted.asked("talk").map(({ text }) => text);
    expect(first).toContain("`open`");
    expect(first).not.toContain("Door 3 fell shut.");
    expect(second).toContain("Door 3 fell shut.");
    expect(second).toContain("stairs ×1");
    expect(second).not.toContain("`open`");
    expect(again).toContain("No more is opened");
    const [answered] = await notesOf(test, run, "answered");
    expect(answered).toMatchObject({ text: "Door 3, in chapter 3." });
    expect(answered!.shown.at(-1)).toBe("the prose of chapter 3, the rest in short");
  });
});
