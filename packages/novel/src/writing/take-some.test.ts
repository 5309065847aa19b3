// Some of an attempt's files: what is taken is shown and asked about again, and the rest stays as it was.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Scripted } from "@loopwright/core/testing";
import { describe, expect, it } from "vitest";
import {
  agreeable,
  beatFiles,
  beats,
  blocks,
  bookRun,
  notesOf,
  phasesOf,
  prose,
  reaches,
  summary,
  written,
} from "../../../../test/fakes/book-runs.ts";
import { openManuscript } from "../manuscript/files/open.ts";

const both = blocks({
  ...beatFiles,
  "chapter-beats/chapter-02.md": beats(2, "Mara lets the lamp go out."),
  "chapter-beats/chapter-03.md": beats(3, "Nobody comes."),
});

/** An iteration of two chapters, answered so at the question about accepting. */
async function twoChapters(...accept: string[]) {
  const script = { revise: [both], "semantic-diff": [summary] };
  const book = await bookRun({ files: written, script, answers: { ...agreeable, accept } });
  const result = await book.start({ feedback: ["Darker"] });
  const read = (number: number) => readFileSync(join(book.folder, `chapter-beats/chapter-0${number}.md`), "utf8");
  return { ...book, result, read };
}

describe("some of the files", () => {
  it.each(["some: chapter-2", "some: 2", "some: chapter 2, chapter 99"])(
    "are taken, and the others stay byte for byte: '%s'",
    async (answer) => {
      const { result, read } = await twoChapters(answer, "yes");
      expect(result.outcome).toBe("done");
      expect([read(2), read(3)]).toEqual([beats(2, "Mara lets the lamp go out."), beats(3)]);
    },
  );

  it("are shown again, are nobody's verdict, and make stale only what was made from them", async () => {
    const { result, test, scripted, folder } = await twoChapters("some: 2", "yes");
    expect((await phasesOf(test, result.run)).slice(-5)).toEqual([
      ...["summarize", "accept", "summarize", "accept", "finalize"],
    ]);
    const [whole, part] = scripted.asked("semantic-diff").map(({ text }) => text);
    expect([whole, part].map((text) => text!.includes("Nobody comes."))).toEqual([true, false]);
    const [, shown] = await notesOf(test, result.run, "semantic-diff");
    expect(shown!.text).toContain("attempt 1 without chapter 3, which the judge saw with it");
    const { iterations } = JSON.parse(readFileSync(join(folder, "chapter-beats/iteration_history.json"), "utf8"));
    expect(iterations[0]).toMatchObject({ judge_verdict: "none", judge_attempts: 1, accepted_by: "user" });
    expect(iterations[0].said).toEqual(["chapter 2 only, without chapter 3"]);
    const decision = readFileSync(join(folder, result.state.debug, "user_decision.txt"), "utf8");
    expect(decision).toBe("accepted, but for chapter 3 of attempt 1\n");
    const stale = (await openManuscript(folder)).stale().flatMap(({ files }) => files.map(({ path }) => path));
    expect(stale).toEqual(["chapters/chapter-02.md"]);
  });

  it.each([
    ["some: 1", "say which, such as 'some chapter 2'"],
    ["some", "say which, such as 'some chapter 2'"],
    ["some: 2, 3", "that is all that was changed: 'yes' accepts it"],
  ])("that cannot be told are asked about again: '%s'", async (answer, message) => {
    const { result, test, read } = await twoChapters(answer, "no");
    expect(result.outcome).toBe("declined");
    expect(await notesOf(test, result.run, "warning")).toEqual([{ code: "FILES_UNREADABLE", message }]);
    expect(read(2)).toBe(beats(2));
  });

  it("that would leave the level without its form are refused with the reason", async () => {
    const more = { ...beatFiles, "chapter-beats/chapter-04.md": beats(4), "chapter-beats/chapter-05.md": beats(5) };
    const { start, test } = await bookRun({
      script: { revise: [blocks(more)] },
      answers: { ...agreeable, accept: ["some: 5", "no"] },
    });
    const { run } = await start({ feedback: ["Add two chapters"], chapters: 5 });
    expect((await notesOf(test, run, "warning"))[0]?.message).toMatch(/^chapter 5 cannot be taken alone: /);
  });

  it.each<[string, Scripted, string[]]>([
    ["named files", reaches(1, 2), []],
    ["the whole level", { json: { all: true } }, ["===UNCHANGED==="]],
  ])("of %s of the prose are all that a later attempt writes", async (_what, read, rest) => {
    const first = [prose(1, "Dusk."), prose(2, "Dark."), ...rest];
    const script = { read: [read], "revise-prose": [...first, prose(2, "Darker."), ...rest] };
    const { start, folder, test } = await bookRun({
      ...{ files: written, script, answers: { ...agreeable, accept: ["some: 2", "again: darker", "yes"] } },
    });
    const { outcome, run } = await start({ target: "prose", feedback: ["Darker"] });
    expect(outcome).toBe("done");
    const text = (number: number) => readFileSync(join(folder, `chapters/chapter-0${number}.md`), "utf8");
    expect([text(1), text(2)]).toEqual([prose(1), prose(2, "Darker.")]);
    expect((await notesOf(test, run, "generation-began")).at(-1)!.files).not.toContain("chapters/chapter-01.md");
  });
});
