// What an attempt writes: of the files that the feedback reaches, those that are not yet as they should be; and the level as it stands
// meanwhile: as it was, with what the last attempt that can be read made of it.

import type { Answer } from "@loopwright/core";
import { chapterPath, comparePaths } from "../manuscript/files/layout.ts";
import { withNote } from "../said.ts";
import { currentAttempt, loadAttempt, loadBefore } from "../saved.ts";
import type { Judgment, NamedFile, NovelContext, NovelState, NovelTask, Plan } from "../task.ts";
import type { FileBlock } from "../types.ts";
import { filesCalled } from "./names.ts";

/** How often a judge's word changes what is written: after that a person knows better. */
const MOST_REOPENED = 2;
const MOST_HEARTS = 4;

/** The files that the attempt under way writes, in order; undefined where the level is written whole, in one answer. */
export function filesToWrite(state: NovelState, { target }: Pick<NovelTask, "target">): string[] | undefined {
  if (target !== "prose") return undefined;
  const planned = plannedFiles(state);
  const last = currentAttempt(state);
  if (!last || !planned) return planned;
  // A judge who says which files are wanting leaves the others as they are; those that were added since were never written.
  const { verdict, revise = [], missing = [], superfluous = [] } = last.judgment ?? {};
  const known = new Set(state.attempts.flatMap(({ wrote = [] }) => wrote));
  const named = verdict === "approved" ? [] : [...revise, ...[...missing, ...superfluous].map(({ path }) => path)];
  const words = (state.said ?? []).filter(({ attempt }) => attempt === last.number);
  const meant = words.flatMap(({ files = [] }) => files);
  const wanted = new Set([...named, ...meant, ...planned.filter((path) => !known.has(path))]);
  const again = planned.filter((path) => wanted.has(path));
  // Where a file is only put back, nothing is to be written, unless the author says more; what they send back with their own words is
  // written whole, whatever the judge said of it.
  const isPutBack = superfluous.some(({ path }) => !planned.includes(path));
  const hasWords = words.length > 0;
  if (words.some(({ gate }) => gate === "accept")) return planned;
  return again.length > 0 || (isPutBack && !hasWords) ? again : planned;
}

/** The files of the prose that this iteration may write; undefined before the prose was read. */
export function plannedFiles({ plan, base }: NovelState): string[] | undefined {
  if (plan) return plan.is_whole ? plan.of : plan.files.map(({ path }) => path);
  if (!base) return undefined;
  return Array.from({ length: base.chapters }, (_, at) => chapterPath("prose", at + 1));
}

/** The files in which the feedback itself happens; what happens in many has no heart. */
export function heartsOf(plan: Plan | undefined): string[] {
  const hearts = (plan?.files ?? []).filter(({ kind }) => kind === "heart").map(({ path }) => path);
  return hearts.length > MOST_HEARTS ? [] : hearts;
}

/** The plan as a judge's word changes it; undefined where it stays. */
export function reopened(plan: Plan | undefined, { missing, superfluous }: Judgment): Plan | undefined {
  if (!plan || plan.is_whole || plan.reopened >= MOST_REOPENED) return undefined;
  const there = new Set(plan.files.map(({ path }) => path));
  const added = missing.filter(({ path }) => plan.of.includes(path) && !there.has(path));
  const dropped = new Set(superfluous.map(({ path }) => path).filter((path) => there.has(path)));
  const kept = plan.files.filter(({ path }) => !dropped.has(path));
  if (added.length + dropped.size === 0 || kept.length + added.length === 0) return undefined;
  return { ...withMore({ ...plan, files: kept }, added), reopened: plan.reopened + 1 };
}

/** What the author said beside a choice, with the plan as it opens the files that their words are about. */
export function withWords(state: NovelState, gate: string, answer: Answer & { files?: string[] }, attempt: number) {
  const { plan } = state;
  const about = plan ? filesCalled(answer.files ?? [], plan.of) : [];
  const words = withNote(state, gate, answer, attempt, about);
  const isNew = (path: string) => plan?.files.every((file) => file.path !== path);
  const added = about.filter(isNew).map((path) => ({ path, why: answer.note ?? "" }));
  if (!plan || plan.is_whole || !words.said || added.length === 0) return words;
  return { ...words, plan: withMore(plan, added) };
}

function withMore(plan: Plan, added: readonly NamedFile[]): Plan {
  const more = added.map(({ path, why }) => ({ path, kind: "after" as const, why, does: why }));
  return { ...plan, files: [...plan.files, ...more].sort((a, b) => comparePaths(a.path, b.path)) };
}

export interface Standing {
  /** As it was when the iteration began. */
  before: FileBlock[];
  /** As the last attempt has it; as it was where there is none. */
  now: FileBlock[];
  hasAttempt: boolean;
}

/** Loads both versions. A file that is no longer planned is as it was, whatever an attempt made of it. */
export async function loadStanding(ctx: NovelContext, state: NovelState): Promise<Standing> {
  const last = currentAttempt(state);
  const [before, attempt] = await Promise.all([loadBefore(ctx, state), last && loadAttempt(ctx, last)]);
  if (!attempt) return { before, now: before, hasAttempt: false };
  const planned = ctx.input.target === "prose" ? plannedFiles(state) : undefined;
  const put = planned ? before.filter(({ path }) => !planned.includes(path)) : [];
  return { before, now: withFiles(attempt, put), hasAttempt: true };
}

/** Files with some of them replaced by others of the same path; what is new comes in the order of its chapters. */
export function withFiles(files: readonly FileBlock[], replaced: readonly FileBlock[]): FileBlock[] {
  const byPath = new Map([...files, ...replaced].map((file) => [file.path, file]));
  return [...byPath.values()].sort((a, b) => comparePaths(a.path, b.path));
}
