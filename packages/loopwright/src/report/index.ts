// The report: one self-contained page per run. No script is in it and none is needed; nothing is fetched.

import { loadContents } from "./contents.ts";
import { renderPage } from "./page.ts";
import { bestOf } from "./scores.ts";
import type { ReportSource } from "./source.ts";
import { gatherStory, type Section, type Story } from "./story.ts";

export { nextSteps, whyItStopped } from "./next-steps.ts";
export type { ChildRun, ReportSource } from "./source.ts";

/** Up to so many iterations, each is shown whole; of more, the first, the last and the best. */
const WHOLE_LIMIT = 60;
const WHOLE_FIRST = 5;
const WHOLE_LAST = 30;

/** The report of a run, as HTML text. */
export async function writeReport(source: ReportSource): Promise<string> {
  const story = gatherStory(source.record, source.events, source.notes);
  const best = bestOf(source.record)?.iteration;
  const whole = wholeSections(story.sections, best);
  const inOrder = [{ files: filesByName(story) }, ...byImportance(whole, best)];
  const contents = await loadContents(inOrder, source.load);
  return renderPage({ source, story, whole: new Set(whole), contents });
}

function wholeSections(sections: readonly Section[], best: number | undefined): Section[] {
  if (sections.length <= WHOLE_LIMIT + 1) return [...sections];
  const last = sections.length - WHOLE_LAST;
  return sections.filter(({ iteration }, index) => index <= WHOLE_FIRST || index >= last || iteration === best);
}

/** The sections in the order in which their pictures are put into the page: best, first, latest, start, then backwards. */
function byImportance(sections: readonly Section[], best: number | undefined): Section[] {
  const leading = [
    sections.find(({ iteration }) => iteration === best),
    sections.find(({ iteration }) => iteration === 1),
    sections.at(-1),
    sections.find(({ iteration }) => iteration === 0),
  ].filter((section) => section !== undefined);
  return [...new Set([...leading, ...sections.toReversed()])];
}

function filesByName({ results }: Story): Section["files"] {
  return new Map(results.map((file) => [file.name, file]));
}
