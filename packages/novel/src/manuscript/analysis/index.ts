// Analysis without a model: the same text always gives the same findings.

import { type Change, type FileBlock, levels } from "../../types.ts";
import { isTold } from "../files/layout.ts";
import type { Manuscript } from "../files/open.ts";
import { checkFormat } from "../format/format.ts";
import { analyzedChange } from "../history/staleness.ts";
import { countWords, plain } from "../words.ts";
import { checkLengths, findBannedPhrases, findMissingBeats } from "./beats.ts";
import { findNameSpellings, findRepetitions } from "./repetition.ts";
import { hardFirst, isReport, reportFiles } from "./report.ts";
import { type AnalysisFinding, hard, soft } from "./text.ts";

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
    beats: findMissingBeats(beats, told, planned, project.analysis?.required_beats ?? []),
    names: findNameSpellings([...planned, ...prose]),
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
