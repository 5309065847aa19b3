// The REPL's messages, as the writer knows them. Pure: what happened goes in, text comes out.

import type { GateRecord, GateWords } from "@loopwright/core";
import { showCount } from "@loopwright/terminal";
import { chapterNumber, levelOf, nameOf } from "../../manuscript/files/layout.ts";
import type { Downstream, Manuscript } from "../../manuscript/files/open.ts";
import type { Stale } from "../../manuscript/history/staleness.ts";
import { gates } from "../../said.ts";
import { type Level, levels } from "../../types.ts";

/** What a word may have meant where nothing is asked. */
const hints: Readonly<Record<string, string>> = {
  q: "; /quit leaves",
  retry: "; /resume goes on with what was left",
  again: "; say what is to be different",
};

export const messages = {
  noTarget: "No iteration target set. Generate content first with /generate",
  invalidTarget: `Invalid target. Valid targets: ${levels.join(", ")}`,
  noProject: "No project is open. Make one with /new NAME, or open one with /open NAME; /help lists the commands",
  begin: "Begin with your idea: /generate premise IDEA, or bring a text: /import FILE. /help lists the commands",
  noModel:
    "No model is configured. Name one with /model lmstudio:NAME, --model, or `models: { default: lmstudio:NAME }` in project.yaml; /edit works without",
  noEditor: "No editor is set. Set $VISUAL or $EDITOR, for example: export EDITOR=nano",
  notAsked: (word: string) =>
    `Nothing is asked right now, so '${word}' was not taken as feedback${hints[word.toLowerCase()] ?? ""}`,
  leave: "A question is open: Ctrl-C twice, or the end of input (Ctrl-D), leaves",
  ready: "Ready for next iteration.",
};

/** Where a level that is asked for does not exist. */
export function notFound(level: Level): string {
  return `No ${level} found. Generate ${level} first with /generate ${level}`;
}

export function targetIs(level: Level): string {
  return `Iteration target: ${level}`;
}

/** What a level is called where a sentence begins with it. */
export function titleOfLevel(level: Level | "analysis"): string {
  return level[0]!.toUpperCase() + level.slice(1);
}

/** `Project: my-novel (fantasy, 8 chapters, 1,234 words; goal: 80k words, 15 chapters)` */
export function projectLine(manuscript: Pick<Manuscript, "name" | "project" | "has" | "count" | "words">): string {
  const { genre, target_words: wanted, chapters } = manuscript.project;
  const facts = [
    ...(genre ? [genre] : []),
    ...(manuscript.has("prose")
      ? [showCount(manuscript.count("prose"), "chapter"), showCount(manuscript.words("prose"), "word")]
      : []),
  ];
  const goals = [
    ...(wanted ? [wanted >= 1000 ? `${Math.round(wanted / 1000)}k words` : showCount(wanted, "word")] : []),
    ...(chapters ? [showCount(chapters, "chapter")] : []),
  ];
  const parts = [facts.join(", "), goals.length === 0 ? "" : `goal: ${goals.join(", ")}`].filter((part) => part !== "");
  return `Project: ${manuscript.name}${parts.length > 0 ? ` (${parts.join("; ")})` : ""}`;
}

/** How a level came to be, where it is known. */
export type Origin = "generated" | "import" | "edit" | undefined;

interface Below {
  target: Level;
  /** How the nearest level came to be. */
  origin: Origin;
  /** Files that no generation writes. */
  stays?: readonly string[];
}

/** What stands below a level, as the warning lists it. */
export function downstreamLines(below: readonly Downstream[], { target, origin, stays = [] }: Below): string[] {
  const words = { generated: `generated from current ${target}`, import: "imported", edit: "written by hand" };
  const how = origin === undefined ? [] : [words[origin]];
  const lines = below.map(({ level, count }, at) => {
    if (level === "analysis") return `  • Analysis (${showCount(count, "analysis report")})`;
    const chapters = level === "treatment" ? [] : [showCount(count, "chapter")];
    const facts = [...chapters, ...(at === 0 ? how : [])].join(origin === "generated" ? " " : ", ");
    return `  • ${titleOfLevel(level)}${facts === "" ? "" : ` (${facts})`}`;
  });
  const staying = stays.length > 0 ? [`  • Stays, for nobody would write it again: ${stays.join(", ")}`] : [];
  return ["⚠️  Downstream content will be affected:", ...lines, ...staying];
}

/** `prose (8), analysis (3)` */
export function downstreamList(downstream: readonly Downstream[]): string {
  return downstream
    .map(({ level, count }) => (count === 1 && level !== "prose" ? level : `${level} (${count})`))
    .join(", ");
}

/** `Prose culled (8 chapters deleted)` */
export function culledLine({ level, count }: Downstream): string {
  const things = { analysis: "report", chapters: "chapter", prose: "chapter", treatment: "file", premise: "file" };
  return `${titleOfLevel(level)} culled (${showCount(count, things[level])} deleted)`;
}

/** Words in quotation marks; in curly ones where they have straight ones in them. */
export function quoted(words: string): string {
  const text = words.trim();
  return text.includes('"') ? `“${text}”` : `"${text}"`;
}

/** What came of a judge's rounds, for a text that was accepted. */
export const verdictWords = {
  approved: "approved",
  needs_revision: "accepted against the judge",
  none: "not judged as it stands",
} as const;

/** `Prose: stale, chapters changed since` */
export function staleLine({ level, because }: Stale): string {
  return `${titleOfLevel(level)}: stale, ${because.join(" and ")} changed since`;
}

/** The stale files of a level, those with the same reason together: `chapters 2, 5: the plan of each changed`. */
export function staleFileLines({ level, files }: Stale, count: number): string[] {
  const byReason = new Map<string, string[]>();
  for (const { path, because } of files) {
    const reason = because.map((source) => (isPlanOf(source, path) ? "its plan" : nameOf(source))).join(", ");
    byReason.set(reason, [...(byReason.get(reason) ?? []), nameOf(path).replace(/^the /, "")]);
  }
  return [...byReason].map(([reason, names]) => {
    const isAll = level !== "analysis" && names.length > 3 && names.length >= count;
    return `     ${isAll ? "all of it" : names.join(", ")}: ${reason} changed since`;
  });
}

function isPlanOf(source: string, path: string): boolean {
  const [plan, chapter] = [chapterNumber(source), chapterNumber(path)];
  return levelOf(path) === "prose" && levelOf(source) === "chapters" && plan !== undefined && plan === chapter;
}

/** The level that a word names: its name, or an unambiguous beginning of it. */
export function readLevel(word: string): Level | undefined {
  const lower = word.toLowerCase();
  const fitting = levels.filter((level) => level === lower || (lower.length > 0 && level.startsWith(lower)));
  return fitting.length === 1 ? fitting[0] : undefined;
}

/** The words of a text. */
export function splitWords(text: string): string[] {
  const found = text.matchAll(
    /([\p{L}\p{N}_-]+=)?(?:"([^"]*)"|'([^']*)'|“([^”]*)”|„([^“”"]*)[“”"]|»([^«]*)«|«([^»]*)»)|((?:\\.|[^\s\\])+)|\\/gu,
  );
  return [...found].map(([all, name = "", ...groups]) => {
    const bare = groups.pop();
    const quoted = groups.find((each) => each !== undefined);
    return quoted === undefined ? (bare?.replace(/\\(.)/g, "$1") ?? all) : name + quoted;
  });
}

/** The first word, and all that comes after it as it stands. */
export function firstWord(text: string): [word: string, rest: string] {
  const [, word = "", rest = ""] = /^\s*(\S*)\s*([\s\S]*)$/.exec(text) ?? [];
  return [word, rest.trimEnd()];
}

/** More choices than this are not all listed. */
const MOST_LISTED = 12;

type Gate = Pick<GateRecord, "name" | "choices">;

const wordsOf = ({ name }: Gate): GateWords => (Object.hasOwn(gates, name) && gates[name]) || {};
const listedOf = (gate: Gate) => gate.choices.filter((choice) => !wordsOf(gate).unlisted?.includes(choice));

/** `Accept these changes? (yes/no/diff): ` */
export function questionOf(gate: GateRecord): string {
  return askedWords({ ...gate, question: wordsOf(gate).question?.(gate) ?? gate.question });
}

/** The same for a gate whose question is in the writer's words already. */
export function askedWords(gate: Gate & Pick<GateRecord, "question">): string {
  const all = listedOf(gate);
  const shown = all.length <= MOST_LISTED ? all : [...all.slice(0, MOST_LISTED - 3), "…", ...all.slice(-2)];
  return `${gate.question} (${shown.join("/")}): `;
}

/** A line as the driver reads it: a choice by its word or the beginning of it; what is none goes to the loop as it was said. */
export function answerLine(gate: Gate, line: string): string {
  const text = line.trim();
  const { synonyms = {}, noted = [] } = wordsOf(gate);
  if (gate.name === "clarify" && (text === "" || text.toLowerCase() === "skip")) return "skip";
  if (text === "" || noted.some((choice) => text.toLowerCase().startsWith(`${choice} `))) return line;
  const word = text.toLowerCase().replace(/\s+/g, "-");
  const known = [...listedOf(gate), ...Object.keys(synonyms)];
  const exact = known.find((each) => each === word || each === `chapter-${Number(word)}`);
  const fitting = exact === undefined ? known.filter((each) => each.startsWith(word)) : [exact];
  if (fitting.length > 0) return fitting.length === 1 ? fitting[0]! : line;
  return gate.choices.includes("say") ? `say: ${text}` : line;
}
