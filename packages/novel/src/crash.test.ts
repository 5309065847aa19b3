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
  beatFiles,
  beats,
  blocks,
  darker,
  planned,
  prose,
  reaches,
  refused,
  scriptOf,
  summary,
  taskOf,
  written,
} from "../../../test/fakes/book-runs.ts";
import { git, openNovel, subjects, treeOf } from "../../../test/fixtures/novel-repository/project.ts";
import { temporaryFolder } from "../../../test/fixtures/workspaces/workspace.ts";
import { type NovelTask, novel } from "./index.ts";
import { gates } from "./said.ts";

/** What of a project a person sees. */
function visible(folder: string): Record<string, string> {
  return Object.fromEntries(Object.entries(treeOf(folder)).filter(([path]) => !path.startsWith(".agentic/")));
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
      expect([before, after]).toContainEqual(visible(folder));
      return scripted.sentOnce(test);
    },
  });
  console.log(`kill points tried: ${points}`);
  return { points, end };
}

/** Every gate, an answer without a form of each role, two rounds, a look at each, and a cull. */
const rich: BookOptions = {
  files: written,
  script: {
    read: ["no files", { json: { question: "Better in which way?" } }, { json: { all: true } }],
    revise: ["no files", darker("one"), darker("two")],
    judge: ["no verdict", refused, approved],
    reply: [{ json: { choice: "unclear" } }, { json: { choice: "yes", note: "colder" } }],
    "semantic-diff": [summary],
  },
  answers: {
    downstream: ["cull-all"],
    clarify: ["say: darker"],
    continue: ["view-partial", "say: hm", "say: ja, aber kälter"],
    detail: ["yes", "chapter-2", "skip", "skip"],
    accept: ["diff", "yes"],
  },
};

/** A judge that cannot be read at first, then misses a file and wants another as it was. */
const reached: BookOptions = {
  files: written,
  script: {
    read: [{ json: { look_for: ["lantern"], open: ["chapter-3"] } }, reaches(1, 2)],
    "revise-prose": [prose(1, "The lamp was dark."), prose(2, "It stayed dark."), prose(3, "Still.")],
    judge: [
      ...["?", "?", "?", "?"],
      {
        json: {
          ...{ verdict: "needs_revision", reasoning: "Look beyond." },
          missing: [{ file: "chapter-3", why: "It burns there." }],
          superfluous: [{ file: "chapter-2", why: "Nobody asked." }],
        },
      },
      approved,
    ],
  },
  answers: { ...agreeable, continue: ["yes"], accept: ["say: fast", "yes"] },
};

const iterate: Partial<NovelTask> = { target: "prose", feedback: ["Make it darker"] };
const long = `# Chapter 1: Night 1\n\n${Array.from({ length: 90 }, (_, at) => `Night ${at} ${"and the sea went on ".repeat(20)}.`).join("\n\n")}\n`;
const both = blocks({
  ...beatFiles,
  "chapter-beats/chapter-02.md": beats(2, "It rains."),
  "chapter-beats/chapter-03.md": beats(3, "Hail."),
});

/** A book of which only the prose is known, and one whose second chapter is to follow its plan. */
const imported = Object.fromEntries(
  Object.entries(written).filter(([path]) => !/^(premise|treatment|chapter-beats)/.test(path)),
);
const behind = { "chapters/chapter-02.md": { "chapter-beats/chapter-02.md": "0123456789abcdef" } };

describe("an iteration whose process dies at every commit", () => {
  const cases: [name: string, options: BookOptions, task: Partial<NovelTask>, outcome?: string][] = [
    ["with every gate but that of variants", rich, { feedback: ["Make it better"], may_ask_back: true }],
    [
      "with variants to choose from",
      {
        ...{ files: written, answers: { ...agreeable, variant: ["say: keine", "1"] } },
        script: { reply: [{ json: { choice: "none", note: "too cute" } }], variant: [prose(1, "Colder.")] },
      },
      { target: "prose", feedback: ["Colder"], variants: 2, file: "chapters/chapter-01.md" },
    ],
    ["whose judge changes what is written", reached, iterate],
    [
      "of a chapter in parts",
      {
        files: { ...written, "chapters/chapter-01.md": long },
        script: { read: [reaches(1)], "revise-prose": ["===UNCHANGED===", "It was dark."] },
      },
      iterate,
    ],
    [
      "of which some files are taken, and then another attempt",
      {
        files: written,
        script: { revise: [both] },
        answers: { ...agreeable, accept: ["some: 2", "again: more", "yes"] },
      },
      {},
    ],
    ["that is rejected", { files: written, answers: { ...agreeable, accept: ["no: too dark"] } }, {}, "declined"],
    [
      "of a prologue",
      {
        files: { ...written, "chapters/prologue.md": "# Prologue\n\nIt was light.\n" },
        script: { read: [reaches("prologue")], "revise-prose": ["# Prologue\n\nIt was dark.\n"] },
      },
      iterate,
    ],
    ["that derives chapters from prose", { files: imported }, { kind: "derive", target: "chapters" }],
    ["that generates prose for the first time", {}, { kind: "generate", target: "prose" }],
    [
      "that is a step of a cascade",
      {
        files: { ...written, "staleness.json": `${JSON.stringify({ files: behind })}\n` },
        script: { "revise-prose": [prose(2, "It was dark.")] },
      },
      { ...iterate, follows: { level: "chapters", direction: "down" } },
    ],
    [
      "of a person's own",
      {},
      {
        ...{ kind: "edit", target: "treatment" },
        edited: [
          { path: "treatment/treatment.md", content: written["treatment/treatment.md"]!.replace("saved", "lost") },
        ],
      },
    ],
    [
      "whose condition does not hold",
      {
        script: {
          read: [{ json: { conditions: [{ item: 1, condition: "if", holds: false, reasoning: "It is dark." }] } }],
        },
      },
      {},
      "declined",
    ],
    ["that is a question about the book", {}, { kind: "ask", feedback: ["Who is Mara?"] }],
  ];

  it("comes to every question there is", () => {
    const asked = new Set(cases.flatMap(([, { answers = agreeable }]) => Object.keys(answers)));
    expect(Object.keys(gates).filter((name) => !asked.has(name))).toEqual([]);
  });

  const isSoak = process.env.SOAK === "novel";
  it.each(isSoak ? cases : cases.slice(0, 1))(
    "%s ends as if none had died",
    { timeout: 600_000 },
    async (_name, options, task, outcome = "done") => {
      const { points, end } = await kill(options, task, true);
      expect(end).toMatchObject({ outcome, seen: { status: "" } });
      expect(points).toBeGreaterThan(20);
    },
  );

  const once = async () => {
    const { points, end } = await kill(
      { files: written, answers: { ...agreeable, downstream: ["cull-all"] } },
      {},
      false,
    );
    expect(end.outcome).toBe("done");
    expect(points).toBeGreaterThan(100);
  };
  if (isSoak) it("once, before or after any of them, ends the same", { timeout: 3_600_000 }, once);
});
