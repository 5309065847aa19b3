// reach: which files of the level the feedback reaches, and why; a person can add, drop, or have the whole level written.
//
// Asked before anything else, so that only what is reached is written, and asked anew where a judge finds that a file which
// nobody touched contradicts the change: at most twice, for then a person knows better.

import { projectOf } from "../debug-store.ts";
import { keepCancelled } from "../learning/decisions.ts";
import { chapterNumber } from "../manuscript/files/layout.ts";
import { bareTitle } from "../manuscript/language/chapter-title.ts";
import { tell } from "../notes.ts";
import { missingChapters } from "../reach/named.ts";
import { mayReopen, planOf } from "../reach/plan.ts";
import { type LookAgain, proposeReach } from "../reach/propose.ts";
import { structureRequest } from "../reach/structure-request.ts";
import { type Survey, type Surveying, surveyLevel } from "../reach/survey.ts";
import { filesInWords, type ReachChange, readChange, readChanges, readFileList, saysChange } from "../reach/words.ts";
import { saidToText, withNote } from "../said/author-notes.ts";
import { withoutQuestion } from "../said/authors-words.ts";
import { loadValue } from "../saved.ts";
import { baseOf, type NamedFile, type NovelContext, type NovelState, type Reach } from "../task.ts";
import type { Level } from "../types.ts";
import { announceAttempt } from "../writing/rounds.ts";
import { askAboutKept, endStopped, type Settled, stillReleased } from "./ask-about-kept.ts";
import { mustBeWeighed } from "./weigh.ts";

/** Why a file is reached that the author named. */
const ADDED = "you added it";
/** How often files are added and dropped before it is a mistake. */
const MOST_TURNS = 50;

/** Proposes, and asks a person. */
export async function reach(before: NovelState, ctx: NovelContext) {
  const { kind, target, variants, is_question } = ctx.input;
  if (is_question) return ctx.to("talk");
  if (mustBeWeighed(ctx.input)) return ctx.to("weigh");
  // One file is reached by whatever is said of it, and a person's own edit says itself what it touches.
  if (kind !== "iterate" || variants !== undefined || target === "premise" || target === "treatment")
    return ctx.to("check");
  const known = reachOfStep(ctx.input);
  if (known) return ctx.to("check", { reach: known });
  const { stopped, reach: proposed, ...kept } = before.reach ? { reach: before.reach } : await propose(before, ctx);
  if (stopped) return endStopped(ctx, stopped);
  if (!proposed) return ctx.to("check");
  if (!before.reach) await tellProposal(ctx, proposed, []);
  const state = { ...before, ...kept };
  const hasAny = proposed.files.length > 0;
  const answer = await ctx.ask({
    name: "reach",
    question: questionOf(proposed, target),
    choices: hasAny ? ["yes", "all", "add", "drop", "cancel"] : ["all", "add", "cancel"],
    default: hasAny ? "yes" : "cancel",
    about: { files: proposed.files, is_all: proposed.is_all, reopened: proposed.reopened },
  });
  const { choice, note = "" } = answer;
  const wanted = choice === "add" || choice === "drop" ? { choice, list: note } : readChange(note, proposed.of);
  // What seems to change the list and does not is asked about again: nobody said that the list is right.
  if (!wanted && choice === "yes" && saysChange(note)) {
    await tell(ctx, "reach-refused", { message: `'${note}' names no file among ${filesInWords(proposed.of)}` });
    return ctx.to("reach", { ...kept, reach: { ...proposed, turns: proposed.turns + 1 } });
  }
  const whole = { ...proposed, files: proposed.of, is_all: true };
  if (wanted && choice !== "cancel") return change(ctx, state, choice === "all" ? whole : proposed, wanted);
  const said = { ...kept, ...withNote(state, "reach", answer) };
  if (choice === "cancel" && !proposed.is_open) {
    const reason = `the iteration was cancelled before anything was written${note === "" ? "" : `: ${note}`}${stillReleased(state)}`;
    await keepCancelled(ctx, note);
    await tell(ctx, "declined", { reason, debug: "" });
    return ctx.end("declined", { reason, patch: { ...said, decision: "cancelled" } });
  }
  const decided = choice === "all" ? whole : proposed;
  if (!proposed.is_open) return ctx.to("check", { ...said, reach: decided });
  return settle(ctx, { ...state, ...said }, decided, choice === "cancel");
}

/** A step of a cascade downward reaches the files that are stale: nobody is asked. */
function reachOfStep({ cascade }: NovelContext["input"]): Reach | undefined {
  if (!cascade?.files) return undefined;
  const why = cascade.files.map((path) => ({ path, why: "what it was made from has changed" }));
  return {
    files: cascade.files,
    is_all: false,
    why,
    by: "cascade",
    of: cascade.files,
    reopened: 0,
    turns: 0,
    is_open: false,
  };
}

/** Proposes, once it is clear what becomes of kept passages that the feedback quotes: where they stay, no model need be asked. */
async function propose(state: NovelState, ctx: NovelContext): Promise<Settled & { reach?: Reach }> {
  const folder = projectOf(ctx);
  const { target, feedback } = ctx.input;
  const read = await ctx.effect<Surveying>("survey", {
    input: { target, feedback },
    run: (effect) => surveyLevel(folder, ctx.input, effect),
  });
  // What cannot be done is refused by the phase that checks it, in its own words.
  if (read.refused !== undefined || read.paths.length < 2) return {};
  const missing = missingChapters(feedback.map(withoutQuestion), read.paths);
  if (missing.length > 0) {
    const count = read.paths.filter((path) => chapterNumber(path) !== undefined).length;
    const reason = `there is no chapter ${missing.join(", ")}: the book has ${count}`;
    return { stopped: { outcome: "declined", reason } };
  }
  const command = target === "prose" ? structureRequest(feedback.map(withoutQuestion)) : undefined;
  if (command !== undefined) {
    const reason = `chapters are made, joined and dropped by a command, in plan and prose together and without a model: ${command}`;
    return { stopped: { outcome: "declined", reason } };
  }
  const about = read.named ? await askAboutKept(state, ctx, read.named) : {};
  if (about.stopped) return about;
  const look: LookAgain = async (scope, words) => {
    const looked = await scope.effect<Surveying>("look", {
      input: { target, feedback, words: [...words] },
      run: (effect) => surveyLevel(folder, ctx.input, effect, words),
    });
    return looked.refused === undefined ? loadValue<Survey>(ctx, looked.survey) : undefined;
  };
  const survey = await loadValue<Survey>(ctx, read.survey);
  const found = await proposeReach(ctx, survey, look, saidToText(about));
  // A file that a person adds has its title too.
  const named = survey.files.map(({ path, title }) => ({ path, why: "", title: bareTitle(title) }));
  const why = withReasons(named, found.why);
  return { ...about, reach: { ...found, why, of: read.paths, reopened: 0, turns: 0, is_open: false } };
}

/** What a person adds or drops, and the question again. */
async function change(ctx: NovelContext, state: NovelState, before: Reach, wanted: ReachChange) {
  const reach = { ...before, turns: before.turns + 1 };
  // A flag that says the same again and again would never come to an end.
  if (reach.turns > MOST_TURNS) {
    const reason = `what the feedback reaches was changed ${MOST_TURNS} times without a yes: answer yes, all or cancel`;
    return ctx.end("failed", { reason });
  }
  let said: Pick<NovelState, "said" | "has_released"> = settledBefore(state);
  let next = reach;
  for (const each of readChanges(wanted, reach.of)) {
    const { files, refused } = filesToChange(next, each);
    if (refused !== undefined) {
      await tell(ctx, "reach-refused", { message: refused });
      return ctx.to("reach", { ...settledBefore(state), reach });
    }
    next = changed(next, each, files);
    const note = each.reason === "" ? "" : `${filesInWords(files)}: ${each.reason}`;
    said = { ...said, ...withNote(said, "reach", { choice: each.choice, note }) };
  }
  await tellProposal(ctx, next, []);
  return ctx.to("reach", { ...said, reach: next });
}

/** What was settled before the question, where the same visit settled it. */
function settledBefore({ said, has_released }: NovelState): Pick<NovelState, "said" | "has_released"> {
  return { ...(said && { said }), ...(has_released && { has_released }) };
}

/** The files that one change names, or why it cannot be made. */
function filesToChange(reach: Reach, { choice, list }: ReachChange): { files: string[]; refused?: string } {
  const { files, unknown } = readFileList(list, reach.of);
  if (unknown.length > 0) return { files, refused: `there is no '${unknown[0]}' among ${filesInWords(reach.of)}` };
  if (files.length === 0) return { files, refused: `say which, such as '${choice}: 3, 5-7'` };
  const isLast = choice === "drop" && reach.files.every((path) => files.includes(path));
  return isLast ? { files, refused: "nothing would be left to write: 'cancel' drops the iteration" } : { files };
}

function changed(
  { none: _, ...reach }: Reach,
  { choice, reason }: ReachChange & { reason: string },
  files: readonly string[],
): Reach {
  const chosen = new Set(reach.is_all && choice === "add" ? [] : reach.files);
  for (const path of files) choice === "add" ? chosen.add(path) : chosen.delete(path);
  const reasonOf = (path: string) => reach.why.find((each) => each.path === path)?.why;
  const added = files.map((path) => ({ path, why: reason === "" ? reasonOf(path) || ADDED : `${ADDED}: ${reason}` }));
  return {
    ...reach,
    files: reach.of.filter((path) => chosen.has(path)),
    is_all: false,
    why: choice === "add" ? withReasons(reach.why, added) : reach.why,
  };
}

/** Files with why each is reached; what is newly said takes the place of what was. */
function withReasons(files: readonly NamedFile[], said: readonly NamedFile[]): NamedFile[] {
  const byPath = new Map(files.map((each) => [each.path, each]));
  for (const each of said) byPath.set(each.path, { ...byPath.get(each.path), ...each });
  return [...byPath.values()];
}

/** The question that a judge's word opened: what was added is written; where nothing was, the attempt stands as it is. */
async function settle(ctx: NovelContext, state: NovelState, decided: Reach, isDropped: boolean) {
  const last = state.attempts.at(-1)!;
  const wrote = new Set(state.attempts.flatMap((attempt) => attempt.wrote ?? []));
  const reach = isDropped
    ? { ...decided, files: decided.files.filter((path) => wrote.has(path)), is_open: false }
    : { ...decided, is_open: false };
  const isMore = reach.is_all || reach.files.some((path) => !wrote.has(path));
  const said = state.said ? { said: state.said } : {};
  if (!isMore && last.judgment?.verdict === "approved")
    return ctx.to("summarize", { ...said, reach, chosen: last.number });
  await announceAttempt(ctx, baseOf(state), state.attempts, planOf({ ...state, reach }, ctx.input), state.said);
  return ctx.to("generate", { ...said, reach });
}

/** The question opened anew by contradictions in files that were not touched; undefined where it is asked no more. */
export async function reopenReach(
  ctx: NovelContext,
  state: NovelState,
  found: readonly NamedFile[],
): Promise<Reach | undefined> {
  const { reach } = state;
  if (!reach || found.length === 0 || !mayReopen(state, ctx.input)) return undefined;
  const more = found.filter(({ path }) => reach.of.includes(path) && !reach.files.includes(path));
  if (more.length === 0) return undefined;
  const files = new Set([...reach.files, ...more.map(({ path }) => path)]);
  const next: Reach = {
    ...reach,
    files: reach.of.filter((path) => files.has(path)),
    why: withReasons(reach.why, more),
    reopened: reach.reopened + 1,
    is_open: true,
  };
  await tellProposal(ctx, next, more);
  return next;
}

function tellProposal(ctx: NovelContext, reach: Reach, because: readonly NamedFile[]): Promise<void> {
  const files = reach.files.map((path) => reach.why.find((each) => each.path === path) ?? { path, why: "" });
  return tell(ctx, "reach-proposed", {
    ...{ target: ctx.input.target, files, is_all: reach.is_all, by: reach.by, of: reach.of.length },
    because: [...because],
  });
}

function questionOf({ files, is_all, of, is_open, none }: Reach, target: Level): string {
  if (files.length === 0)
    return `No file is proposed: ${(none ?? "none is named").replace(/[.\s]+$/, "")}. Which are to be written (add 3, 5-7), all of them, or cancel?`;
  if (is_open)
    return `With what the judge found, ${filesInWords(files)} are to be written (${files.length} of ${of.length}). Write these, or leave what was not touched as it is (cancel)?`;
  if (is_all) return `The feedback reaches all ${of.length} files of '${target}'. Write them all?`;
  return `The feedback reaches ${filesInWords(files)} (${files.length} of ${of.length}). Write these?`;
}
