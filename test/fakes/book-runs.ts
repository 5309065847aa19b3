// Runs of the novel loop with scripted answers, in a real project folder with a real git repository.

import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { AnswerPolicy, Ports } from "@loopwright/core";
import {
  memoryEngine,
  type Scripted,
  type ScriptedModels,
  scriptedModels,
  type TestEngine,
} from "@loopwright/core/testing";
import { type NovelNotes, NovelTask, novel } from "@loopwright/novel";
import { openNovel } from "../fixtures/novel-repository/project.ts";
import { temporaryFolder } from "../fixtures/workspaces/workspace.ts";

export const premise = {
  title: "The Lamp",
  logline: "A lighthouse keeper must choose whom the light is for.",
  premise: "On an island that ships avoid, a keeper lights a lamp that no one has asked for.",
  genre: "literary",
  themes: ["duty"],
  tone: "quiet",
  setting: "an island",
  protagonist: { name: "Mara", want: "to be relieved", need: "to be seen", flaw: "pride" },
  antagonist: "the sea",
  stakes: "a ship with forty people",
  hook: "The lamp has never gone out, until tonight.",
};

/** A treatment; each test tells one from another by what it says of the ending. */
export function treatment(ending = "The ship is saved."): string {
  return `# The Lamp\n\n## Act 1: Dusk\n\nMara lights the lamp.\n\n## Act 2: Night\n\nThe lamp goes out.\n\n## Act 3: Dawn\n\n${ending}\n`;
}

/** The foundation of the chapters. */
export function foundation(tone = "quiet"): string {
  return `# Foundation\n\n## Metadata\n\nTone: ${tone}.\n\n## Characters\n\nMara keeps the lamp.\n\n## World\n\nAn island.\n`;
}

/** The beats of a chapter. */
export function beats(number: number, events = "Mara lights the lamp."): string {
  const parts = [
    "POV\n\nMara",
    `Key Events\n\n${events}`,
    "Character Development\n\nShe doubts.",
    "Emotional Beat\n\nFear.",
  ];
  const rest = ["New Information\n\nThe oil is low.", "Hook\n\nA horn sounds."];
  return `# Chapter ${number}: Night ${number}\n\n## Act\n\n1\n\n${[...parts, ...rest].map((part) => `## ${part}\n`).join("\n")}`;
}

/** A chapter of prose. */
export function prose(number: number, line = "The lamp burned low."): string {
  return `# Chapter ${number}: Night ${number}\n\nMara climbed the stairs. ${line}\n\nA horn sounded from the dark.\n`;
}

/** Files of a project by path. */
export type Files = Readonly<Record<string, string>>;

const settings: Files = {
  ".gitignore": ".loopwright/\nruns/\n.agentic/\n",
  "project.yaml": "title: The Lamp\ngenre: literary\ntarget_words: 900\nchapters: 3\n",
  "taxonomy.json": `${JSON.stringify({ genre: "literary", subgenres: [], tropes: [], tone: [], audience: "", pov: "third", tense: "past" }, null, 2)}\n`,
};

export const premiseFile: Files = { "premise/premise_metadata.json": `${JSON.stringify(premise, null, 2)}\n` };
export const treatmentFile: Files = { "treatment/treatment.md": treatment() };
export const beatFiles: Files = {
  "chapter-beats/foundation.md": foundation(),
  ...numbered(3, (number) => [`chapter-beats/chapter-0${number}.md`, beats(number)]),
};
export const proseFiles: Files = numbered(3, (number) => [`chapters/chapter-0${number}.md`, prose(number)]);

/** A book down to the level of its chapters. */
export const planned: Files = { ...settings, ...premiseFile, ...treatmentFile, ...beatFiles };
/** A book with its prose. */
export const written: Files = { ...planned, ...proseFiles };
/** A project in which nothing was generated yet. */
export const empty: Files = settings;

function numbered(count: number, make: (number: number) => [string, string]): Files {
  return Object.fromEntries(Array.from({ length: count }, (_, index) => make(index + 1)));
}

/** A writer's answer of several files. */
export function blocks(files: Files): string {
  return Object.entries(files)
    .map(([path, content]) => `===FILE: ${path}===\n${content}===END FILE===\n`)
    .join("");
}

/** The chapters with chapter 2 told in other words: what most iterations are answered with. */
export function darker(events = "Mara lets the lamp go out."): string {
  return blocks({ ...beatFiles, "chapter-beats/chapter-02.md": beats(2, events) });
}

/** A reader's answer: files that change, by number or name. */
export function reaches(...files: (number | string)[]): Scripted {
  const named = files.map((file) => (typeof file === "number" ? `chapter-${file}` : file));
  return {
    json: { files: named.map((file) => ({ file, kind: "heart", why: "it is meant", does: `change ${file}` })) },
  };
}

/** A judge's answers. */
export const approved: Scripted = { json: { verdict: "approved", reasoning: "Chapter 2 is dark now." } };
export const refused: Scripted = {
  json: {
    verdict: "needs_revision",
    reasoning: "Chapter 2 is still bright.",
    specific_issues: ["The lamp burns."],
    suggestions: ["Let it go out."],
  },
};

/** The summarizer's answer. */
export const summary: Scripted = {
  json: {
    summary: "Chapter 2 lets the lamp go out.",
    foundation: [],
    major: [
      { where: "Chapter 2", what: "the lamp goes out", before: "It burns.", after: "It is dark.", details: ["fear"] },
    ],
    moderate: [],
    minor: [],
    why_it_works: "It makes the dawn matter.",
    impact: ["Tone: darker"],
    risks: [],
  },
};

/** A script whose prompts all have an answer; a test gives those that matter to it. */
export function scriptOf(given: Readonly<Record<string, readonly Scripted[]>> = {}) {
  return {
    "generate-premise": [{ json: premise }],
    "generate-treatment": [treatment()],
    "generate-chapters": [blocks(beatFiles)],
    "generate-prose": [1, 2, 3].map((number) => prose(number)),
    read: [{ json: { all: true } }],
    revise: [darker()],
    "revise-prose": [prose(1, "The lamp was dark."), "===UNCHANGED===", "===UNCHANGED==="],
    "derive-chapter": [1, 2, 3].map((number) => beats(number)),
    derive: [foundation(), treatment(), { json: premise }],
    judge: [approved],
    "semantic-diff": [summary],
    variant: ["Close.", "Wider.", "Bold."].map((line) => prose(1, line)),
    talk: ["Mara keeps the lamp."],
    reply: [{ json: { choice: "unclear", back: "What do you mean?" } }],
    ...given,
  };
}

/** What is said to each gate, in order, a note behind a colon; the last answer again when there are no more. A gate without
 * any waits. */
export type GateAnswers = Readonly<Record<string, readonly string[]>>;

/** A person who looks at nothing closely and accepts. */
export const agreeable: GateAnswers = { downstream: ["keep-all"], detail: ["skip"], accept: ["yes"] };

/** Answers by gate, the same again for a gate that is asked again after a crash. */
export function answering(answers: GateAnswers): AnswerPolicy {
  const given = new Map<string, string>();
  const counts = new Map<string, number>();
  return ({ id, name }) => {
    const list = answers[name] ?? [];
    const count = counts.get(name) ?? 0;
    const choice = given.get(id) ?? list[Math.min(count, list.length - 1)];
    if (choice === undefined) return undefined;
    if (!given.has(id)) counts.set(name, count + 1);
    given.set(id, choice);
    const [word, ...note] = choice.split(": ");
    return { choice: word!, ...(note.length > 0 && { note: note.join(": ") }), by: "flag" };
  };
}

export interface BookOptions {
  files?: Files;
  script?: Readonly<Record<string, readonly Scripted[]>>;
  answers?: GateAnswers;
}

export interface BookRun {
  folder: string;
  test: TestEngine;
  scripted: ScriptedModels;
  ports: Pick<Ports, "models" | "project" | "answers">;
  /** Starts an iteration of the chapters, unless the task says otherwise. */
  start(task?: Partial<NovelTask>): ReturnType<typeof begin>;
}

/** A project with a repository, and an engine on it. */
export async function bookRun({ files = planned, script, answers = agreeable }: BookOptions = {}): Promise<BookRun> {
  const folder = await bookFolder(files);
  const scripted = scriptedModels(scriptOf(script));
  const ports = { models: scripted.models, project: folder, answers: answering(answers) };
  const test = memoryEngine(ports);
  return { folder, test, scripted, ports, start: (task) => begin(test, task) };
}

const templates = new Map<string, string>();

/** A folder with a book and its repository: a copy, for a repository of its own takes seconds. */
async function bookFolder(files: Files): Promise<string> {
  const key = JSON.stringify(files);
  let template = templates.get(key);
  if (template === undefined) {
    template = mkdtempSync(join(tmpdir(), "loopwright-book-"));
    const made = template;
    process.once("exit", () => rmSync(made, { recursive: true, force: true }));
    cpSync((await openNovel(files)).folder, template, { recursive: true });
    templates.set(key, template);
  }
  const folder = temporaryFolder();
  cpSync(template, folder, { recursive: true });
  return folder;
}

/** Starts a run of the novel loop. */
export function begin(test: TestEngine, task?: Partial<NovelTask>) {
  return test.engine.start(novel, taskOf(task), { seed: 1 });
}

/** An iteration of the chapters, unless the task says otherwise. */
export function taskOf(task: Partial<NovelTask> = {}): NovelTask {
  const given = { kind: "iterate", target: "chapters", iteration_id: "it-1", ...task };
  const feedback = task.feedback ?? (given.kind === "iterate" ? ["Make chapter 2 darker"] : []);
  return NovelTask.parse({ ...given, feedback });
}

/** The notes that a run left under a name, in order. */
export async function notesOf<Name extends keyof NovelNotes>(
  test: TestEngine,
  run: string,
  name: Name,
): Promise<NovelNotes[Name][]> {
  const chain = await test.chain(run);
  const data = chain.flatMap((event) => (event.type === "loop-noted" && event.name === name ? [event.data] : []));
  return data as unknown as NovelNotes[Name][];
}

/** The phases that a run went through, in order. */
export async function phasesOf(test: TestEngine, run: string): Promise<string[]> {
  return (await test.chain(run)).flatMap((event) => (event.type === "phase-finished" ? [event.phase] : []));
}
