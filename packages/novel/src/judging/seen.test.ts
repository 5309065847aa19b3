// What a judge has approved is what its prompts held: every paragraph of every file that changed, counted.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { countTokens, fitPrompt } from "@loopwright/models";
import { describe, expect, it } from "vitest";
import { bookRun, premise, prose, reaches, treatment, written } from "../../../../test/fakes/book-runs.ts";
import { changesText, compareUnits, toUnits, unitText } from "./changed-text.ts";
import { PART_TOKENS, packChange } from "./packs.ts";

/** A chapter of many paragraphs, of which no two are alike. */
function long(number: number, paragraphs: number, words: string): string {
  const text = (at: number) =>
    `Paragraph ${number}.${at} ${words} ${"and the sea went on beyond the wall ".repeat(5)}.`;
  return `# Chapter ${number}: Night ${number}\n\n${Array.from({ length: paragraphs }, (_, at) => text(at)).join("\n\n")}\n`;
}

const chapters = [1, 2, 3];
const files = {
  ...written,
  ...Object.fromEntries(chapters.map((n) => [`chapters/chapter-0${n}.md`, long(n, 150, "rests")])),
};
const part = { json: { verdict: "approved", reasoning: "It is met.", items: [{ met: true, concerns: true }] } };

describe("a change that does not fit one question", () => {
  it.each([32_768, 16_384, 8_192])(
    "is judged in parts that fit a window of %i, and no paragraph of it is approved that no prompt held",
    async (window) => {
      const { start, scripted, folder } = await bookRun({
        files: { ...files, "treatment/treatment.md": treatment("The ship is saved, after a long night. ".repeat(900)) },
        script: { "revise-prose": chapters.map((n) => long(n, 150, "stirs")), judge: [part] },
      });
      const known = { model: "small", context: window };
      const { outcome } = await start({
        ...{ target: "prose", feedback: ["Let everything stir"] },
        windows: { judge: known, summarizer: known },
      });
      expect(outcome).toBe("done");
      const asked = scripted.asked("judge");
      expect(asked.length).toBeGreaterThan(1);
      // As a model with a small window is sent them: what is judged is never cut.
      const sent = [...asked, ...scripted.asked("semantic-diff")].map(({ request, system, id }) => {
        const schema = countTokens(JSON.stringify(request.schema));
        const room = { window, answer: request.maxTokens ?? 4_096, beside: { system: countTokens(system), schema } };
        const { prompt } = fitPrompt(request.prompt, room, id, countTokens);
        return id === "judge" ? prompt : "";
      });
      let counted = 0;
      for (const number of chapters) {
        for (const paragraph of toUnits(readFileSync(join(folder, `chapters/chapter-0${number}.md`), "utf8"))) {
          expect(
            sent.filter((prompt) => prompt.includes(paragraph)),
            paragraph.slice(0, 30),
          ).toHaveLength(1);
          counted++;
        }
      }
      expect(counted).toBe(3 * 151);
      // Each part knows of the others, so that it can see where they contradict it.
      expect(asked[0]!.text).toContain("# The files of the other parts as they are now, in short");
      expect(asked[0]!.text).toMatch(/- chapter-3 \(Chapter 3: Night 3\): Paragraph 3\.0 stirs/);
    },
  );

  it("shows each part the passages that changed at the heart, where that is in another", async () => {
    const kinds = ["heart", "after", "after"];
    const json = { files: kinds.map((kind, at) => ({ file: `chapter-${at + 1}`, kind, does: "stir" })) };
    const { start, scripted } = await bookRun({
      files,
      script: { read: [{ json }], "revise-prose": chapters.map((n) => long(n, 150, "stirs")), judge: [part] },
    });
    await start({ target: "prose", feedback: ["Let everything stir"] });
    const asked = scripted.asked("judge").map(({ text }) => text);
    expect(asked[0]).not.toContain("# The heart of the change");
    expect(asked.at(-1)).toMatch(/# The heart of the change[\s\S]*chapter-1:\n\nParagraph 1\.0 stirs/);
  });

  it("is not approved where one part is not", async () => {
    const no = {
      json: { verdict: "needs_revision", reasoning: "Part of it rests.", items: [{ met: false }], revise: [] },
    };
    const { start } = await bookRun({
      files,
      script: { "revise-prose": chapters.map((n) => long(n, 150, "stirs")), judge: [part, no, part] },
      answers: {},
    });
    const { gate, state } = await start({ target: "prose", feedback: ["Let everything stir"] });
    expect(gate?.name).toBe("continue");
    expect(state.attempts[0]!.judgment).toMatchObject({ verdict: "needs_revision", reasoning: "Part of it rests." });
  });

  it("is told of in parts too, by paragraphs that changed, and the parts are one summary", async () => {
    const say = (summary: string) => ({ json: { summary, major: [{ where: summary, what: "stirs" }] } });
    // More stands above it than a small window holds: that is what is cut.
    const above = { "treatment/treatment.md": treatment("The wind turned and the ship came on. ".repeat(2_000)) };
    const { start, scripted } = await bookRun({
      files: { ...files, ...above },
      script: {
        "revise-prose": chapters.map((n) => long(n, 150, "stirs")),
        judge: [part],
        "semantic-diff": ["One.", "Two."].map(say),
      },
    });
    const { state } = await start({ target: "prose", feedback: ["Let everything stir"] });
    expect(scripted.asked("semantic-diff").length).toBeGreaterThan(1);
    expect(state.summary).toBe("One. Two.");
    for (const id of ["judge", "semantic-diff"]) {
      const sent = scripted.asked(id).map(({ request, system }) => {
        const room = { window: 32_768, answer: 4_096, beside: { system: countTokens(system) } };
        return fitPrompt(request.prompt, room, id, countTokens).prompt;
      });
      for (const paragraph of chapters.flatMap((n) => toUnits(long(n, 150, "stirs")).slice(1)))
        expect(sent.filter((prompt) => prompt.includes(paragraph)).length, paragraph.slice(0, 30)).toBe(1);
    }
  });
});

describe("a small window", () => {
  const narrow = (context: number) => ({ judge: { model: "local:tiny", context } });

  it("is shown a paragraph that is longer than a part in pieces, word by word", async () => {
    const waves = Array.from({ length: 900 }, (_, at) => `Wave ${at} rose, and the lamp burned on above it.`);
    const giant = prose(2, waves.join(" "));
    const { start, scripted } = await bookRun({
      files: written,
      script: { read: [reaches(2)], "revise-prose": [giant], judge: [part] },
    });
    const feedback = ["Make chapter 2 longer"];
    expect((await start({ target: "prose", feedback, windows: narrow(8_192) })).outcome).toBe("done");
    const shown = scripted.asked("judge").map(({ text }) => text);
    expect(waves.filter((wave) => !shown.some((text) => text.includes(wave)))).toEqual([]);
    for (const { request, system } of scripted.asked("judge")) {
      const room = { window: 8_192, answer: request.maxTokens!, beside: { system: countTokens(system) } };
      expect(() => fitPrompt(request.prompt, room, "judge", countTokens)).not.toThrow();
    }
  });

  it("under 8,192 tokens is refused before anything is written, with the model and what to set", async () => {
    const { start, scripted } = await bookRun({ files: written });
    const { outcome, reason } = await start({ windows: narrow(4_096) });
    expect(outcome).toBe("failed");
    expect(reason).toContain(
      "the judge local:tiny has a window of 4,096 tokens, too small to be shown a text: it takes 8,192",
    );
    expect(reason).toContain("Raise its 'context' in loopwright.yaml");
    expect(scripted.asked("revise")).toEqual([]);
  });

  it("of the summarizer leaves the figures alone", async () => {
    const { start, scripted } = await bookRun();
    const windows = { summarizer: { model: "local:tiny", context: 4_096 } };
    expect((await start({ windows })).outcome).toBe("done");
    expect(scripted.asked("semantic-diff")).toEqual([]);
  });
});

describe("a chapter of which one sentence changed", () => {
  it("is shown to the judge with what is around it, and how much is as it was", async () => {
    const { start, scripted } = await bookRun({
      files,
      script: {
        read: [reaches(2)],
        "revise-prose": [long(2, 150, "rests").replace("Paragraph 2.70 rests", "Paragraph 2.70 wakes")],
      },
    });
    await start({ target: "prose", feedback: ["Let chapter 2 wake once"] });
    const [judge] = scripted.asked("judge");
    const shown = Array.from({ length: 150 }, (_, at) => at).filter((at) => judge!.text.includes(`Paragraph 2.${at} `));
    expect(shown).toEqual([69, 70, 71]);
    expect(judge!.text).toContain("[[before: “rests” → “wakes”]]");
    expect(judge!.text).toContain("[[70 paragraphs as before]]");
    // Whoever tells of the change gets what changed, and how much did not.
    const { text } = scripted.asked("semantic-diff")[0]!;
    expect(text).toContain("Paragraph 2.70 wakes");
    expect(text).not.toContain("Paragraph 2.69 rests");
    expect(text).toContain("[[71 paragraphs as before]]");
  });

  it("is told with the rest of the level in short, and what stands above it", async () => {
    const { start, scripted } = await bookRun({
      files: written,
      script: { read: [reaches(2)], "revise-prose": [prose(2, "Dark.")] },
    });
    await start({ target: "prose", feedback: ["Make chapter 2 darker"] });
    const above = ["The ship is saved.", premise.premise];
    const told = {
      judge: ["- chapter-1 (", "- chapter-3 (", "Mara keeps the lamp.", ...above],
      "semantic-diff": above,
    };
    for (const [id, texts] of Object.entries(told))
      for (const text of texts) expect(scripted.asked(id)[0]!.text, id).toContain(text);
  });
});

describe("a change, paragraph by paragraph", () => {
  it("has every paragraph once, what was removed and what is new", () => {
    const units = compareUnits(
      "# T\n\nOne.\n\nTwo is here.\n\nThree.\n",
      "# T\n\nOne.\n\nQuite another thing altogether now.\n\nThree.\n\nFour.\n",
    );
    expect(units.map(unitText)).toEqual([
      "# T",
      "One.",
      "Quite another thing altogether now.\n[[before: Two is here.]]",
      "Three.",
      "Four.\n[[new]]",
    ]);
    const verse = '# T\n\nShe said:\n\n   "Many a flower\n   is born."\n';
    expect(compareUnits(verse, verse.replace("T", "U")).at(-1)).toEqual({ now: '   "Many a flower\n   is born."' });
    expect(changesText(units)[0]).toBe("[[2 paragraphs as before]]");
    expect(compareUnits("A b c.\n\nGone for good.\n\nD e f.", "A b c.\n\nD e f.").map(unitText)).toEqual([
      "A b c.",
      "[[removed: Gone for good.]]",
      "D e f.",
    ]);
  });

  it("lays each beside what it was, also where one was put in and another taken out", () => {
    const [first, second, third] = [
      "Mara climbed the stairs to the lamp and counted every one of them.",
      "The oil was low, and the wick smoked in the draft from the door.",
      "Nobody had written from the mainland since the end of October.",
    ];
    const units = compareUnits(
      `${first}\n\n${second}\n\n${third}`,
      `A gull cried.\n\n${first.replace("counted", "cursed")}\n\n${second.replace("smoked", "hissed")}`,
    );
    expect(units.map(unitText)).toEqual([
      "A gull cried.\n[[new]]",
      `${first.replace("counted", "cursed")}\n[[before: “counted” → “cursed”]]`,
      `${second.replace("smoked", "hissed")}\n[[before: “smoked” → “hissed”]]`,
      `[[removed: ${third}]]`,
    ]);
  });

  it("is packed so that no part is longer than it may be, a long file in pieces", () => {
    const after = chapters.map((n) => ({ path: `chapters/chapter-0${n}.md`, content: long(n, 420, "stirs") }));
    const before = after.map(({ path, content }) => ({ path, content: content.replaceAll("stirs", "rests") }));
    const parts = packChange(before, after, "around");
    for (const each of parts)
      expect(each.reduce((sum, { text }) => sum + countTokens(text), 0)).toBeLessThanOrEqual(PART_TOKENS);
    expect(parts.flat().some(({ piece }) => piece === "2 of 2")).toBe(true);
    const shown = parts
      .flat()
      .map(({ text }) => text)
      .join("\n\n");
    for (const { content } of after) for (const unit of toUnits(content)) expect(shown.split(unit).length - 1).toBe(1);
  });
});
