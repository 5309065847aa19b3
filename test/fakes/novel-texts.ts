// Small texts of every level of a novel, sound in form; and a project on disk that is made of them.

import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** premise_metadata.json */
export function premise(more: object = {}): string {
  const value = {
    title: "The Mill",
    logline: "A miller hides a fugitive and loses his name.",
    premise: "Marcus keeps the mill by the river. One winter he hides a girl, and the magistrate begins to ask.",
    genre: "fantasy",
    themes: ["redemption", "duty"],
    tone: "hopeful",
    setting: "a river town",
    protagonist: { name: "Marcus", want: "to be left alone", need: "to take a side", flaw: "pride" },
    antagonist: "the magistrate",
    stakes: "the girl's life",
    hook: "a knock at night",
    ...more,
  };
  return `${JSON.stringify(value, null, 2)}\n`;
}

/** treatment.md */
export function treatment(second = "Marcus hides the girl from the magistrate."): string {
  return [
    "# The Mill",
    "## Act 1: The knock\n\nA girl comes to the mill at night, and Marcus lets her in.",
    `## Act 2: The lie\n\n${second}`,
    "## Act 3: The river\n\nMarcus gives himself up, and the girl crosses the river.",
  ].join("\n\n");
}

/** The chapters' plan as a writer gives it; `marks` adds a sentence to a chapter. */
export function beats(count: number, marks: Readonly<Record<number, string>> = {}): string {
  const files = [
    ["chapter-beats/foundation.md", foundation()],
    ...Array.from({ length: count }, (_, at) => [beatPath(at + 1), beat(at + 1, marks[at + 1])]),
  ];
  return files.map(([path, text]) => `===FILE: ${path}===\n${text!.trimEnd()}\n===END FILE===`).join("\n");
}

export function foundation(): string {
  return "# Foundation\n\n## Metadata\n\nFantasy, close third person.\n\n## Characters\n\nMarcus, a miller. Ada, a girl.\n\n## World\n\nA river town in winter.\n";
}

export function beat(number: number, mark = "The river rises."): string {
  const parts = [
    ["Act", number < 6 ? "Act 1" : number < 11 ? "Act 2" : "Act 3"],
    ["POV", "Marcus"],
    ["Key Events", `Marcus works at the mill on day ${number}. ${mark}`],
    ["Character Development", "He grows less sure of himself."],
    ["Emotional Beat", "Unease."],
    ["New Information", `The magistrate has asked ${number} times.`],
    ["Hook", "Someone knocks."],
  ];
  return `# Chapter ${number}: Day ${number}\n\n${parts.map(([title, text]) => `## ${title}\n\n${text}\n`).join("\n")}`;
}

/** A chapter of prose. */
export function chapterText(number: number, mark = "The wheel turned."): string {
  return `# Chapter ${number}: Day ${number}\n\nMarcus woke before the bell. ${mark} He went down to the river and saw that the ice had gone.\n\n***\n\nIn the evening someone knocked, for the ${number}. time that winter.\n`;
}

/** A semantic diff as a summarizer gives it. */
export function summary(words: string): object {
  return {
    summary: words,
    foundation: [{ text: 'Themes: Added "moral ambiguity"' }],
    major: [
      {
        where: "Chapter 3",
        what: "rewritten",
        before: "He wakes refreshed.",
        after: "He wakes from a nightmare.",
        details: ["Tone: heroic to complex"],
      },
    ],
    moderate: [],
    minor: [],
    why_it_works: "The low point makes the redemption harder-earned.",
    impact: ["Tone: darker"],
    risks: [],
  };
}

const beatPath = (number: number) => `chapter-beats/chapter-${String(number).padStart(2, "0")}.md`;
const prosePath = (number: number) => `chapters/chapter-${String(number).padStart(2, "0")}.md`;

/** What of a project is there from the start. */
export interface NovelParts {
  premise?: boolean;
  treatment?: boolean;
  /** How many chapters are planned, and written. */
  beats?: number;
  prose?: number;
}

/** Writes a project, and commits it. */
export function writeNovel(folder: string, parts: NovelParts = {}): void {
  const files: Record<string, string> = {
    "project.yaml": "title: The Mill\ngenre: fantasy\ntarget_words: 80000\nchapters: 15\n",
    "taxonomy.json": `${JSON.stringify({ genre: "fantasy", subgenres: [], tropes: [], tone: ["hopeful"], audience: "adults", pov: "third", tense: "past" })}\n`,
    ".gitignore": ".loopwright/\nruns/\n.agentic/\n.env\n",
    ...(parts.premise && { "premise/premise_metadata.json": premise() }),
    ...(parts.treatment && { "treatment/treatment.md": treatment() }),
    ...(parts.beats && { "chapter-beats/foundation.md": foundation() }),
  };
  for (let number = 1; number <= (parts.beats ?? 0); number++) files[beatPath(number)] = beat(number);
  for (let number = 1; number <= (parts.prose ?? 0); number++) files[prosePath(number)] = chapterText(number);
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  git(folder, "init", "--quiet", "--initial-branch=main");
  git(folder, "config", "user.name", "A Writer");
  git(folder, "config", "user.email", "writer@example.org");
  git(folder, "add", "--all");
  git(folder, "commit", "--quiet", "--message", "a novel");
}

/** Runs git in a folder, with nothing of this machine's own settings; gives back what it printed. */
export function git(folder: string, ...args: string[]): string {
  const env = { PATH: process.env.PATH ?? "", HOME: folder, GIT_CONFIG_NOSYSTEM: "1" };
  return execFileSync("git", args, { cwd: folder, encoding: "utf8", env }).trimEnd();
}
