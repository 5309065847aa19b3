// Every command of the REPL as data: dispatch, help and completion come from it.

import { nearest } from "@loopwright/core";
import { pad } from "@loopwright/terminal";
import type { Session } from "./session.ts";
import { textWidth, wrap } from "./words/output.ts";

/** What a book is exported as. */
export const formats = ["md", "epub", "docx"] as const;

/** Carries a command out, given all that was typed after its name. */
export type Run = (session: Session, rest: string) => Promise<void>;
/** What carries commands out, by their names. */
export type Commands = Readonly<Record<string, Run>>;

export interface ReplCommand {
  name: string;
  /** What follows the name, as help shows it. */
  words: string;
  help: string;
  load: () => Promise<Run>;
  /** What completion offers after the name. */
  offers?: Offers | undefined;
}
type Offers = "levels" | "files" | "paths" | "formats" | "roles" | "scopes" | "commands";

type Load = () => Promise<{ commands: Commands }>;
const project: Load = () => import("./commands/project.ts");
const generate: Load = () => import("./commands/generate.ts");
const keeping: Load = () => import("./commands/keeping.ts");
const reading: Load = () => import("./commands/reading.ts");
const history: Load = () => import("./commands/history.ts");
const quit: Run = async (session) => {
  session.isOver = true;
};
const own: Load = async () => ({ commands: { help: showHelp, quit } });

/** Name and words, help, what carries it out, what completion offers. */
const table: readonly (readonly [string, string, Load, Offers?])[] = [
  ["new NAME", "make an empty project with its own git repository", project],
  ["open NAME|PATH", "open a project: one beside this one, or by its path", project, "paths"],
  [
    "import FILE [as NAME]",
    "take a manuscript in (Markdown or plain text), split by the titles of its chapters",
    () => import("./commands/exchange.ts"),
    "paths",
  ],
  ["generate LEVEL [IDEA]", "generate premise, treatment, chapters or prose from what is above it", generate, "levels"],
  ["iterate [LEVEL]", "show or set what feedback is about", project, "levels"],
  [
    "scope [model|whole|named]",
    "how much of the level is written anew: what a model reads that feedback reaches, all of it, or what you name",
    project,
    "scopes",
  ],
  [
    'variants [2|3] [FILE] ["PASSAGE"] FEEDBACK',
    "versions of the level, of one file, or of the paragraph with these words, side by side: take one",
    generate,
  ],
  ["ask QUESTION", "ask about the book; it is answered from what stands there, and nothing is changed", generate],
  [
    "resume [drop|CEILING=N]",
    "go on with an iteration that was left, with a ceiling raised where one ended it; or drop it",
    generate,
  ],
  ["status", "the project, its levels, what is stale, who writes", history],
  ["history [LEVEL]", "the iterations of a level, oldest first", history, "levels"],
  ["diff [FILE]", "what the last iteration changed, section by section", reading, "files"],
  ["undo", "take the last iteration back, culled files and history too", keeping],
  ["redo", "bring back what was undone last", keeping],
  [
    "edit [LEVEL|FILE|style]",
    "write it yourself, in $EDITOR; shown and asked about like any other change; a level that is not there is begun, and so is style.md",
    () => import("./commands/edit.ts"),
    "files",
  ],
  ["read [CHAPTER]", "read the book, a screen at a time", reading, "files"],
  [
    "template [save|use|drop NAME]",
    'feedback kept under a name; {places} in it are filled in: /template use NAME chapter=3 what="two words"',
    () => import("./commands/template.ts"),
  ],
  [
    "model [[ROLE=]NAME]",
    "show or set the models of this session (writer, judge, second-judge, summarizer)",
    project,
    "roles",
  ],
  ["cull", "delete everything below the target, in one commit", keeping],
  [
    "cascade [up]",
    "bring what is stale in line, level after level; up: what is above the target follows its last iteration",
    () => import("./commands/cascade.ts"),
  ],
  ["fresh LEVEL", "say that a stale level is in line as it is, such as after an edit by hand", keeping, "levels"],
  ["export md|epub|docx [FILE]", "write the prose as a book", () => import("./commands/exchange.ts"), "formats"],
  ["analyze", "check lengths, repetition, banned phrases, required beats, spelling of names", keeping],
  ["stats", "how iterations went, and what they cost", history],
  ["help [COMMAND]", "this list", own, "commands"],
  ["quit", "leave; nothing that is unfinished is lost", own],
];

export const replCommands: readonly ReplCommand[] = table.map(([usage, help, load, offers]) => {
  const [name = "", ...words] = usage.split(" ");
  return { name, words: words.join(" "), help, load: async () => (await load()).commands[name]!, offers };
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

export async function showHelp({ output }: Session, rest: string): Promise<void> {
  const name = rest.trim().replace(/^\//, "");
  const found = name === "" ? undefined : findReplCommand(name);
  if (found && "unknown" in found) return output.fail(found.unknown);
  const shown = found ? [found] : replCommands;
  const columns = output.terminal.stdout.isTTY ? textWidth(output.terminal.columns) : Number.POSITIVE_INFINITY;
  for (const line of helpLines(shown, columns)) output.say(line);
  if (found) return;
  output.say();
  for (const line of wrap(AFTER, columns)) output.say(line);
}

const AFTER = `Anything else is feedback for the iteration target. Nothing is changed without your yes; a level that is not there yet has nothing to be compared with: /generate commits it at once, and /undo takes it back.
Passages between <!-- keep --> and <!-- /keep --> are never changed.
While a question is open, /full [ATTEMPT] [FILE] shows the whole text of an attempt.`;

/** The longest command that its help stands beside; under a longer one it stands in the next line. */
const LONGEST = 36;

/** Each command with its help beside it, broken to stay in its own column. */
export function helpLines(commands: readonly ReplCommand[], columns: number): string[] {
  const usages = commands.map(({ name, words }) => `  /${name} ${words}`.trimEnd());
  const width = Math.min(LONGEST, Math.max(...usages.map((usage) => usage.length)));
  return commands.flatMap(({ help }, at) => {
    const usage = usages[at]!;
    const lines = wrap(help, Math.max(20, columns - width - 2)).map((line) => `${" ".repeat(width + 2)}${line}`);
    return usage.length > width ? [usage, ...lines] : [pad(usage, width) + lines[0]!.slice(width), ...lines.slice(1)];
  });
}
