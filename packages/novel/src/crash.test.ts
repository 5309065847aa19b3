// Runs that are killed: before and after every one of their commits, in a real project folder. The same end, no recorded
// request sent again (L1, L2), and the work tree is at every moment either as it was or as it was accepted, never between.

import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  Crash,
  doomed,
  type Fate,
  memoryEngine,
  runOf,
  type ScriptedModels,
  scriptedModels,
  type TestEngine,
} from "@loopwright/core/testing";
import { describe, expect, it } from "vitest";
import {
  agreeable,
  answering,
  approved,
  type BookOptions,
  begin,
  bookRun,
  darker,
  refused,
  scriptOf,
  written,
} from "../../../test/fakes/book-runs.ts";
import { git, subjects, treeOf } from "../../../test/fixtures/novel-repository/project.ts";
import { type NovelTask, novel } from "./index.ts";

interface World {
  folder: string;
  survivor: TestEngine;
  scripted: ScriptedModels;
  ports: Parameters<TestEngine["other"]>[0];
}

/** What of a project a person sees. */
function visible(folder: string): Record<string, string> {
  return Object.fromEntries(Object.entries(treeOf(folder)).filter(([path]) => !path.startsWith(".agentic/")));
}

/** A project made once, of which every run gets a copy of the same name. */
async function worlds({ files, script, answers = agreeable }: BookOptions): Promise<() => World> {
  const { folder: template } = await bookRun(files ? { files } : {});
  return () => {
    const folder = join(mkdtempSync(join(tmpdir(), "novel-crash-")), "book");
    cpSync(template, folder, { recursive: true });
    const scripted = scriptedModels(scriptOf(script));
    const ports = { models: scripted.models, project: folder, answers: answering(answers) };
    return { folder, scripted, ports, survivor: memoryEngine(ports) };
  };
}

/** What must be the same however often a run was killed; a commit's name has the time in it. */
async function endOf({ survivor, folder }: World, run: string) {
  const { outcome, iterations, state } = await survivor.engine.resume(novel, run);
  const saved = (await survivor.chain(run)).flatMap((event) =>
    event.type === "artifact-saved" && !event.artifact.path.endsWith("iteration.md") ? [event.artifact] : [],
  );
  const { commit: _, base, ...rest } = state;
  const files = new Map(saved.map(({ path, digest }) => [path, digest]));
  const status = git(folder, "status", "--porcelain");
  const { base: __, ...told } = { ...rest, base: { ...base, commit: "" } };
  return { outcome, iterations, state: told, files, tree: treeOf(folder), subjects: subjects(folder), status };
}

/** Kills a process at every commit, one after the other: each does one commit's work, twice where it dies before it. */
async function killAtEveryCommit(at: World, task: Partial<NovelTask>, states: ReturnType<typeof visible>[]) {
  let deaths = 0;
  for (let side: "before" | "after" = "before"; ; side = side === "before" ? "after" : "before") {
    let hasFallen = false;
    const fate: Fate = (event) => {
      // What only says that a process takes up what another left is no progress of the run.
      const isTakenUp = event.type === "run-resumed" || (event.type === "effect-started" && event.tries > 1);
      if (hasFallen || isTakenUp) return undefined;
      hasFallen = true;
      return side;
    };
    const dying = doomed(at.survivor, fate, at.ports);
    const known = await at.survivor.journal.runs();
    const work = known.length === 0 ? begin(dying, task) : dying.engine.resume(novel, known[0]!);
    const result = await work.catch((error: unknown) => error);
    if (!(result instanceof Crash)) return deaths;
    deaths += 1;
    expect(states, `death ${deaths}`).toContainEqual(visible(at.folder));
    if (deaths > 500) throw new Error("the run makes no progress");
  }
}

const rich: BookOptions = {
  files: written,
  script: {
    revise: ["no files", darker("one"), darker("two")],
    judge: ["no verdict", refused, approved],
    "semantic-diff": [scriptOf()["semantic-diff"][0]!],
  },
  answers: {
    downstream: ["cull-all"],
    continue: ["view-partial", "yes"],
    detail: ["chapter-2", "skip", "skip"],
    accept: ["diff", "yes"],
  },
};

/** A book of which only the prose is known. */
const imported = Object.fromEntries(
  Object.entries(written).filter(([path]) => !/^(premise|treatment|chapter-beats)/.test(path)),
);

describe("an iteration whose process dies at every commit", () => {
  const cases: [name: string, options: BookOptions, task: Partial<NovelTask>, outcome: string][] = [
    ["with two rounds, a look at each, and a cull", rich, {}, "done"],
    ["that is rejected", { files: written, answers: { ...agreeable, accept: ["no"] } }, {}, "declined"],
    ["of prose", { files: written }, { target: "prose", feedback: ["Make it dark"] }, "done"],
    ["that derives chapters from prose", { files: imported }, { kind: "derive", target: "chapters" }, "done"],
    ["that generates prose for the first time", {}, { kind: "generate", target: "prose" }, "done"],
    [
      "of a person's own",
      {},
      {
        kind: "edit",
        target: "treatment",
        edited: [
          { path: "treatment/treatment.md", content: written["treatment/treatment.md"]!.replace("saved", "lost") },
        ],
      },
      "done",
    ],
  ];

  it.each(cases)("%s ends as if none had died", { timeout: 600_000 }, async (_name, options, task, outcome) => {
    const make = await worlds(options);
    const whole = make();
    const before = visible(whole.folder);
    const { run } = await begin(whole.survivor, task);
    const expected = await endOf(whole, run);
    expect(expected).toMatchObject({ outcome, status: "" });

    const at = make();
    const deaths = await killAtEveryCommit(at, task, [before, visible(whole.folder)]);
    expect(deaths).toBeGreaterThan(40);
    expect(await endOf(at, await runOf(at.survivor))).toEqual(expected);
    const keys = (sent: ScriptedModels["sent"]) => new Set(sent.map(({ key }) => key));
    expect(keys(at.scripted.sent).size).toBe(keys(whole.scripted.sent).size);
    for (const { folder } of [whole, at]) rmSync(join(folder, ".."), { recursive: true });
  });
});

describe("an iteration that is killed once", () => {
  it("before or after any of its commits ends the same, and sends no recorded request again", {
    timeout: 600_000,
  }, async () => {
    const make = await worlds({ files: written, answers: { ...agreeable, downstream: ["cull-all"] } });
    const whole = make();
    const before = visible(whole.folder);
    const { fate: counting, starts } = commitStarts();
    const { run: first } = await begin(doomed(whole.survivor, counting, whole.ports));
    const expected = await endOf(whole, first);
    const after = visible(whole.folder);
    expect(expected.outcome).toBe("done");

    // After a commit is before the next one, but for an effect: it may or may not have been carried out.
    const deaths = starts.flatMap(({ nth, type }) => [
      ...(nth === 1 ? [] : [{ nth, side: "before" as const }]),
      ...(type === "effect-started" || type === "run-ended" ? [{ nth, side: "after" as const }] : []),
    ]);
    for (const { nth, side } of deaths) {
      const at = make();
      let count = 0;
      const dying = doomed(at.survivor, () => (++count === nth ? side : undefined), at.ports);
      await expect(begin(dying), `killed ${side} event ${nth}`).rejects.toThrow(Crash);
      expect([before, after], `killed ${side} event ${nth}`).toContainEqual(visible(at.folder));
      const run = await runOf(at.survivor);
      const recorded = await recordedCalls(at, run);
      const sent = at.scripted.sent.length;
      expect(await endOf(at, run), `killed ${side} event ${nth}`).toEqual(expected);
      const again = at.scripted.sent.slice(sent).filter(({ key }) => recorded.has(key));
      expect(again, `killed ${side} event ${nth}`).toEqual([]);
      rmSync(join(at.folder, ".."), { recursive: true });
    }
    expect(deaths.length).toBeGreaterThan(40);
    rmSync(join(whole.folder, ".."), { recursive: true });
  });
});

/** Notes which events begin a commit: those of one commit are written together or not at all. */
function commitStarts(): { fate: Fate; starts: { nth: number; type: string }[] } {
  const starts: { nth: number; type: string }[] = [];
  let [count, isOpen] = [0, false];
  const fate: Fate = ({ type }) => {
    count += 1;
    if (!isOpen) starts.push({ nth: count, type });
    isOpen = true;
    queueMicrotask(() => {
      isOpen = false;
    });
    return undefined;
  };
  return { fate, starts };
}

/** The keys of the model calls that are on record. */
async function recordedCalls({ survivor, scripted }: World, run: string): Promise<Set<string>> {
  const finished = (await survivor.chain(run)).filter(
    (event) => event.type === "effect-finished" && event.key.endsWith("/ask"),
  );
  return new Set(scripted.sent.slice(0, finished.length).map(({ key }) => key));
}
