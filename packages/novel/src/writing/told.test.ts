// What writers and judges are told beside the text: the idea, what was turned down, the history of the plan, later prose.

import { UsageError } from "@loopwright/core";
import { describe, expect, it } from "vitest";
import {
  agreeable,
  answering,
  beats,
  begin,
  blocks,
  bookRun,
  empty,
  premise,
  prose,
  taskOf,
  treatment,
  written,
} from "../../../../test/fakes/book-runs.ts";
import { novel } from "../index.ts";

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
      script: { "revise-prose": [prose(2, "Dusk."), prose(2, "Dark."), prose(2, "Night.")] },
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
        revise: [blocks({ "chapter-beats/chapter-02.md": beats(2, "It goes out.") })],
        "revise-prose": [prose(2, "Dark.")],
      },
    });
    await begin(test, { feedback: ["Let the lamp go out in chapter 2"], iteration_id: "a" });
    await begin(test, { ...revision, iteration_id: "b" });
    const told = scripted.asked("revise-prose")[0]!.text;
    expect(told).toMatch(/# What was asked and changed in the plan[\s\S]*Let the lamp go out in chapter 2/);
  });

  it("the prose that follows a chapter, and the structure of all chapters", async () => {
    const files = { ...written, "chapters/chapter-03.md": prose(3, "The lamp burned all night.") };
    const { start, scripted } = await bookRun({ files, script: { "revise-prose": [prose(2, "Dark.")] } });
    await start(revision);
    const told = scripted.asked("revise-prose")[0]!.text;
    expect(told).toMatch(/# The prose that follows it[\s\S]*The lamp burned all night\./);
    for (const words of ["# Chapter 1: Night 1\n\n## Act", "# Chapter 3: Night 3\n\n## Act"])
      expect(told).toContain(words);
  });
});

describe("a run of the first version", () => {
  it("goes on after the question that it waited at, on its whole level", async () => {
    const first = { ...novel, version: 1, start: "check" } as typeof novel;
    const { test, scripted } = await bookRun({
      files: written,
      answers: { detail: ["skip"], accept: ["yes"] },
      script: { "revise-prose": [1, 2, 3].map((number) => prose(number, "Dark.")) },
    });
    const task = { ...revision, target: "chapters" as const };
    const { run, gate } = await test.engine.start(first, taskOf(task));
    expect(gate?.name).toBe("downstream");
    await test.engine.answer(run, "keep-all");
    const { outcome } = await test.engine.resume(novel, run);
    expect(outcome).toBe("done");
    expect(scripted.asked("revise")[0]!.text).toContain("# The level as it is: chapters");
  });
});

describe("a run of the second version", () => {
  it("goes on at a phase that has another name now", async () => {
    const { test } = await bookRun({
      files: written,
      answers: { detail: ["skip"], accept: ["yes"] },
      script: { "revise-prose": [1, 2, 3].map((number) => prose(number, "Dark.")) },
    });
    const { run: asIs } = novel.phases.accept!;
    const accept: typeof asIs = async (...given) => {
      const result = await asIs(...given);
      return result.kind === "goto" ? { ...result, to: "finalise" } : result;
    };
    let run = "";
    const stop: typeof asIs = (_state, ctx) => {
      run = ctx.run;
      throw new UsageError("STOPPED", "stopped here");
    };
    const second = {
      ...novel,
      version: 2,
      phases: { ...novel.phases, accept: { run: accept, to: ["finalise"] }, finalise: { run: stop, to: [] } },
    } as unknown as typeof novel;
    await expect(test.engine.start(second, taskOf(revision))).rejects.toThrow("stopped here");
    expect((await test.engine.resume(novel, run)).outcome).toBe("done");
  });
});
