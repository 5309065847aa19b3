// Runs that are killed: before and after every one of their commits, in a real project folder. The same end, no recorded
// request sent again (L1, L2), and the work tree is at every moment either as it was or as it was accepted, never between.
//
// `npm test` kills the richest iteration; `npm run soak -- novel` all of them.

import { cpSync } from "node:fs";
import { join } from "node:path";
import { killAtEveryCommit, scriptedModels } from "@loopwright/core/testing";
import { describe, expect, it } from "vitest";
import {
  agreeable,
  answering,
  approved,
  type BookOptions,
  beats,
  blocks,
  darker,
  planned,
  prose,
  refused,
  scriptOf,
  taskOf,
  written,
} from "../../../test/fakes/book-runs.ts";
import { git, openNovel, subjects, treeOf } from "../../../test/fixtures/novel-repository/project.ts";
import { temporaryFolder } from "../../../test/fixtures/workspaces/workspace.ts";
import { gates } from "./gates.ts";
import { type NovelTask, novel } from "./index.ts";

/** What of a project a person sees. */
function visible(folder: string): Record<string, string> {
  return Object.fromEntries(Object.entries(treeOf(folder)).filter(([path]) => !path.startsWith(".agentic/")));
}

/** The same once its kept passages are released, which is a commit of its own. */
function released(files: Record<string, string>): Record<string, string> {
  const free = (text: string) => text.replace(/<!-- keep -->\n|\n<!-- \/keep -->/g, "");
  return Object.fromEntries(Object.entries(files).map(([path, text]) => [path, free(text)]));
}

/** Kills an iteration in copies of one project, which have the same name. */
async function kill(
  { files = planned, script, answers = agreeable }: BookOptions,
  task: Partial<NovelTask>,
  inOneRun: boolean,
) {
  const { folder: template } = await openNovel(files);
  const before = visible(template);
  let after: typeof before | undefined;
  const { points, end } = await killAtEveryCommit({
    loop: novel,
    input: taskOf(task),
    inOneRun,
    world: () => {
      const folder = join(temporaryFolder(), "book");
      cpSync(template, folder, { recursive: true });
      const scripted = scriptedModels(scriptOf(script));
      return { folder, scripted, ports: { models: scripted.models, project: folder, answers: answering(answers) } };
    },
    observe: ({ folder, scripted: { sent } }) => {
      after ??= visible(folder);
      const calls = new Set(sent.map(({ key }) => key)).size;
      return { tree: treeOf(folder), subjects: subjects(folder), status: git(folder, "status", "--porcelain"), calls };
    },
    // A commit's name has the time in it.
    comparable: ({ reason, state, files, ...rest }) => ({
      ...rest,
      reason: reason.replace(state.commit?.slice(0, 10) ?? "", ""),
      state: {
        ...{ ...state, commit: "" },
        ...(state.base && { base: { ...state.base, commit: "" } }),
        attempts: state.attempts.map((attempt) => ({ ...attempt, on: "" })),
      },
      files: { ...files, "attempt-000/iteration.md": "" },
    }),
    between: ({ folder, scripted }, test) => {
      expect([before, released(before), after]).toContainEqual(visible(folder));
      return scripted.sentOnce(test);
    },
  });
  console.log(`kill points tried: ${points}`);
  return { points, end };
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
    full: ["yes"],
    accept: ["diff", "yes"],
  },
};

/** Everything that can be said in words: a question back, a rejection with its reason, a yes with what comes next. */
const spoken: BookOptions = {
  files: written,
  script: { revise: [darker("one"), darker("two")] },
  answers: {
    ...agreeable,
    clarify: ["answer: darker"],
    accept: ["no: it is too cute", "yes: more rain"],
    next: ["yes"],
  },
};

/** Two chapters are reached, one is added, and then a judge that cannot be read names a third. */
const reached: BookOptions = {
  files: written,
  script: {
    reach: [
      "no files",
      { json: { look_for: ["lantern", "1937"] } },
      { json: { files: [{ file: "chapter-1", why: "it begins there" }] } },
    ],
    "revise-prose": [prose(1, "The lamp was dark."), prose(2, "It stayed dark.")],
    judge: [
      ...["?", "?", "?", "?"],
      {
        json: {
          verdict: "approved",
          reasoning: "Dark.",
          elsewhere: [{ file: "chapter-2", contradiction: "It burns there." }],
        },
      },
      approved,
    ],
  },
  answers: { ...agreeable, reach: ["yes", "yes"], unreadable: ["again"] },
};

/** A book with a passage that stays, and with a prologue. */
const keeping = {
  ...written,
  "chapters/prologue.md": "# Prologue\n\nIt was light.\n",
  "chapters/chapter-01.md": prose(1, "<!-- keep -->The oath.<!-- /keep -->"),
};

/** A book of which only the prose is known. */
const imported = Object.fromEntries(
  Object.entries(written).filter(([path]) => !/^(premise|treatment|chapter-beats)/.test(path)),
);

/** A book whose second chapter is to follow its plan. */
const cascading = {
  generated_from: {},
  files: { "chapters/chapter-02.md": { "chapter-beats/chapter-02.md": "0123456789abcdef" } },
  cascade: { direction: "down", from: "chapters", levels: ["prose"], iteration_id: "it-0", feedback: "Darker" },
} as const;

describe("an iteration whose process dies at every commit", () => {
  const cases: [name: string, options: BookOptions, task: Partial<NovelTask>, outcome: string][] = [
    ["with two rounds, a look at each, and a cull", rich, {}, "done"],
    ["answered in words", spoken, { feedback: ["Make it better"], may_ask_back: true }, "done"],
    [
      "with variants to choose from",
      { files: written, answers: { ...agreeable, variant: ["none: too cute", "parts: 9:9", "parts: 1:1 2:2-"] } },
      { target: "prose", feedback: ["Colder"], variants: 2, file: "chapters/chapter-01.md" },
      "done",
    ],
    [
      "that releases a kept passage",
      {
        files: {
          ...written,
          "chapters/chapter-01.md": prose(1).replace(/^A horn.*$/m, "<!-- keep -->\n$&\n<!-- /keep -->"),
        },
        answers: { ...agreeable, kept: ["release"] },
      },
      { target: "prose", feedback: ['Make "a horn sounded" in chapter 1 louder'] },
      "done",
    ],
    ["whose condition holds", {}, { feedback: ["If it is too light, make chapter 2 darker"] }, "done"],
    [
      "whose cull sets kept passages aside and leaves a prologue",
      { files: keeping, answers: { ...agreeable, downstream: ["cull-all"] } },
      {},
      "done",
    ],
    [
      "that quotes a kept passage",
      {
        files: keeping,
        script: { "revise-prose": [prose(1, "<!-- keep -->The oath.<!-- /keep --> It was dark.")] },
        answers: { ...agreeable, kept: ["leave"] },
      },
      { target: "prose", feedback: ['Make chapter 1 darker after "The oath."'] },
      "done",
    ],
    [
      "of a prologue",
      { files: keeping, script: { "revise-prose": ["# Prologue\n\nIt was dark.\n"] } },
      { target: "prose", feedback: ["Make the prologue darker"] },
      "done",
    ],
    ["that begins a cascade", { files: written, answers: { ...agreeable, downstream: ["cascade"] } }, {}, "done"],
    [
      "of which some files are taken",
      {
        files: written,
        script: {
          revise: [
            blocks({
              "chapter-beats/chapter-02.md": beats(2, "It rains."),
              "chapter-beats/chapter-03.md": beats(3, "Hail."),
            }),
          ],
        },
        answers: { ...agreeable, reach: ["yes"], accept: ["some: 2", "yes"] },
      },
      { feedback: ["Let it rain in chapters 2 and 3"] },
      "done",
    ],
    [
      "that is rejected for good",
      { files: written, answers: { ...agreeable, accept: ["stop: too dark"] } },
      {},
      "declined",
    ],
    ["that is rejected", { files: written, answers: { ...agreeable, accept: ["no"] } }, {}, "declined"],
    ["of prose", { files: written }, { target: "prose", feedback: ["Make it dark"] }, "done"],
    ["that asks twice what it reaches", reached, { target: "prose", feedback: ["Let the lamp go out"] }, "done"],
    ["that derives chapters from prose", { files: imported }, { kind: "derive", target: "chapters" }, "done"],
    ["that generates prose for the first time", {}, { kind: "generate", target: "prose" }, "done"],
    [
      "that is a step of a cascade",
      {
        files: { ...written, "staleness.json": `${JSON.stringify(cascading)}\n` },
        script: { "revise-prose": [prose(2, "It was dark.")] },
      },
      { target: "prose", follows: { level: "chapters", direction: "down" as const } },
      "done",
    ],
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

  it("comes to every question there is", () => {
    const asked = new Set(cases.flatMap(([, { answers = agreeable }]) => Object.keys(answers)));
    expect(Object.keys(gates).filter((name) => !asked.has(name))).toEqual([]);
  });

  const tried = process.env.SOAK === "novel" ? cases : cases.slice(0, 1);
  it.each(tried)("%s ends as if none had died", { timeout: 600_000 }, async (_name, options, task, outcome) => {
    const { points, end } = await kill(options, task, true);
    expect(end).toMatchObject({ outcome, seen: { status: "" } });
    expect(points).toBeGreaterThan(120);
  });
});

describe("a run that writes nothing", () => {
  const cases: [name: string, options: BookOptions, task: Partial<NovelTask>, outcome: string][] = [
    [
      "whose condition does not hold",
      { script: { condition: [{ json: { holds: false, reasoning: "It is dark enough." } }] } },
      { feedback: ["If it is too light, make chapter 2 darker"] },
      "declined",
    ],
    ["that is a question about the book", {}, { kind: "ask", feedback: ["Who is Mara?"] }, "done"],
  ];

  it.each(cases)("%s ends as if none had died", { timeout: 600_000 }, async (_name, options, task, outcome) => {
    const { points, end } = await kill(options, task, true);
    expect(end).toMatchObject({ outcome, seen: { status: "" } });
    expect(points).toBeGreaterThan(25);
  });
});

describe("an iteration that is killed once", () => {
  it("before or after any of its commits ends the same", { timeout: 600_000 }, async () => {
    const options = { files: written, answers: { ...agreeable, downstream: ["cull-all"] } };
    const { points, end } = await kill(options, {}, false);
    expect(end.outcome).toBe("done");
    expect(points).toBeGreaterThan(100);
  });
});
