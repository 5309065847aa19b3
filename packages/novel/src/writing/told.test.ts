// What writers and judges are told beside the text: the idea, what was turned down, the history of the plan, later prose.

import { describe, expect, it } from "vitest";
import {
  agreeable,
  answering,
  begin,
  bookRun,
  darker,
  empty,
  premise,
  prose,
  reaches,
  treatment,
  written,
} from "../../../../test/fakes/book-runs.ts";

const chapterTwo = { read: [reaches(2)] };
const revision = { target: "prose" as const, feedback: ["Make chapter 2 darker"] };

describe("the writer is told", () => {
  it("the idea that the book began with, on every level below", async () => {
    const { test, scripted } = await bookRun({
      files: empty,
      script: { revise: [{ json: { ...premise, tone: "dark" } }, treatment("It is lost.")] },
    });
    const idea = "A keeper finds her own name in the ledger";
    await begin(test, { kind: "generate", target: "premise", feedback: [idea], iteration_id: "a" });
    await begin(test, { kind: "generate", target: "treatment", iteration_id: "b" });
    await begin(test, { target: "treatment", feedback: ["Let it be lost"], iteration_id: "c" });
    const told = scripted.asked("revise").at(-1)!.text;
    expect(told).toContain(`# The idea that the book began with\n\n${idea}`);
  });

  it("what was turned down since the last change that was taken, and no longer once one was", async () => {
    const { test, scripted, ports } = await bookRun({
      files: written,
      script: { ...chapterTwo, "revise-prose": [prose(2, "Dusk."), prose(2, "Dark."), prose(2, "Night.")] },
      answers: { ...agreeable, accept: ["no"] },
    });
    await begin(test, { ...revision, iteration_id: "a" });
    const taken = test.other({ ...ports, answers: answering(agreeable) });
    await begin(taken, { ...revision, feedback: ["Make chapter 2 darker, with rain"], iteration_id: "b" });
    await begin(taken, { ...revision, feedback: ["Make chapter 2 shorter"], iteration_id: "c" });
    const [first, second, third] = scripted.asked("revise-prose").map(({ text }) => text);
    expect(first).not.toContain("turned down");
    expect(second).toMatch(
      /# What the author turned down[\s\S]*"Make chapter 2 darker" → Chapter 2: the lamp goes out/,
    );
    expect(third).not.toContain("turned down");
  });

  it("the history of the plan, where prose is written", async () => {
    const { test, scripted } = await bookRun({
      files: written,
      script: {
        revise: [darker("It goes out.")],
        read: [{ json: { all: true } }, reaches(2)],
        "revise-prose": [prose(2, "Dark.")],
      },
    });
    await begin(test, { feedback: ["Let the lamp go out in chapter 2"], iteration_id: "a" });
    await begin(test, { ...revision, iteration_id: "b" });
    const told = scripted.asked("revise-prose")[0]!.text;
    expect(told).toMatch(/# What was asked and changed in the plan[\s\S]*Let the lamp go out in chapter 2/);
  });

  it("the passages that changed at the heart, however far back, and of a chapter between that did not change its end", async () => {
    const between = prose(2, "It was late. ".repeat(200));
    const files = { ...written, "chapters/chapter-02.md": between };
    const json = {
      files: [1, 3].map((n) => ({ file: `chapter-${n}`, kind: n === 1 ? "heart" : "after", does: "more" })),
    };
    const { start, scripted } = await bookRun({
      files,
      script: { read: [{ json }], "revise-prose": [prose(1, "The lamp broke."), prose(3, "Dark.")] },
    });
    await start(revision);
    const [first, third] = scripted.asked("revise-prose").map(({ text }) => text);
    expect(first).not.toContain("# How the heart of the change reads now");
    expect(third).toMatch(
      /# How the heart of the change reads now[\s\S]*chapter-1:\n\nMara climbed the stairs\. The lamp broke\.\n/,
    );
    expect(third).toMatch(/# The prose just before it[\s\S]*A horn sounded from the dark\./);
    expect(third).not.toContain("Chapter 2: Night 2\n\nMara climbed");
  });

  it("the prose that follows a chapter, and the structure of all chapters", async () => {
    const files = { ...written, "chapters/chapter-03.md": prose(3, "The lamp burned all night.") };
    const { start, scripted } = await bookRun({
      files,
      script: { ...chapterTwo, "revise-prose": [prose(2, "Dark.")] },
    });
    await start(revision);
    const told = scripted.asked("revise-prose")[0]!.text;
    expect(told).toMatch(/# The prose that follows it[\s\S]*The lamp burned all night\./);
    for (const number of [1, 2, 3])
      expect(told).toContain(`${number}. Chapter ${number}: Night ${number}: Mara lights the lamp.`);
  });
});
