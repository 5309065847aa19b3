// A/B: several versions of one text, of which a person takes one, or parts of each.

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { agreeable, bookRun, notesOf, phasesOf, prose, refused, written } from "../../../../test/fakes/book-runs.ts";
import { git, subjects } from "../../../../test/fixtures/novel-repository/project.ts";
import type { NovelTask } from "../index.ts";
import { toUnits } from "../judging/changed-text.ts";
import { openManuscript } from "../manuscript/index.ts";
import { sideBySide } from "../repl/words/side-by-side.ts";
import { composeParts } from "./parts.ts";

const file = "chapters/chapter-01.md";
const task: Partial<NovelTask> = { target: "prose", feedback: ["Make it colder"], variants: 3, file };

describe("variants of a chapter", () => {
  it("are written each from another side, and the one that is taken goes the way of any attempt", async () => {
    const { start, test, scripted, folder } = await bookRun({
      files: written,
      answers: { ...agreeable, variant: ["2"] },
    });
    const { outcome, run, state } = await start(task);
    expect(outcome).toBe("done");
    expect(await phasesOf(test, run)).toEqual([
      ...["reach", "check", "generate", "choose", "judge", "summarize", "inspect", "accept", "finalize"],
    ]);
    const [began] = await notesOf(test, run, "generation-began");
    expect(began).toMatchObject({ files: [file], variants: 3 });
    const systems = scripted.asked("variant").map(({ request }) => request.system!);
    expect(systems.map((system) => /yours is number (\d)/.exec(system)?.[1])).toEqual(["1", "2", "3"]);
    expect(systems[0]).toContain("stays closest");
    expect(systems[2]).toContain("the boldest");
    expect(readFileSync(join(folder, file), "utf8")).toBe(prose(1, "Wider."));
    expect(subjects(folder)[0]).toBe("[prose] Make it colder");
    // Those that were not taken stay.
    const kept = readdirSync(join(folder, state.debug)).filter((name) => name.startsWith("variants_1"));
    expect(kept).toEqual([1, 2, 3].map((number) => `variants_1_variant_${number}_raw.md`));
    expect((await notesOf(test, run, "variants-written"))[0]!.texts).toHaveLength(3);
  });

  it("can be taken in parts; parts that do not exist are asked for again", async () => {
    const { start, test, folder } = await bookRun({
      files: written,
      answers: { ...agreeable, variant: ["parts: 1:9", "parts: 3:1 1:2"] },
      script: { variant: ["One.", "Two.", "Three."].map((line) => prose(1, line)) },
    });
    const { outcome, run } = await start(task);
    expect(outcome).toBe("done");
    expect((await notesOf(test, run, "warning"))[0]!.message).toContain("Variant 1 has paragraphs 1 to 2.");
    expect(readFileSync(join(folder, file), "utf8")).toContain("Three.\n\nA horn sounded");
  });

  it("bring their own file in line with its plan, and no other", async () => {
    const { start, folder } = await bookRun({ files: written, answers: { ...agreeable, variant: ["1"] } });
    const stale = async () =>
      (await openManuscript(folder)).stale().flatMap(({ files }) => files.map(({ path }) => path));
    await start();
    expect(await stale()).toEqual(["chapters/chapter-02.md"]);
    expect((await start({ ...task, iteration_id: "it-2" })).outcome).toBe("done");
    expect(await stale()).toEqual(["chapters/chapter-02.md"]);
  });

  it("of a chapter may be given by its passages, and the rest stays byte for byte", async () => {
    const block = "===PASSAGE===\nA horn sounded from the dark.\n===BECOMES===\nNo horn sounded.\n===END PASSAGE===";
    const { start, scripted, folder } = await bookRun({
      files: written,
      script: { variant: [block, prose(1, "Two."), block.replace("A horn", "A bell"), prose(1, "Three.")] },
      answers: { ...agreeable, variant: ["1"] },
    });
    expect((await start({ ...task, variants: 2 })).outcome).toBe("done");
    expect(scripted.asked("variant")[0]!.text).toContain("give only the passages that change");
    expect(scripted.asked("variant")[0]!.text).not.toContain("===UNCHANGED===");
    expect(readFileSync(join(folder, file), "utf8")).toBe(
      written[file]!.replace("A horn sounded from the dark.", "No horn sounded."),
    );
  });

  it("none: nothing is changed", async () => {
    const { start, folder } = await bookRun({ files: written, answers: { ...agreeable, variant: ["none"] } });
    expect((await start(task)).outcome).toBe("declined");
    expect(git(folder, "status", "--porcelain")).toBe("");
  });

  it("none, because …; 2, but …: others are written, whose writers see these and what was said", async () => {
    const { start, scripted, folder } = await bookRun({
      files: written,
      script: { variant: ["One.", "Two.", "Three.", "Four.", "Five.", "Six."].map((line) => prose(1, line)) },
      answers: { ...agreeable, variant: ["none: all too cute", `2: shorter, ${"and ".repeat(40)}colder`, "1"] },
    });
    expect((await start({ ...task, variants: 2 })).outcome).toBe("done");
    const asked = scripted.asked("variant").map(({ text }) => text);
    expect(asked).toHaveLength(6);
    expect(asked[0]).not.toContain("Versions that the author has seen");
    for (const text of asked.slice(2, 4)) {
      expect(text).toContain("On the versions before, none of which they took: all too cute");
      for (const words of ["One.", "Two.", "Of variant 1: not taken"]) expect(text).toContain(words);
    }
    const roles = scripted.asked("variant").map(({ request }) => request.system ?? "");
    for (const role of roles.slice(0, 4)) expect(role).toMatch(/Yours (?:stays closest|is freer)/);
    for (const role of roles.slice(4)) expect(role).toContain("yours is that version with the change");
    for (const words of ["One.", "Four.", "the author wants this one, but: shorter", "and colder\n", "not taken"])
      expect(asked[4]).toContain(words);
    expect(readFileSync(join(folder, file), "utf8")).toBe(prose(1, "Five."));
  });

  it("the judge's word on what a person chose is advice", async () => {
    const { start, test } = await bookRun({
      files: written,
      script: { judge: [refused] },
      answers: { ...agreeable, variant: ["1"] },
    });
    const { outcome, run } = await start(task);
    expect(outcome).toBe("done");
    expect(await phasesOf(test, run)).not.toContain("consider");
  });

  it("one without a usable form is asked for again, and left out where it never has one", async () => {
    const { start, test } = await bookRun({
      files: written,
      script: { variant: [prose(1, "One."), "", "", "", "", prose(1, "Three.")] },
      answers: { ...agreeable, variant: ["1"] },
    });
    const { outcome, run } = await start({ ...task, variants: 2 });
    expect(outcome).toBe("done");
    const [made] = await notesOf(test, run, "variants-written");
    expect(made!.texts.length + Number(made!.refused.length > 0)).toBe(2);
  });
});

describe("variants of a passage", () => {
  it("offer no parts where none has several paragraphs", async () => {
    const passage = "A horn sounded from the dark.";
    const { start } = await bookRun({
      files: written,
      script: { variant: ["A horn roared.", "A horn blared."] },
      answers: {},
    });
    expect((await start({ ...task, variants: 2, passage })).gate?.choices).toEqual(["1", "2", "none"]);
  });

  it("change that passage alone", async () => {
    const passage = "A horn sounded from the dark.";
    const { start, scripted, folder } = await bookRun({
      files: written,
      script: { variant: ["A bell rang.", "Nothing sounded."] },
      answers: { ...agreeable, variant: ["2"] },
    });
    expect((await start({ ...task, variants: 2, passage })).outcome).toBe("done");
    expect(readFileSync(join(folder, file), "utf8")).toBe(prose(1).replace(passage, "Nothing sounded."));
    expect(scripted.asked("variant")[0]!.text).toContain("The passage of it that you write anew");
    for (const id of ["judge", "semantic-diff"]) {
      const { text } = scripted.asked(id)[0]!;
      expect(text, id).toContain(
        "The author was shown several versions and chose this one. Only this passage was to change",
      );
      expect(text.indexOf(passage), id).toBeLessThan(text.indexOf("Nothing sounded."));
    }
    // What is approved is the whole file, and all of it was shown.
    const shown = scripted.asked("judge")[0]!.text;
    for (const paragraph of toUnits(readFileSync(join(folder, file), "utf8"))) expect(shown).toContain(paragraph);
  });
});

it("a verse keeps its indent where parts are taken", () => {
  const verse = 'She read:\n\n   "Many a flower\n   is born."\n\nThe end.\n';
  expect(composeParts([verse, "x"], "1:1-")).toEqual({ text: verse });
});

describe("composeParts", () => {
  const texts = ["# T\n\na1\n\na2\n\na3\n", "# T\n\nb1\n\nb2\n"];

  it.each([
    ["1:1-2 2:2", "# T\n\na1\n\na2\n\nb2\n"],
    ["2:1, 1:2-", "# T\n\nb1\n\na2\n\na3\n"],
  ])("%s", (spec, text) => expect(composeParts(texts, spec)).toEqual({ text }));

  it.each(["", "1", "3:1", "1:4", "1:3-2", "1:0", "one:two"])("has a problem with '%s'", (spec) => {
    expect(composeParts(texts, spec).problem).toContain("such as 1:1-4");
  });
});

describe("sideBySide", () => {
  it("shows of what stands in the book already only how it begins, with its number", () => {
    const same = "It rained on the mill and on the sea and on all who waited there.";
    const lines = sideBySide(
      [`${same}\n\nShe left.\n`, `${same}\n\nShe stayed.\n`],
      120,
      `# One\n\n${same}\n\nShe slept.\n`,
    );
    expect(lines[2]).toMatch(
      /^1\. \(as it is\) It rained on the mill and on the sea …? *│ 1\. \(as it is\) It rained|^1\. \(as it is\) It rained on the mill/,
    );
    expect(lines.join("\n")).not.toContain("all who waited");
    expect(lines.join("\n")).toMatch(/2\. She left\. +│ 2\. She stayed\./);
  });

  it("puts paragraphs beside each other, with their numbers, in any script", () => {
    const lines = sideBySide(
      ["# T\n\nThe lamp was lit.\n\nNobody came.\n", "# T\n\n灯が点いた。誰も来なかった。\n"],
      60,
    );
    expect(lines).toEqual([
      "Variant 1                    │ Variant 2",
      `${"─".repeat(28)} │ ${"─".repeat(28)}`,
      "1. The lamp was lit.         │ 1. 灯が点いた。誰も来なかっ",
      "                             │ た。",
      "",
      "2. Nobody came.              │",
      "",
    ]);
  });

  it("puts them one after the other where there is no room", () => {
    expect(sideBySide(["a\n", "b\n"], 40)).toEqual(["Variant 1", "", "1. a", "", "Variant 2", "", "1. b", ""]);
  });
});
