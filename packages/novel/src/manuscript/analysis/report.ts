// The files of analysis/: a report for each topic that has something to say, and an overview.

import type { FileBlock } from "../../types.ts";
import { ANALYSIS_FOLDER, nameOf } from "../files/layout.ts";
import { countOf } from "../words.ts";
import type { AnalysisFinding } from "./text.ts";

const titles: Readonly<Record<string, string>> = {
  format: "Format and staleness",
  length: "Length",
  repetition: "Repetition",
  phrases: "Banned phrases",
  beats: "Required beats",
  names: "Names that change spelling",
};

/** Whether a file of analysis/ is one that an analysis makes; any other was put there by somebody. */
export function isReport(path: string): boolean {
  return ["overview", ...Object.keys(titles)].some((topic) => path === `${ANALYSIS_FOLDER}/${topic}.md`);
}

/** The files, without a date: the same text gives the same files. */
export function reportFiles(
  byTopic: Readonly<Record<string, readonly AnalysisFinding[]>>,
  lengths: readonly { path: string; words: number }[],
): FileBlock[] {
  const found = Object.entries(byTopic).filter(([, findings]) => findings.length > 0);
  return [
    { path: `${ANALYSIS_FOLDER}/overview.md`, content: overview(byTopic, lengths) },
    ...found.map(([topic, findings]) => ({
      path: `${ANALYSIS_FOLDER}/${topic}.md`,
      content: `# ${titles[topic]}\n\n${hardFirst(findings).map(lineOf).join("\n")}\n`,
    })),
  ];
}

/** What must be fixed before what may be. */
export function hardFirst(findings: readonly AnalysisFinding[]): AnalysisFinding[] {
  return findings.toSorted((a, b) => Number(b.severity === "hard") - Number(a.severity === "hard"));
}

function overview(
  byTopic: Readonly<Record<string, readonly AnalysisFinding[]>>,
  lengths: readonly { path: string; words: number }[],
): string {
  const topics = Object.entries(byTopic).map(
    ([topic, { length }]) => `- ${titles[topic]}: ${length === 0 ? "nothing found" : countOf(length, "finding")}`,
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
