// The words of prompts where a model could misread them: languages, marks, lengths, what was said and what is left out.

import { readFileSync } from "node:fs";
import { countTokens } from "@loopwright/models";
import { describe, expect, it } from "vitest";
import {
  agreeable,
  beats,
  begin,
  blocks,
  bookRun,
  planned,
  prose,
  refused,
  treatment,
  written,
} from "../../../../test/fakes/book-runs.ts";
import { findMentions } from "../reach/mentions.ts";
import { restRoom, restWithin } from "../reach/rest.ts";

const german = { "project.yaml": `${written["project.yaml"]}language: de\n` };
const dark = { target: "prose" as const, feedback: ["Make chapter 2 darker"] };

it("a language is called by its name, also where judges and summarizers answer the author", async () => {
  const { start, scripted } = await bookRun({
    files: { ...written, ...german },
    script: { "revise-prose": [prose(2, "Dark.")] },
  });
  await start(dark);
  const told = (id: string) => ((asked) => `${asked.system}\n${asked.text}`)(scripted.asked(id)[0]!);
  expect(told("revise-prose")).toContain("is written in German");
  expect(told("judge")).toContain("Write all of it in German");
  expect(told("semantic-diff")).toContain("Write in German");
  for (const { text, system } of scripted.sent) expect(`${system}\n${text}`).not.toMatch(/\bin de\b|: de$/m);
});

it("the summarizer is told what the author said at the gates", async () => {
  const { start, scripted } = await bookRun({
    files: written,
    script: {
      "revise-prose": [prose(2, "Dusk."), prose(2, "Dark.")],
      judge: [refused, { json: { verdict: "approved", reasoning: "Dark." } }],
    },
    answers: { ...agreeable, continue: ["yes: keep the horn"] },
  });
  await start(dark);
  expect(scripted.asked("semantic-diff")[0]!.text).toContain("On attempt 1, beside the judge's words: keep the horn");
});

describe("files that did not change", () => {
  const chapters = Array.from({ length: 40 }, (_, at) => ({
    path: `chapters/chapter-${String(at + 1).padStart(2, "0")}.md`,
    content: prose(
      at + 1,
      `${at === 34 ? "The lighthouse stood dark." : ""} ${"The wind went over the wall. ".repeat(20)}`,
    ),
  }));

  it("take no more than their share, those with words of the feedback and those near first, and what is left out is said", () => {
    const mentions = findMentions(["Take the lighthouse out"], chapters);
    const untouched = chapters.filter(({ path }) => !path.endsWith("-05.md"));
    const rest = restWithin(untouched, mentions);
    const told = rest({ changed: ["chapters/chapter-05.md"], room: 700 });
    expect(countTokens(told)).toBeLessThan(760);
    for (const words of ["- chapter-4 (", "- chapter-6 (", "“The lighthouse stood dark.”"])
      expect(told).toContain(words);
    expect(told).toMatch(/Left out for want of room: chapters .*40\.$/);
    expect(rest({ changed: [], room: 100_000 })).not.toContain("Left out");
    expect(restRoom(["word ".repeat(10_000)])).toBeLessThan(2_000);
  });
});

it("contradictions elsewhere are asked for only where the author will be asked about them", async () => {
  const { test, scripted } = await bookRun({
    files: written,
    script: { "revise-prose": [prose(2, "Dark.")], revise: [treatment("It is lost.")] },
  });
  await begin(test, { ...dark, iteration_id: "a" });
  await begin(test, { target: "treatment", feedback: ["Let it be lost"], iteration_id: "b" });
  await begin(test, {
    ...{ target: "prose", kind: "edit", feedback: [], iteration_id: "c" },
    edited: [{ path: "chapters/chapter-01.md", content: prose(1, "Mine.") }],
  });
  const [named, single, own] = scripted.asked("judge").map(({ text }) => text);
  expect(named).toContain("`elsewhere`: where a file that did not change");
  expect(named).toContain('- "elsewhere"');
  expect(single).not.toMatch(/elsewhere"|`elsewhere`|did not change/);
  expect(own).not.toMatch(/elsewhere"|`elsewhere`/);
  expect(own).toContain("say so in `reasoning`, with its name");
});

it("a second attempt knows what ===UNCHANGED=== leaves in place", async () => {
  const judge = [refused, { json: { verdict: "approved", reasoning: "Dark." } }];
  const { start, scripted } = await bookRun({
    files: written,
    script: { "revise-prose": [prose(2, "Dusk."), prose(2, "Dark.")], judge },
    answers: { ...agreeable, continue: ["yes"] },
  });
  await start(dark);
  const [first, second] = scripted.asked("revise-prose").map(({ text }) => text);
  expect(first).toContain("and it stays as it\nstands above: `===UNCHANGED===`");
  expect(second).toContain("It\nkeeps that attempt; it does not bring back the text from before it.");
});

it("a step of a cascade may leave a treatment as the last attempt has it", async () => {
  const cascade = {
    direction: "up" as const,
    from: "chapters" as const,
    levels: [],
    iteration_id: "HEAD",
    feedback: "Darker",
  };
  const { start, scripted, folder } = await bookRun({
    files: planned,
    script: {
      revise: [treatment("It is lost."), "===UNCHANGED==="],
      judge: [refused, { json: { verdict: "approved", reasoning: "Fine." } }],
    },
    answers: { ...agreeable, continue: ["yes"] },
  });
  const { outcome, state } = await start({ target: "treatment", feedback: ["Bring it in line"], cascade });
  expect(outcome).toBe("done");
  expect(scripted.asked("revise")[0]!.text).toContain("Where it already agrees with the change, answer with one line");
  expect(state.attempts).toHaveLength(2);
  expect(readFileSync(`${folder}/treatment/treatment.md`, "utf8")).toContain("It is lost.");
});

it("prose that is written anew is told what was asked of the prose that is gone", async () => {
  const { test, scripted, ports } = await bookRun({
    files: written,
    script: { "revise-prose": [prose(2, "Dark.")] },
    answers: { ...agreeable, downstream: ["cull-all"] },
  });
  await begin(test, { ...dark, iteration_id: "a", feedback: ["Make chapter 2 darker, without adverbs"] });
  await begin(test, { iteration_id: "b" });
  expect((await begin(test.other(ports), { kind: "generate", target: "prose", iteration_id: "c" })).outcome).toBe(
    "done",
  );
  const { text } = scripted.asked("generate-prose")[0]!;
  expect(text).toContain("# What the author asked of the prose before");
  expect(text).toContain("1. Feedback: Make chapter 2 darker, without adverbs");
});

it("a taxonomy that holds nothing is left out, and goals of the prose are no goals of the plan", async () => {
  const goals = `${planned["project.yaml"]}chapter_words: 2100\n`;
  const blank = { genre: "", subgenres: [], tropes: [], tone: [], audience: "", pov: "", tense: "" };
  const { start, scripted } = await bookRun({
    files: { ...planned, "project.yaml": goals, "taxonomy.json": JSON.stringify(blank) },
    script: { revise: [blocks({ "chapter-beats/chapter-02.md": beats(2, "It is dark.") })] },
  });
  await start();
  for (const { text } of scripted.sent) expect(text).not.toContain("# What kind of book it is");
  expect(scripted.asked("revise")[0]!.system).toContain(
    "How long the prose of the chapters is to be (the plan itself is short",
  );
  expect(scripted.asked("judge")[0]!.system).not.toContain("2100");
});

it("a variant is told what changed elsewhere since its text was written", async () => {
  const { test, scripted } = await bookRun({
    files: written,
    script: { revise: [blocks({ "chapter-beats/chapter-01.md": beats(1, "Mara drowns the lamp.") })] },
    answers: { ...agreeable, variant: ["1"] },
  });
  await begin(test, { kind: "generate", target: "prose", iteration_id: "a", feedback: ["Anew"] });
  await begin(test, { iteration_id: "b", feedback: ["Make chapter 1 wetter"] });
  await begin(test, {
    target: "prose",
    iteration_id: "c",
    feedback: ["Colder"],
    variants: 2,
    file: "chapters/chapter-01.md",
  });
  const { text } = scripted.asked("variant")[0]!;
  expect(text).toContain("# What changed elsewhere since this was written");
  expect(text).toContain("+ Mara drowns the lamp.");
});
