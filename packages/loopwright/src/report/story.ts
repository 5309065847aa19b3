// A run as it is shown: what its events tell, one section per iteration, for `show`, its JSON and the report alike. Section 0 is
// what came before the first iteration. Runs that took over from one another are one story.
//
// Each file keeps the folder it was saved in: the files that a fork has from before lie in the folder of its origin.

import { posix } from "node:path";
import {
  type Artifact,
  addUsage,
  noUsage,
  type Reader,
  type RunRecord,
  type StampedEvent,
  type Usage,
  type Verdict,
} from "@loopwright/core/look";
import { showScore } from "@loopwright/terminal";
import { pathToHref } from "@loopwright/terminal/html";
import { eventToMoment, type Moment, type Notes } from "../display/words.ts";

/** A file that a run has made, with its address from the page; none where a browser would run what is in it. */
export interface SavedFile {
  /** Its path inside the iteration's or the attempt's folder. */
  name: string;
  artifact: Artifact;
  href: string | undefined;
}

/** One iteration, or what came before the first. */
export interface Section {
  iteration: number;
  startedAt: number;
  /** Active milliseconds. */
  active: number;
  usage: Usage;
  verdicts: Verdict[];
  /** By name; the last one saved counts. */
  files: Map<string, SavedFile>;
  moments: TimedMoment[];
}

export type TimedMoment = Moment & { at: number };

export interface Story {
  /** In the order of their iterations. */
  sections: Section[];
  /** Files of the whole run that were made after its first iteration began: its results. */
  results: SavedFile[];
  /** The run that this one was forked from, with the address of its report. */
  forkedFrom?: { run: string; iteration: number; href: string | undefined };
  /** Active milliseconds of the longest visit. */
  longestVisit: number;
}

/** How a run stands, and what happened in it and in those that it took over from: its chain, of which it is the last. */
export async function readStory(
  reader: Reader,
  chain: readonly RunRecord[],
): Promise<{ record: RunRecord; events: StampedEvent[] }> {
  const events: StampedEvent[] = [];
  for (const { run } of chain) for await (const event of reader.events(run, { outlined: true })) events.push(event);
  return { record: { ...chain.at(-1)!, scores: chain.flatMap(({ scores }) => scores) }, events };
}

/** The story of a run. */
export function gatherStory(record: RunRecord, events: readonly StampedEvent[], notes: Notes = {}): Story {
  const sections = new Map<number, Section>();
  const results = new Map<string, SavedFile>();
  const story: Story = { sections: [], results: [], longestVisit: 0 };
  let folder = record.folder;
  let current = 0;
  let [active, entered] = [0, 0];
  const section = (iteration: number, at: number) => {
    const facts = { iteration, startedAt: at, active: 0, usage: noUsage };
    if (!sections.has(iteration)) sections.set(iteration, { ...facts, verdicts: [], files: new Map(), moments: [] });
    return sections.get(iteration)!;
  };

  for (const event of events) {
    const here = section(current, event.at);
    here.active += Math.max(0, event.active - active);
    active = event.active;
    const moment = eventToMoment(event, notes);
    // Where the diff that it announces is not shown, a note ends without its colon.
    if (moment)
      here.moments.push({ ...moment, at: event.at, text: moment.text.replace(moment.diff ? /:\s*$/ : "", "") });
    story.longestVisit = Math.max(story.longestVisit, active - entered);
    switch (event.type) {
      case "run-started":
        folder = event.folder;
        break;
      case "run-forked": {
        const href = pageFrom(record.folder, folder, "report.html");
        story.forkedFrom = { run: event.from, iteration: event.iteration, href };
        folder = event.folder;
        break;
      }
      case "effect-charged":
      case "effect-finished":
      case "effect-failed":
        here.usage = addUsage(here.usage, event.usage ?? {});
        break;
      case "verdict-recorded":
        section(event.iteration, event.at).verdicts.push(event.verdict);
        break;
      case "artifact-saved": {
        const { artifact } = event;
        const [own, ofIteration] = placeOf(artifact.path, record.attempt);
        const name = ofIteration ?? own;
        const href = isActive(artifact.path) ? undefined : pageFrom(record.folder, folder, artifact.path);
        const files = ofIteration !== undefined || current === 0 ? here.files : results;
        files.set(name, { name, artifact, href });
        break;
      }
    }
    if ("enter" in event && event.enter) {
      current = event.enter.iteration;
      entered = active;
    }
  }
  // A loop that starts in its first iteration has nothing to tell of before.
  const hasContent = ({ iteration, verdicts, files, moments }: Section) =>
    iteration > 0 || verdicts.length + files.size + moments.length > 0;
  story.sections = [...sections.values()].filter(hasContent).sort((a, b) => a.iteration - b.iteration);
  story.results = [...results.values()];
  return story;
}

/** A file's name in its attempt, and in its iteration if it belongs to one. */
function placeOf(path: string, attempt: string): [string, string?] {
  const own = attempt !== "" && path.startsWith(`${attempt}/`) ? path.slice(attempt.length + 1) : path;
  return [own, /^iterations\/iter-\d{3,9}\/(.+)$/s.exec(own)?.[1]];
}

/** Whether a browser that follows a link to this file would run script in it. */
function isActive(path: string): boolean {
  return /\.([xs]?html?|xht|svgz?|xml|xslt?|mht(ml)?|hta|pdf|swf)$/i.test(path);
}

/** The address, from the page in one run's folder, of a file in another's. */
export function pageFrom(from: string, to: string, path: string): string | undefined {
  const href = pathToHref(path);
  const way = posix.relative(`/${from}`, `/${to}`);
  if (href === undefined || way === "") return href;
  return `${way.split("/").map(encodeURIComponent).join("/")}/${href}`;
}

/** The verdict that an iteration came to: its last. */
export function verdictOf({ verdicts }: Section): Verdict | undefined {
  return verdicts.at(-1);
}

/** A score, and the iteration that came to it. */
export interface Point {
  iteration: number;
  score: number;
}

/** The score that each iteration came to, its last, in the order of the iterations. */
export function lastOfEach(scores: readonly Point[]): Point[] {
  const byIteration = new Map<number, Point>();
  for (const point of scores) byIteration.set(point.iteration, point);
  return [...byIteration.values()].sort((a, b) => a.iteration - b.iteration);
}

/** The best score so far, and the iteration that first had it. */
export function bestOf({ scores }: { scores: readonly Point[] }): Point | undefined {
  let best: Point | undefined;
  for (const point of lastOfEach(scores)) if (!best || point.score > best.score) best = point;
  return best;
}

/** Where a score was reached, in words. */
export function showPlace({ iteration }: Pick<Point, "iteration">): string {
  return iteration === 0 ? "at the start" : `in iteration ${iteration}`;
}

/** How a score has changed, as the difference of the two that are shown. */
export function shownChange(before: number, after: number): number {
  return Number((Number(showScore(after)) - Number(showScore(before))).toFixed(3));
}
