// Analysis without a model: the same text always gives the same findings, a report for each topic that has any, and an overview.

import { type Change, type FileBlock, levels } from "../../types.ts";
import { ANALYSIS_FOLDER, isReport, isTold, nameOf, reportTitles } from "../files/layout.ts";
import type { Manuscript } from "../files/open.ts";
import { checkFormat } from "../format/format.ts";
import { analyzedChange } from "../history/staleness.ts";
import { countOf, countWords, plain } from "../words.ts";
import {
  type AnalysisFinding,
  checkLengths,
  findBannedPhrases,
  findRepetitions,
  findUnwritten,
  hard,
  soft,
} from "./checks.ts";

/** What an analysis found, and the files that say it. */
export interface Analysis {
  findings: AnalysisFinding[];
  /** Reports, and the record of what was analyzed; reports of before that are no longer made go. */
  change: Change;
}

/** Checks all that there is. */
export async function analyze(manuscript: Manuscript): Promise<Analysis> {
  const { project } = manuscript;
  const read = await Promise.all(levels.map(async (level) => (await manuscript.read(level)).map(plain)));
  const [, treatment = [], beats = [], prose = []] = read;
  const told = prose.filter(({ path }) => isTold(path));
  const planned = [...treatment, ...beats];
  const byTopic: Record<string, AnalysisFinding[]> = {
    format: [
      ...read.flatMap((files, at) => formatFindings(manuscript, levels[at]!, files)),
      ...staleFindings(manuscript),
    ],
    length: checkLengths(told, project),
    repetition: findRepetitions(told),
    phrases: findBannedPhrases([...planned, ...prose], project.analysis?.banned_phrases ?? []),
    beats: findUnwritten(beats, told),
  };
  const files = reportFiles(
    byTopic,
    prose.map(({ path, content }) => ({ path, words: countWords(content) })),
  );
  const made = new Set(files.map(({ path }) => path));
  // What people or other programs put into the folder stays.
  const remove = manuscript.analysis.filter((path) => !made.has(path) && isReport(path));
  const findings = hardFirst(Object.values(byTopic).flat());
  return { findings, change: { write: [...files, analyzedChange(manuscript)], remove } };
}

function formatFindings({ project }: Manuscript, level: (typeof levels)[number], files: readonly FileBlock[]) {
  if (files.length === 0) return [];
  return checkFormat(level, files, { previous: files, project, isFirst: false, feedback: ["analyze"] }).map(hard);
}

function staleFindings(manuscript: Manuscript): AnalysisFinding[] {
  return manuscript
    .stale()
    .filter(({ level }) => level !== "analysis")
    .map(({ level, because }) => soft(`The ${level} may be stale: ${because.join(", ")} changed since.`));
}

/** The files, without a date: the same text gives the same files. */
function reportFiles(
  byTopic: Readonly<Record<string, readonly AnalysisFinding[]>>,
  lengths: readonly { path: string; words: number }[],
): FileBlock[] {
  const found = Object.entries(byTopic).filter(([, findings]) => findings.length > 0);
  return [
    { path: `${ANALYSIS_FOLDER}/overview.md`, content: overview(byTopic, lengths) },
    ...found.map(([topic, findings]) => ({
      path: `${ANALYSIS_FOLDER}/${topic}.md`,
      content: `# ${reportTitles[topic]}\n\n${hardFirst(findings).map(lineOf).join("\n")}\n`,
    })),
  ];
}

/** What must be fixed before what may be. */
function hardFirst(findings: readonly AnalysisFinding[]): AnalysisFinding[] {
  return findings.toSorted((a, b) => Number(b.severity === "hard") - Number(a.severity === "hard"));
}

function overview(
  byTopic: Readonly<Record<string, readonly AnalysisFinding[]>>,
  lengths: readonly { path: string; words: number }[],
): string {
  const topics = Object.entries(byTopic).map(
    ([topic, { length }]) => `- ${reportTitles[topic]}: ${length === 0 ? "nothing found" : countOf(length, "finding")}`,
  );
  const total = lengths.reduce((sum, { words }) => sum + words, 0);
  const rows = lengths.map(({ path, words }) => `| ${nameOf(path)} | ${words.toLocaleString("en")} |`);
  const table =
    rows.length === 0
      ? ""
      : `\n## Words\n\n| | words |\n| --- | ---: |\n${rows.join("\n")}\n| all | ${total.toLocaleString("en")} |\n`;
  return `# Analysis\n\n${topics.join("\n")}\n${table}`;
}

function lineOf({ severity, message }: AnalysisFinding): string {
  return severity === "hard" ? `- **${message}**` : `- ${message}`;
}
