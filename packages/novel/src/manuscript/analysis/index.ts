// Analysis without a model: the same text always gives the same findings.

import { type Change, type FileBlock, levels } from "../../types.ts";
import { ANALYSIS_FOLDER, isTold } from "../files/layout.ts";
import type { Manuscript } from "../files/open.ts";
import { checkFormat } from "../format/format.ts";
import { analyzedChange } from "../history/staleness.ts";
import { countWords, plain } from "../words.ts";
import { findMissingBeats } from "./beats.ts";
import { type AnalysisFinding, sortFindings } from "./finding.ts";
import { checkLengths } from "./length.ts";
import { findNameSpellings } from "./names.ts";
import { findBannedPhrases } from "./phrases.ts";
import { findRepetitions } from "./repetition.ts";
import { reportFiles } from "./report.ts";

export type { AnalysisFinding } from "./finding.ts";

/** What an analysis found, and the files that say it. */
export interface Analysis {
  findings: AnalysisFinding[];
  /** Reports, findings.json and the record of what was analyzed; reports of before that are no longer made go. */
  change: Change;
}

/** Checks all that there is. */
export async function analyze(manuscript: Manuscript): Promise<Analysis> {
  const { project } = manuscript;
  const read = async (level: (typeof levels)[number]) => (await manuscript.read(level)).map(plain);
  const [premise, treatment, beats, prose] = (await Promise.all(levels.map(read))) as [
    FileBlock[],
    FileBlock[],
    FileBlock[],
    FileBlock[],
  ];
  const told = prose.filter(({ path }) => isTold(path));
  const byTopic: Record<string, AnalysisFinding[]> = {
    format: [
      ...levels.flatMap((level, index) =>
        formatFindings(manuscript, level, [premise, treatment, beats, prose][index]!),
      ),
      ...staleFindings(manuscript),
    ],
    length: checkLengths(told, project),
    repetition: findRepetitions(told),
    phrases: findBannedPhrases([...treatment, ...beats, ...prose], project.analysis?.banned_phrases ?? []),
    beats: findMissingBeats(beats, told, [...treatment, ...beats], project.analysis?.required_beats ?? []),
    names: findNameSpellings([...treatment, ...beats, ...prose]),
  };
  const files = reportFiles(
    byTopic,
    prose.map(({ path, content }) => ({ path, words: countWords(content) })),
  );
  const made = new Set(files.map(({ path }) => path));
  // What people or other programs put into the folder stays.
  const remove = manuscript.analysis.filter(
    (path) => !made.has(path) && Object.keys(byTopic).some((topic) => path === `${ANALYSIS_FOLDER}/${topic}.md`),
  );
  const findings = sortFindings(Object.values(byTopic).flat());
  return { findings, change: { write: [...files, analyzedChange(manuscript)], remove } };
}

function formatFindings(
  manuscript: Manuscript,
  level: (typeof levels)[number],
  files: readonly FileBlock[],
): AnalysisFinding[] {
  if (files.length === 0) return [];
  const options = { previous: files, project: manuscript.project, isFirst: false, feedback: ["analyze"] };
  return checkFormat(level, files, options).map((message) => {
    const path = files.find((file) => message.startsWith(file.path))?.path;
    return { code: "FORMAT", severity: "hard", priority: 2, message, ...(path !== undefined && { path }) };
  });
}

function staleFindings(manuscript: Manuscript): AnalysisFinding[] {
  return manuscript.stale().flatMap(({ level, because }) =>
    level === "analysis"
      ? []
      : [
          {
            code: "STALE",
            severity: "soft",
            priority: 2,
            message: `The ${level} may be stale: ${because.join(", ")} changed since.`,
          },
        ],
  );
}
