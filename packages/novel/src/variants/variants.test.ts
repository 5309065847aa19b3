// Several versions of one text, of which a person takes one.

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import {
  agreeable,
  beatFiles,
  beats,
  begin,
  blocks,
  bookRun,
  type GateAnswers,
  notesOf,
  phasesOf,
  prose,
  refused,
  treatment,
  written,
} from "../../../../test/fakes/book-runs.ts";
import { subjects } from "../../../../test/fixtures/novel-repository/project.ts";
import type { NovelTask } from "../index.ts";

const file = "chapters/chapter-01.md";
const task: Partial<NovelTask> = { target: "prose", feedback: ["Make it colder"], variants: 2, file };

/** Variants with these texts, and what the author says of them. */
async function variants(variant: string[], answers: GateAnswers, more: Partial<NovelTask> = {}, script = {}) {
  const book = await bookRun({
    ...{ files: written, script: { variant, ...script }, answers: { ...agreeable, ...answers } },
  });
  const result = await book.start({ ...task, ...more });
  const read = (path = file) => readFileSync(join(book.folder, path), "utf8");
  const asked = book.scripted.asked("variant");
  const [made] = await notesOf(book.test, result.run, "variants-written");
  return { ...book, ...result, folder: book.folder, read, asked, texts: asked.map(({ text }) => text), made };
}

const lines = (...texts: string[]) => texts.map((text) => prose(1, text));

describe("variants of a chapter", () => {
  it("are written each from another side, and the one that is taken goes the way of any attempt", async () => {
    const { outcome, run, state, test, asked, folder, read, made } = await variants(
      lines("Close.", "Wider.", "Bold."),
      { variant: ["2"] },
      { variants: 3 },
    );
    expect(outcome).toBe("done");
    expect(await phasesOf(test, run)).toEqual([
      ...["check", "read", "write", "choose", "judge", "summarize", "accept", "finalize"],
    ]);
    expect((await notesOf(test, run, "generation-began"))[0]).toMatchObject({ files: [file], variants: 3 });
    const systems = asked.map(({ request }) => request.system!);
    expect(systems.map((system) => /yours is number (\d)/.exec(system)![1]).sort()).toEqual(["1", "2", "3"]);
    expect(systems.filter((each) => /stays closest|the boldest/.test(each))).toHaveLength(2);
    expect(read().trim()).toBe(made!.texts[1]);
    expect(subjects(folder)[0]).toBe("[prose] Make it colder");
    // Those that were not taken stay.
    const kept = readdirSync(join(folder, state.debug)).filter((name) => name.startsWith("variants_1"));
    expect(kept).toEqual([1, 2, 3].map((number) => `variants_1_variant_${number}_raw.md`));
    expect(made).toMatchObject({ name: "chapter-1", refused: [] });
    expect(new Set(made!.texts)).toEqual(new Set(lines("Close.", "Wider.", "Bold.").map((text) => text.trim())));
  });

  it("may be given by passages, and the rest stays byte for byte", async () => {
    const block = (quoted: string) =>
      `===PASSAGE===\n${quoted} sounded from the dark.\n===BECOMES===\nNo horn sounded.\n===END PASSAGE===`;
    const given = [block("A horn")];
    const { outcome, texts, read } = await variants(given, { variant: ["1"] });
    expect(outcome).toBe("done");
    expect(texts[0]).toContain("give only the passages that change");
    expect(read()).toBe(written[file]!.replace("A horn sounded from the dark.", "No horn sounded."));
  });

  it("none: nothing is changed", async () => {
    const { outcome, folder } = await variants(lines("One.", "Two."), { variant: ["none"] });
    expect(outcome).toBe("declined");
    expect(subjects(folder)).toHaveLength(1);
  });

  it("in the author's words, others are written, whose writers see these and what was said", async () => {
    const reply = [{ json: { choice: "none", note: "all too cute" } }, { json: { choice: "2", note: "shorter" } }];
    const { outcome, asked, texts, read, state } = await variants(
      lines("One.", "Two.", "Three.", "Four.", "Five.", "Six."),
      { variant: ["say: alle zu süß", "say: die zweite, aber kürzer", "1"] },
      {},
      { reply },
    );
    expect(outcome).toBe("done");
    expect(texts).toHaveLength(6);
    expect(texts[0]).not.toContain("Versions that the author has seen");
    for (const text of texts.slice(2, 4))
      for (const words of [
        ...["On the versions before, none of which they took: all too cute", "One.", "Two.", "Of variant 1: not taken"],
      ])
        expect(text).toContain(words);
    for (const words of ["One.", "Four.", "the author wants this one, but: shorter"]) expect(texts[4]).toContain(words);
    const roles = asked.map(({ request }) => request.system ?? "");
    for (const role of roles.slice(4)) expect(role).toContain("yours is that version with the change");
    expect(read()).toMatch(/Five\.|Six\./);
    expect(state).toMatchObject({ variant_rounds: 3, seen_variants: [{}, {}, {}, {}] });
  });

  it("the judge's word on what a person chose is advice, and another attempt is other variants", async () => {
    const { outcome, run, test, asked } = await variants(
      lines("One.", "Two.", "Three.", "Four."),
      { variant: ["1", "1"], accept: ["again: colder still", "yes"] },
      {},
      { judge: [refused] },
    );
    expect(outcome).toBe("done");
    expect(await phasesOf(test, run)).not.toContain("consider");
    expect(asked).toHaveLength(4);
    expect(asked[2]!.text).toContain("colder still");
  });

  it("one that never has a usable form is left out, and said", async () => {
    const { outcome, run, test } = await variants([prose(1, "One."), "", "", "", "", "", ""], { variant: ["1"] });
    expect(outcome).toBe("done");
    const [made] = await notesOf(test, run, "variants-written");
    expect([made!.texts.length, made!.refused.length > 0]).toEqual([1, true]);
  });

  it("without any a person is asked whether to try again", async () => {
    const { gate } = await variants([""], { variant: ["1"] });
    expect(gate).toMatchObject({ name: "continue", choices: ["yes", "no", "say"] });
  });

  it.each<[string, Partial<NovelTask>, string]>([
    ["a file that is not there", { file: "chapters/chapter-09.md" }, "There is no chapters/chapter-09.md"],
    ["a passage that is not there", { passage: "A bell." }, `${file} does not hold that passage any more`],
  ])("of %s are refused", async (_what, more, reason) => {
    expect(await variants([], {}, more)).toMatchObject({ outcome: "failed", reason });
  });

  it("are told what changed elsewhere since its text was written", async () => {
    const { test, scripted } = await bookRun({
      files: written,
      script: { revise: [blocks({ ...beatFiles, "chapter-beats/chapter-01.md": beats(1, "Mara drowns the lamp.") })] },
      answers: { ...agreeable, variant: ["1"] },
    });
    await begin(test, { iteration_id: "a", feedback: ["Make chapter 1 wetter"] });
    await begin(test, { ...task, iteration_id: "b" });
    const { text } = scripted.asked("variant")[0]!;
    expect(text).toContain("# What changed elsewhere since this was written");
    expect(text).toContain("+ Mara drowns the lamp.");
  });
});

it("variants of a passage change that passage alone", async () => {
  const passage = "A horn sounded from the dark.";
  const { outcome, read, texts, scripted } = await variants(["Nothing sounded."], { variant: ["2"] }, { passage });
  expect(outcome).toBe("done");
  expect(read()).toBe(prose(1).replace(passage, "Nothing sounded."));
  expect(texts[0]).toContain("The passage of it that you write anew");
  for (const id of ["judge", "semantic-diff"]) {
    const { text } = scripted.asked(id)[0]!;
    expect(text, id).toContain(
      "The author was shown several versions and chose this one. Only this passage was to change",
    );
    expect(text.indexOf(passage), id).toBeLessThan(text.indexOf("Nothing sounded."));
  }
});

it("variants of a level are compared by what they change, and one is taken whole", async () => {
  const [mild, bold] = [treatment("The ship is late."), treatment("Everyone drowns.")];
  const { outcome, made, read, state } = await variants(
    [mild, bold],
    { variant: ["2"] },
    { target: "treatment", file: undefined },
  );
  expect(outcome).toBe("done");
  expect(made).toMatchObject({ name: "treatment", refused: [] });
  expect(made!.texts.toSorted()).toEqual([bold, mild].map((text) => text.trim()));
  expect(read("treatment/treatment.md").trim()).toBe(made!.texts[1]);
  expect(state.downstream.map(({ level }) => level)).toEqual(["chapters", "prose"]);
});
