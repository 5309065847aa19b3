// A cascade: the levels below a change, or above it, are brought in line one after the other. Each step is an iteration like
// any other; what is left after it stands in staleness.json, in the same commit, so that it outlives whatever happens.

import { levelsAbove, levelsBelow } from "../manuscript/files/layout.ts";
import type { Cascade } from "../manuscript/files/schemas.ts";
import type { Manuscript } from "../manuscript/index.ts";
import { type Level, levels } from "../types.ts";

/** A step of a cascade, as a run is given it: `levels` are those left after it. */
export interface CascadeStep extends Omit<Cascade, "levels"> {
  levels: Level[];
  /** The files that are to be brought in line; all of the level where it follows what is below. */
  files?: string[] | undefined;
}

/** What is left of a cascade, without the levels that need nothing; undefined where nothing is. */
export function pendingCascade(manuscript: Pick<Manuscript, "staleness" | "has" | "stale">): Cascade | undefined {
  const { cascade } = manuscript.staleness;
  if (!cascade) return undefined;
  const stale = new Set(manuscript.stale().map(({ level }) => level));
  const left = cascade.levels.filter(
    (level) => manuscript.has(level) && (cascade.direction === "up" || stale.has(level)),
  );
  return left.length > 0 ? { ...cascade, levels: left } : undefined;
}

/** The cascade that an iteration of a level sets off. */
export function cascadeDown(
  manuscript: Pick<Manuscript, "has">,
  from: Level,
  iteration_id: string,
  feedback: string,
): Cascade | undefined {
  const left = levelsBelow(from).filter(manuscript.has);
  return left.length > 0
    ? { direction: "down", from, levels: left, iteration_id, feedback, of: left.length }
    : undefined;
}

/** The cascade that brings the levels above a change in line with it, nearest first. */
export function cascadeUp(
  manuscript: Pick<Manuscript, "has">,
  from: Level,
  iteration_id: string,
  feedback: string,
): Cascade | undefined {
  const left = levelsAbove(from).filter(manuscript.has).reverse();
  return left.length > 0 ? { direction: "up", from, levels: left, iteration_id, feedback, of: left.length } : undefined;
}

/** The cascade that brings everything in line that is stale, whatever made it so. */
export function cascadeOfStale(manuscript: Pick<Manuscript, "stale">, iteration_id: string): Cascade | undefined {
  const stale = manuscript.stale().filter((each) => each.level !== "analysis");
  const left = levels.filter((level) => stale.some((each) => each.level === level));
  const from = stale[0]?.because[0];
  return from ? { direction: "down", from, levels: left, iteration_id, feedback: "", of: left.length } : undefined;
}

/** The next step of a cascade: the level, and what its run is given. */
export function nextStep(
  manuscript: Pick<Manuscript, "stale">,
  cascade: Cascade,
): { target: Level; step: CascadeStep } {
  const [target, ...left] = cascade.levels;
  const stale = manuscript.stale().find(({ level }) => level === target);
  const files = stale?.files.map(({ path }) => path) ?? [];
  const isPartial = cascade.direction === "down" && files.length > 0;
  return { target: target!, step: { ...cascade, levels: left, ...(isPartial && { files }) } };
}

/** Which step of how many comes next. */
export function stepNumber({ levels: left, of = left.length }: Cascade): { step: number; of: number } {
  return { step: of - left.length + 1, of };
}

/** Who takes part, beside the writer. */
export interface Readers {
  judges: number;
  hasSummarizer: boolean;
}

/** How many requests what is left of a cascade makes where no answer is asked for twice: between these. What is not stale yet
 * may become so, in some of its files or in all. */
export function requestsLeft(
  manuscript: Pick<Manuscript, "stale" | "paths">,
  { levels: left, direction }: Pick<Cascade, "levels" | "direction">,
  { judges, hasSummarizer }: Readers,
): { least: number; most: number } {
  const stale = new Map(manuscript.stale().map(({ level, files }) => [level, files.length]));
  const read = judges + (hasSummarizer ? 1 : 0);
  const ranges = left.map((level) => {
    const all = manuscript.paths(level).length;
    const known = direction === "up" ? undefined : stale.get(level);
    if (level === "prose") return { least: known ?? 1, most: (known ?? all) + read };
    // Upward the question of which chapters are reached comes first.
    return { least: 1, most: 1 + read + (direction === "up" && all > 1 ? 1 : 0) };
  });
  const sum = (side: "least" | "most") => ranges.reduce((total, range) => total + range[side], 0);
  return { least: sum("least"), most: sum("most") };
}

function called(level: Level): string {
  return level === "chapters" ? "the plan of the chapters" : `the ${level}`;
}

/** What a step asks of the writer, and is held against by the judge. */
export function stepFeedback(target: Level, { direction, from, feedback }: Omit<Cascade, "levels">): string {
  const change = feedback.trim() === "" ? "" : ` (last: ${feedback.trim()})`;
  return direction === "down"
    ? `Bring ${called(target)} in line with ${called(from)}, which changed${change}: follow all the changes that are shown, wherever they reach, and change nothing else.`
    : `Bring ${called(target)} in line with ${called(from)}, which changed${change}: take over what is said there now, such as names and facts, and change nothing else.`;
}
