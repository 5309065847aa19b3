// The words of prompts where a model could misread them: languages, marks, what was said, and what is left out.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import {
  agreeable,
  approved,
  begin,
  bookRun,
  darker,
  planned,
  prose,
  reaches,
  refused,
  treatment,
  written,
} from "../../../../test/fakes/book-runs.ts";

const dark = { target: "prose" as const, feedback: ["Make chapter 2 darker"] };
const two = { read: [reaches(2)], "revise-prose": [prose(2, "Dusk."), prose(2, "Dark.")] };

it("a language is called by its name, also where readers, judges and summarizers answer the author", async () => {
  const german = { "project.yaml": `${written["project.yaml"]}language: de\n` };
  const { start, scripted } = await bookRun({ files: { ...written, ...german }, script: two });
  await start(dark);
  const told = (id: string) => ((asked) => `${asked.system}\n${asked.text}`)(scripted.asked(id)[0]!);
  expect(told("read")).toContain("a few words for the author to read, in German");
  expect(told("revise-prose")).toContain("is written in German");
  expect(told("judge")).toContain("Write all of it in German");
  expect(told("semantic-diff")).toContain("Write in German");
  for (const { text, system } of scripted.sent) expect(`${system}\n${text}`).not.toMatch(/\bin de\b|: de$/m);
});

it("a second attempt knows what ===UNCHANGED=== leaves in place, and the summarizer what the author said", async () => {
  const { start, scripted } = await bookRun({
    ...{ files: written, script: { ...two, judge: [refused, approved] } },
    answers: { ...agreeable, continue: ["yes: keep the horn"] },
  });
  await start(dark);
  const [first, second] = scripted.asked("revise-prose").map(({ text }) => text);
  expect(first).toContain("and it stays as it\nstands above: `===UNCHANGED===`");
  expect(second).toContain("It\nkeeps that attempt; it does not bring back the text from before it.");
  expect(scripted.asked("semantic-diff")[0]!.text).toContain("On attempt 1, beside the judge's words: keep the horn");
});

it("missing ripples are asked for only where there are files that did not change and the change is not a person's own", async () => {
  const { test, scripted } = await bookRun({ files: written, script: { ...two, revise: [treatment("It is lost.")] } });
  await begin(test, { ...dark, iteration_id: "a" });
  await begin(test, { target: "treatment", feedback: ["Let it be lost"], iteration_id: "b" });
  await begin(test, {
    ...{ target: "prose", kind: "edit", feedback: [], iteration_id: "c" },
    edited: [{ path: "chapters/chapter-01.md", content: prose(1, "Mine.") }],
  });
  const [named, single, own] = scripted.asked("judge").map(({ text }) => text);
  expect(named).toContain("`missing`: each file among those that did not change");
  expect(single).not.toMatch(/`missing`|did not change,/);
  expect(own).not.toContain("`missing`");
  expect(own).toContain("say so in `reasoning`, with its name");
});

it("a judge's form asks for nothing that its prompt does not speak of", async () => {
  const { test, scripted } = await bookRun({ files: written, script: two });
  await begin(test, { ...dark, iteration_id: "a" });
  const edited = [1, 3].map((number) => ({ path: `chapters/chapter-0${number}.md`, content: prose(number, "Mine.") }));
  await begin(test, { target: "prose", kind: "edit", feedback: [], iteration_id: "b", edited });
  const [one, own] = scripted.asked("judge").map(({ request }) => JSON.stringify(request.schema));
  expect(one).not.toContain('"revise"');
  expect(one).toContain('"missing"');
  expect(own).toContain('"revise"');
  expect(own).not.toMatch(/"missing"|"superfluous"/);
});

it("the items of a judge's answer are those of the feedback", async () => {
  const { start, scripted } = await bookRun({ files: written, script: two });
  await start({ ...dark, feedback: ["Make chapter 2 darker", "Let it rain"] });
  expect(scripted.asked("judge")[0]!.text).toContain("not about the criteria: an entry for each of its 2 items");
});

it("the summarizer is told what the judge found wrong", async () => {
  const { start, scripted } = await bookRun({
    ...{ files: written, script: { ...two, judge: [refused] } },
    answers: { ...agreeable, continue: ["no"] },
  });
  await start(dark);
  expect(scripted.asked("semantic-diff")[0]!.text).toContain("The lamp burns.");
});

it("a step of a cascade may leave a treatment as the last attempt has it", async () => {
  const { start, scripted, folder } = await bookRun({
    script: { revise: [treatment("It is lost."), "===UNCHANGED==="], judge: [refused, approved] },
    answers: { ...agreeable, continue: ["yes"] },
  });
  const follows = { level: "chapters" as const, direction: "up" as const };
  const { outcome, state } = await start({ target: "treatment", feedback: ["Bring it in line"], follows });
  expect(outcome).toBe("done");
  expect(scripted.asked("revise")[0]!.text).toContain("Where it already agrees with the change, answer with one line");
  expect(state.attempts).toHaveLength(2);
  expect(readFileSync(join(folder, "treatment/treatment.md"), "utf8")).toContain("It is lost.");
});

it("prose that is written anew is told what was asked of the prose that is gone", async () => {
  const { test, scripted } = await bookRun({
    ...{ files: written, script: { ...two, read: [reaches(2)] } },
    answers: { ...agreeable, downstream: ["cull-all"] },
  });
  await begin(test, { ...dark, iteration_id: "a", feedback: ["Make chapter 2 darker, without adverbs"] });
  await begin(test, { iteration_id: "b" });
  const { outcome } = await begin(test, { kind: "generate", target: "prose", iteration_id: "c" });
  expect(outcome).toBe("done");
  const { text } = scripted.asked("generate-prose")[0]!;
  expect(text).toContain("# What the author asked of the prose before");
  expect(text).toContain("1. Feedback: Make chapter 2 darker, without adverbs");
});

it("a taxonomy that holds nothing is left out, and goals of the prose are no goals of the plan", async () => {
  const goals = `${planned["project.yaml"]}chapter_words: 2100\n`;
  const blank = { genre: "", subgenres: [], tropes: [], tone: [], audience: "", pov: "", tense: "" };
  const { start, scripted } = await bookRun({
    files: { ...planned, "project.yaml": goals, "taxonomy.json": JSON.stringify(blank) },
    script: { revise: [darker("It is dark.")] },
  });
  await start();
  for (const { text } of scripted.sent) expect(text).not.toContain("# What kind of book it is");
  expect(scripted.asked("revise")[0]!.system).toContain(
    "How long the prose of the chapters is to be (the plan itself is short",
  );
});
