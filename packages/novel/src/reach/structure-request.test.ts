import { describe, expect, it } from "vitest";
import { bookRun, written } from "../../../../test/fakes/book-runs.ts";
import { structureRequest } from "./structure-request.ts";

describe("feedback that wants other chapters", () => {
  it.each([
    ["Chapters 4 and 5 are too short to stand alone. Make them one chapter.", "/merge 4 5"],
    ["Merge chapters 4 and 5", "/merge 4 5"],
    ["combine chapter 4 with chapter 5", "/merge 4 5"],
    ["Kapitel 4 und 5 sollte man zu einem Kapitel machen", "/merge 4 5"],
    ["Fusionne les chapitres 2 et 3", "/merge 2 3"],
    ["merge chapters 4 and 9", "/merge"],
    ["split chapter 5 in two", "/split 5"],
    ["Drop chapter 9.", "/drop 9"],
  ])("'%s' is done by %s", (text, command) => expect(structureRequest([text])).toBe(command));

  it.each([
    "Chapters 4 and 5 drag",
    "split chapter 5's first scene between the sisters",
    "cut chapter 9 by half",
    "remove chapter 9's last line",
    "chapter 4 and chapter 5 should share one image",
  ])("'%s' is about words", (text) => expect(structureRequest([text])).toBeUndefined());

  it("is answered with the command on prose, before any model is asked", async () => {
    const { start, scripted } = await bookRun({ files: written });
    const ended = await start({ target: "prose", feedback: ["Merge chapters 1 and 2 into one"] });
    expect(ended).toMatchObject({ outcome: "declined", reason: expect.stringContaining("/merge 1 2") });
    expect(scripted.sent).toEqual([]);
  });
});
