// Every command of the REPL as data: dispatch, help and completion come from it.

import { nearest } from "@loopwright/core";
import type { Session } from "./session.ts";

export interface ReplCommand {
  name: string;
  /** What follows the name, as help shows it. */
  words: string;
  help: string;
  /** What completion offers after the name. */
  offers?: "levels" | "files" | "paths" | "formats" | "roles" | "commands";
  /** Carries it out, given all that was typed after the name. */
  load: () => Promise<(session: Session, rest: string) => Promise<void>>;
}

export const replCommands: readonly ReplCommand[] = [
  {
    name: "new",
    words: "NAME",
    help: "make an empty project with its own git repository",
    load: async () => (await import("./commands/project.ts")).makeProject,
  },
  {
    name: "open",
    words: "NAME|PATH",
    help: "open a project: one beside this one, or by its path",
    offers: "paths",
    load: async () => (await import("./commands/project.ts")).openNamed,
  },
  {
    name: "import",
    words: "FILE [as NAME]",
    help: "take a manuscript in (Markdown or plain text), split by the titles of its chapters",
    offers: "paths",
    load: async () => (await import("./commands/import.ts")).importFile,
  },
  {
    name: "generate",
    words: "LEVEL [IDEA]",
    help: "generate premise, treatment, chapters or prose from what is above it",
    offers: "levels",
    load: async () => (await import("./commands/generate.ts")).generate,
  },
  {
    name: "iterate",
    words: "[LEVEL]",
    help: "show or set what feedback is about",
    offers: "levels",
    load: async () => (await import("./commands/settings.ts")).iterate,
  },
  {
    name: "scope",
    words: "[model|whole|named]",
    help: "how much of the level is written anew: what a model reads that feedback reaches, all of it, or what you name",
    load: async () => (await import("./commands/settings.ts")).scope,
  },
  {
    name: "variants",
    words: '[2|3] FILE ["PASSAGE"] FEEDBACK',
    help: "versions of one chapter, or of the paragraph with these words, side by side: take one, or parts of each",
    load: async () => (await import("./commands/variants.ts")).writeVariants,
  },
  {
    name: "ask",
    words: "QUESTION",
    help: "ask about the book; it is answered from what stands there, and nothing is changed",
    load: async () => (await import("./commands/ask.ts")).askAboutBook,
  },
  {
    name: "resume",
    words: "[drop|CEILING=N]",
    help: "go on with an iteration that was left, with a ceiling raised where one ended it; or drop it",
    load: async () => (await import("./commands/generate.ts")).resume,
  },
  {
    name: "status",
    words: "",
    help: "the project, its levels, what is stale, who writes",
    load: async () => (await import("./commands/status.ts")).showStatus,
  },
  {
    name: "history",
    words: "[LEVEL|rejected]",
    help: "the iterations of a level, or what you rejected on any of them, and why",
    offers: "levels",
    load: async () => (await import("./commands/history.ts")).showHistory,
  },
  {
    name: "diff",
    words: "[FILE]",
    help: "what the last iteration changed, section by section",
    offers: "files",
    load: async () => (await import("./commands/reading.ts")).showDiff,
  },
  {
    name: "undo",
    words: "",
    help: "take the last iteration back, culled files and history too",
    load: async () => (await import("./commands/keeping.ts")).undo,
  },
  {
    name: "redo",
    words: "",
    help: "bring back what was undone last",
    load: async () => (await import("./commands/keeping.ts")).redo,
  },
  {
    name: "edit",
    words: "[LEVEL|FILE|style]",
    help: "write it yourself, in $EDITOR; shown and asked about like any other change; a level that is not there is begun, and so is style.md",
    offers: "files",
    load: async () => (await import("./commands/edit.ts")).edit,
  },
  {
    name: "read",
    words: "[CHAPTER]",
    help: "read the book, a screen at a time",
    offers: "files",
    load: async () => (await import("./commands/reading.ts")).readBook,
  },
  {
    name: "template",
    words: "[save|use|drop NAME]",
    help: 'feedback kept under a name; {places} in it are filled in: /template use NAME chapter=3 what="two words"',
    load: async () => (await import("./commands/template.ts")).template,
  },
  {
    name: "model",
    words: "[[ROLE=]NAME]",
    help: "show or set the models of this session (writer, judge, summarizer)",
    offers: "roles",
    load: async () => (await import("./commands/settings.ts")).chooseModel,
  },
  {
    name: "cull",
    words: "",
    help: "delete everything below the target, in one commit",
    load: async () => (await import("./commands/keeping.ts")).cull,
  },
  {
    name: "cascade",
    words: "[up]",
    help: "bring what is stale in line, level after level; up: what is above the target follows its last iteration",
    load: async () => (await import("./commands/cascade.ts")).cascade,
  },
  {
    name: "fresh",
    words: "LEVEL",
    help: "say that a stale level is in line as it is, such as after an edit by hand",
    load: async () => (await import("./commands/keeping.ts")).takeAsFresh,
  },
  {
    name: "export",
    words: "md|epub|docx [FILE]",
    help: "write the prose as a book",
    offers: "formats",
    load: async () => (await import("./commands/export.ts")).exportBook,
  },
  {
    name: "analyze",
    words: "",
    help: "check lengths, repetition, banned phrases, required beats, spelling of names",
    load: async () => (await import("./commands/analyze.ts")).analyze,
  },
  {
    name: "stats",
    words: "",
    help: "how iterations went, and what they cost",
    load: async () => (await import("./commands/history.ts")).showStatistics,
  },
  {
    name: "help",
    words: "[COMMAND]",
    help: "this list",
    offers: "commands",
    load: async () => (await import("./commands/help.ts")).showHelp,
  },
  {
    name: "quit",
    words: "",
    help: "leave; nothing that is unfinished is lost",
    load: async () => async (session) => {
      session.isOver = true;
    },
  },
];

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
  const exact = replCommands.find((command) => command.name === word);
  if (exact) return exact;
  const fitting = replCommands.filter((command) => word !== "" && command.name.startsWith(word));
  if (fitting.length === 1) return fitting[0]!;
  const near =
    fitting[0]?.name ??
    nearest(
      word,
      replCommands.map((command) => command.name),
    );
  const hint = near === undefined ? "/help lists the commands" : `Did you mean /${near}?`;
  return { unknown: `Unknown command /${name}. ${hint}` };
}
