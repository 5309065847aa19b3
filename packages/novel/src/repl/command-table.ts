// Every command of the REPL as data: dispatch, help and completion come from it.

import { nearest } from "@loopwright/core";
import type { Session } from "./session.ts";

type Run = (session: Session, rest: string) => Promise<void>;

export interface ReplCommand {
  name: string;
  /** What follows the name, as help shows it. */
  words: string;
  help: string;
  /** Carries it out, given all that was typed after the name. */
  load: () => Promise<Run>;
  /** What completion offers after the name. */
  offers?: Offers | undefined;
}
type Offers = "levels" | "files" | "paths" | "formats" | "roles" | "scopes" | "commands";

const [project, generate, settings, keeping, reading, history] = [
  () => import("./commands/project.ts"),
  () => import("./commands/generate.ts"),
  () => import("./commands/settings.ts"),
  () => import("./commands/keeping.ts"),
  () => import("./commands/reading.ts"),
  () => import("./commands/history.ts"),
];
const quit: Run = async (session) => {
  session.isOver = true;
};

/** Name and words, help, what carries it out, what completion offers. */
const table: readonly (readonly [string, string, ReplCommand["load"], Offers?])[] = [
  ["new NAME", "make an empty project with its own git repository", async () => (await project()).makeProject],
  [
    "open NAME|PATH",
    "open a project: one beside this one, or by its path",
    async () => (await project()).openNamed,
    "paths",
  ],
  [
    "import FILE [as NAME]",
    "take a manuscript in (Markdown or plain text), split by the titles of its chapters",
    async () => (await import("./commands/import.ts")).importFile,
    "paths",
  ],
  [
    "generate LEVEL [IDEA]",
    "generate premise, treatment, chapters or prose from what is above it",
    async () => (await generate()).generate,
    "levels",
  ],
  ["iterate [LEVEL]", "show or set what feedback is about", async () => (await settings()).iterate, "levels"],
  [
    "scope [model|whole|named]",
    "how much of the level is written anew: what a model reads that feedback reaches, all of it, or what you name",
    async () => (await settings()).scope,
    "scopes",
  ],
  [
    'variants [2|3] [FILE] ["PASSAGE"] FEEDBACK',
    "versions of the level, of one file, or of the paragraph with these words, side by side: take one",
    async () => (await import("./commands/generate.ts")).writeVariants,
  ],
  [
    "ask QUESTION",
    "ask about the book; it is answered from what stands there, and nothing is changed",
    async () => (await import("./commands/generate.ts")).askAboutBook,
  ],
  [
    "resume [drop|CEILING=N]",
    "go on with an iteration that was left, with a ceiling raised where one ended it; or drop it",
    async () => (await generate()).resume,
  ],
  [
    "status",
    "the project, its levels, what is stale, who writes",
    async () => (await import("./commands/history.ts")).showStatus,
  ],
  ["history [LEVEL]", "the iterations of a level, oldest first", async () => (await history()).showHistory, "levels"],
  [
    "diff [FILE]",
    "what the last iteration changed, section by section",
    async () => (await reading()).showDiff,
    "files",
  ],
  ["undo", "take the last iteration back, culled files and history too", async () => (await keeping()).undo],
  ["redo", "bring back what was undone last", async () => (await keeping()).redo],
  [
    "edit [LEVEL|FILE|style]",
    "write it yourself, in $EDITOR; shown and asked about like any other change; a level that is not there is begun, and so is style.md",
    async () => (await import("./commands/edit.ts")).edit,
    "files",
  ],
  ["read [CHAPTER]", "read the book, a screen at a time", async () => (await reading()).readBook, "files"],
  [
    "template [save|use|drop NAME]",
    'feedback kept under a name; {places} in it are filled in: /template use NAME chapter=3 what="two words"',
    async () => (await import("./commands/template.ts")).template,
  ],
  [
    "model [[ROLE=]NAME]",
    "show or set the models of this session (writer, judge, second-judge, summarizer)",
    async () => (await settings()).chooseModel,
    "roles",
  ],
  ["cull", "delete everything below the target, in one commit", async () => (await keeping()).cull],
  [
    "cascade [up]",
    "bring what is stale in line, level after level; up: what is above the target follows its last iteration",
    async () => (await import("./commands/cascade.ts")).cascade,
  ],
  [
    "fresh LEVEL",
    "say that a stale level is in line as it is, such as after an edit by hand",
    async () => (await keeping()).takeAsFresh,
    "levels",
  ],
  [
    "export md|epub|docx [FILE]",
    "write the prose as a book",
    async () => (await import("./commands/export.ts")).exportBook,
    "formats",
  ],
  [
    "analyze",
    "check lengths, repetition, banned phrases, required beats, spelling of names",
    async () => (await import("./commands/keeping.ts")).analyze,
  ],
  ["stats", "how iterations went, and what they cost", async () => (await history()).showStatistics],
  ["help [COMMAND]", "this list", async () => (await import("./commands/help.ts")).showHelp, "commands"],
  ["quit", "leave; nothing that is unfinished is lost", async () => quit],
];

export const replCommands: readonly ReplCommand[] = table.map(([usage, help, load, offers]) => {
  const [name = "", ...words] = usage.split(" ");
  return { name, words: words.join(" "), help, load, offers };
});

/** Words that leave or ask for help wherever people type, and the command that each is here. */
const meant = new Map(Object.entries({ exit: "quit", quit: "quit", bye: "quit", help: "help" }));

/** A line as it is meant: such a word alone is the command, and no feedback. */
export function asCommand(line: string): string {
  const name = meant.get(line.toLowerCase().replace(/[.!]+$/, ""));
  return name === undefined ? line : `/${name}`;
}

/** The command of that name, or of an unambiguous beginning of it; else what to say. */
export function findReplCommand(name: string): ReplCommand | { unknown: string } {
  const word = meant.get(name.toLowerCase()) ?? name.toLowerCase();
  const names = replCommands.map((command) => command.name);
  const fitting = names.filter((known) => known === word || (word !== "" && known.startsWith(word)));
  const found = fitting.find((known) => known === word) ?? (fitting.length === 1 ? fitting[0] : undefined);
  if (found !== undefined) return replCommands.find((command) => command.name === found)!;
  const near = fitting[0] ?? nearest(word, names);
  const hint = near === undefined ? "/help lists the commands" : `Did you mean /${near}?`;
  return { unknown: `Unknown command /${name}. ${hint}` };
}
