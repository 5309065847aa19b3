// The REPL's messages, as the writer knows them. Pure: what happened goes in, text comes out.

import { chapterNumber, type Level, levelOf, levels, nameOf } from "../../layout.ts";
import type { Downstream, Manuscript, Stale } from "../../manuscript/index.ts";
import type { NovelTask } from "../../task.ts";

/** What levels are called where a sentence begins with them. */
const titles: Readonly<Record<Level | "analysis", string>> = {
  premise: "Premise",
  treatment: "Treatment",
  chapters: "Chapters",
  prose: "Prose",
  analysis: "Analysis",
};

/** What a level's files are called when they are saved. */
const contents: Readonly<Record<Level, string>> = {
  premise: "Premise",
  treatment: "Treatment",
  chapters: "Chapter beats",
  prose: "Prose",
};

/** What the writer of a level is given, beside its history. */
const loaded: Readonly<Record<Level, readonly string[]>> = {
  premise: ["premise", "taxonomy"],
  treatment: ["premise", "treatment", "taxonomy"],
  chapters: ["premise", "treatment", "taxonomy", "foundation", "chapters"],
  prose: ["premise", "treatment", "chapters", "prose"],
};

export const messages = {
  noTarget: "No iteration target set. Generate content first with /generate",
  invalidTarget: `Invalid target. Valid targets: ${levels.join(", ")}`,
  noProject: "No project is open. Make one with /new NAME, or open one with /open NAME; /help lists the commands",
  begin: "Begin with your idea: /generate premise IDEA, or bring a text: /import FILE. /help lists the commands",
  noModel:
    "No model is configured. Name one with /model lmstudio:NAME, --model, or in loopwright.yaml; /edit works without",
  noEditor: "No editor is set. Set $VISUAL or $EDITOR, for example: export EDITOR=nano",
  notAsked: (word: string) =>
    `Nothing is asked right now, so '${word}' was not taken as feedback${word === "q" ? "; /quit leaves" : ""}`,
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

/** `Project: my-novel (fantasy, 8 chapters, 1,234 words; goal: 80k words, 15 chapters)` */
export function projectLine({
  name,
  project,
  has,
  count,
  words,
}: Pick<Manuscript, "name" | "project" | "has" | "count" | "words">): string {
  const { genre, target_words: wanted, chapters } = project;
  const facts = [
    ...(genre ? [genre] : []),
    ...(has("prose") ? [plural(count("prose"), "chapter"), plural(words("prose"), "word")] : []),
  ];
  const goals = [
    ...(wanted ? [wanted >= 1000 ? `${Math.round(wanted / 1000)}k words` : plural(wanted, "word")] : []),
    ...(chapters ? [plural(chapters, "chapter")] : []),
  ];
  const parts = [facts.join(", "), goals.length === 0 ? "" : `goal: ${goals.join(", ")}`].filter((part) => part !== "");
  return `Project: ${name}${parts.length > 0 ? ` (${parts.join("; ")})` : ""}`;
}

/** What `/iterate <level>` says after the target: what the writer is given. */
export function loadedLine(level: Level, has: (level: Level) => boolean, hasTaxonomy: boolean): string {
  const isThere = (name: string) =>
    name === "taxonomy" ? hasTaxonomy : name === "foundation" ? has("chapters") : has(name as Level);
  return `Loaded: ${loaded[level].filter(isThere).join(", ")}`;
}

export function previousIterations(count: number): string {
  return `History: ${plural(count, "previous iteration")}`;
}

interface Below {
  target: Level;
  /** How the nearest level came to be. */
  origin: Origin;
  /** Kept passages there, and files that no generation writes. */
  kept?: readonly string[];
  stays?: readonly string[];
}

/** What stands below a level, as the warning lists it. */
export function downstreamLines(
  downstream: readonly Downstream[],
  { target, origin, kept = [], stays = [] }: Below,
): string[] {
  const lines = downstream.map(({ level, count }, at) => {
    if (level === "analysis") return `  • Analysis (${plural(count, "analysis report")})`;
    const source = at === 0 ? originWords(origin, target) : "";
    if (level === "treatment")
      return `  • ${titles[level]}${source === "" ? "" : ` (${source.replace(/^[ ,]+/, "")})`}`;
    return `  • ${titles[level]} (${plural(count, "chapter")}${source})`;
  });
  const passages =
    kept.length === 0
      ? []
      : [`  • Kept passages, set aside by cull-all until they are written again: ${kept.join("; ")}`];
  const staying =
    stays.length === 0 ? [] : [`  • Left by cull-all, for nobody would write it again: ${stays.join(", ")}`];
  return ["⚠️  Downstream content will be affected:", ...lines, ...staying, ...passages];
}

/** `prose (8), analysis (3)` */
export function downstreamList(downstream: readonly Downstream[]): string {
  return downstream
    .map(({ level, count }) => (count === 1 && level !== "prose" ? level : `${level} (${count})`))
    .join(", ");
}

/** `Prose culled (8 chapters deleted)` */
export function culledLine({ level, count }: Downstream): string {
  const what =
    level === "analysis"
      ? plural(count, "report")
      : level === "chapters" || level === "prose"
        ? plural(count, "chapter")
        : "1 file";
  return `${titles[level]} culled (${what} deleted)`;
}

export function savedLine(level: Level, files: number): string {
  return `${contents[level]} saved (${plural(files, "file")})`;
}

/** How a level came to be. */
export type Origin = "generated" | "derive" | "import" | "edit";

function originWords(origin: Origin, target: Level): string {
  if (origin === "generated") return ` generated from current ${target}`;
  return { derive: ", derived from what is below", import: ", imported", edit: ", written by hand" }[origin];
}

/** What became of a level that did not exist before. */
export function madeLine(level: Level, kind: NovelTask["kind"]): string {
  if (kind === "edit") return `✓ ${titles[level]} written by hand`;
  if (kind !== "derive") return `✓ ${titles[level]} generated`;
  return `✓ ${titles[level]} derived from the ${levels[levels.indexOf(level) + 1]}`;
}

/** Words in quotation marks; in curly ones where they have straight ones in them. */
export function quoted(words: string): string {
  const text = words.trim();
  return text.includes('"') ? `“${text}”` : `"${text}"`;
}

/** `3 judge attempts, approved` */
export function completeLine(attempts: number, verdict: "approved" | "needs_revision" | "none"): string {
  if (attempts === 0) return "✓ Iteration complete";
  return `✓ Iteration complete (${plural(attempts, "judge attempt")}, ${verdictWords[verdict]})`;
}

/** What came of a judge's rounds, for a text that was accepted. */
export const verdictWords: Readonly<Record<"approved" | "needs_revision" | "none", string>> = {
  approved: "approved",
  needs_revision: "accepted against the judge",
  none: "not judged as it stands",
};

/** `Prose: stale, chapters changed since` */
export function staleLine({ level, because }: Stale): string {
  return `${titles[level]}: stale, ${because.join(" and ")} changed since`;
}

/** The stale files of a level, those with the same reason together: `chapters 2, 5: the plan of each changed`. */
export function staleFileLines({ level, files }: Stale, count: number): string[] {
  const byReason = new Map<string, string[]>();
  for (const { path, because } of files) {
    const reason = because.map((source) => (isPlanOf(source, path) ? "its plan" : nameOf(source))).join(", ");
    byReason.set(reason, [...(byReason.get(reason) ?? []), shortName(path)]);
  }
  return [...byReason].map(([reason, names]) => {
    const isAll = level !== "analysis" && names.length > 3 && names.length >= count;
    return `     ${isAll ? "all of it" : names.join(", ")}: ${reason} changed since`;
  });
}

function isPlanOf(source: string, path: string): boolean {
  return (
    levelOf(path) === "prose" &&
    levelOf(source) === "chapters" &&
    chapterNumber(path) !== undefined &&
    chapterNumber(path) === chapterNumber(source)
  );
}

/** `chapter 3`, `foundation`: what a writer calls a file. */
function shortName(path: string): string {
  return nameOf(path).replace(/^the /, "");
}

/** `1 chapter`, `8 chapters` */
export function plural(count: number, word: string, many = `${word}s`): string {
  return `${withCommas(count)} ${count === 1 ? word : many}`;
}

/** `150000` → `150,000`. The first use of the locale's own figures costs a tenth of the time in which a project opens. */
export function withCommas(count: number): string {
  return String(count).replace(/\B(?=(\d{3})+$)/g, ",");
}

/** The level that a word names: its name, or an unambiguous beginning of it. */
export function readLevel(word: string): Level | undefined {
  const lower = word.toLowerCase();
  const fitting = levels.filter((level) => level === lower || (lower.length > 0 && level.startsWith(lower)));
  return fitting.length === 1 ? fitting[0] : undefined;
}
