// finalise: content, cull, history and staleness go into one commit, and the work tree is brought to it.
//
// What the commit holds is worked out and recorded first; the commit is made of that record and found again by the
// iteration's id, so that doing it again after a crash completes what is left. A level that a person edited since the
// iteration began is never written over unasked: the edit has a commit of its own by then, and the person says what happens.

import { type Artifact, type EffectContext, UsageError } from "../../core/index.ts";
import { keepForDebugging, projectOf } from "./debug-store.ts";
import { historyEntry, iterationSubject } from "./history-entry.ts";
import { type Downstream, openManuscript } from "./manuscript/index.ts";
import { note } from "./notes.ts";
import { planChange } from "./plan-change.ts";
import { openRepository } from "./repository/index.ts";
import { feedbackOf } from "./rounds.ts";
import { loadAttempt, loadBefore, loadValue, toArtifactText } from "./saved.ts";
import { baseOf, chosenAttempt, type NovelContext, type NovelState } from "./task.ts";
import type { Change, FileBlock } from "./types.ts";

/** What is to be committed, as it is recorded. */
interface Plan {
  change: Artifact;
  /** The commit that it was worked out on. */
  on: string;
  files: number;
  removed: number;
  history: number;
  culled: Downstream[];
}

type Planned = { refused: string } | { refused?: undefined; edited: string[] } | { refused?: undefined; plan: Plan };

/** Commits the chosen attempt. */
export async function finalise(state: NovelState, ctx: NovelContext) {
  const { target, kind, iteration_id } = ctx.input;
  const attempt = chosenAttempt(state);
  const [before, files = []] = await Promise.all([loadBefore(ctx, state), loadAttempt(ctx, attempt)]);
  const entry = historyEntry(ctx.input, state, before, files, ctx.clock.now());
  const input = { iteration_id, attempt: attempt.number };
  const work = (effect: EffectContext, mayOverwrite: boolean) =>
    plan(ctx, state, entry, before, files, effect, mayOverwrite);
  let planned = await ctx.effect<Planned>("plan", { input, run: (effect) => work(effect, false) });
  if ("edited" in planned) {
    const choice = await askAboutEdit(ctx, planned.edited);
    if (choice === "again") return ctx.to("check");
    if (choice === "no") return decline(ctx, state);
    planned = await ctx.effect<Planned>("plan-over", { input, run: (effect) => work(effect, true) });
  }
  if ("edited" in planned) throw new Error("an edit that may be written over was refused");
  if (planned.refused !== undefined) return ctx.end("failed", { reason: planned.refused, next: "finalise" });
  const { plan: made } = planned;
  const change = await loadValue<Change>(ctx, made.change);
  const subject = iterationSubject(ctx.input, baseOf(state).is_first);
  const body = [...feedbackOf(ctx.input, baseOf(state).is_first), state.summary ?? ""].filter((text) => text !== "");
  const folder = projectOf(ctx);
  const committed = await ctx.effect<Committed>("commit", {
    input: { ...input, subject, on: made.on, change: made.change.digest },
    run: () => commit(folder, { id: iteration_id, subject, body: body.join("\n\n"), change, base: made.on }),
  });
  if (committed.refused !== undefined) return ctx.end("failed", { reason: committed.refused, next: "finalise" });
  await keepForDebugging(ctx, "debug", state.debug, { "user_decision.txt": "accepted\n" });
  const { files: written, removed, history, culled } = made;
  const verdict = attempt.judgement?.verdict ?? "none";
  const attempts = entry.judge_attempts;
  const { sha } = committed;
  note(ctx, "finalised", { target, files: written, removed, history, culled, commit: sha, subject, attempts, verdict });
  const reason =
    kind === "iterate" ? `accepted and committed as ${sha.slice(0, 10)}` : `committed as ${sha.slice(0, 10)}`;
  return ctx.end("done", { reason, patch: { commit: sha, decision: "accepted" } });
}

type Committed = { refused: string } | { refused?: undefined; sha: string };

/** Commits; or says, where a hook or the repository's state refuses it, why. Nothing is changed then. */
async function commit(
  folder: string,
  given: { id: string; subject: string; body: string; change: Change; base: string },
): Promise<Committed> {
  try {
    const repository = await openRepository(folder);
    return { sha: (await repository.commitIteration({ ...given, base: given.base || undefined })).sha };
  } catch (error) {
    if (error instanceof UsageError) return { refused: error.message };
    throw error;
  }
}

/** Commits hand edits on their own, and works out what this commit holds. */
async function plan(
  ctx: NovelContext,
  state: NovelState,
  entry: ReturnType<typeof historyEntry>,
  before: readonly FileBlock[],
  files: readonly FileBlock[],
  effect: EffectContext,
  mayOverwrite: boolean,
): Promise<Planned> {
  try {
    const folder = projectOf(ctx);
    const repository = await openRepository(folder);
    const refused = await repository.check();
    if (refused !== undefined) return { refused };
    await repository.commitHandEdits();
    const manuscript = await openManuscript(folder);
    const edited = mayOverwrite ? [] : differing(before, await manuscript.read(ctx.input.target));
    if (edited.length > 0) return { edited };
    const made = await planChange(manuscript, ctx.input, state, files, entry);
    const { change, ...figures } = made;
    const saved = await effect.save("change.json", toArtifactText(change));
    return { plan: { ...figures, change: saved, on: (await repository.head()) ?? "" } };
  } catch (error) {
    if (error instanceof UsageError) return { refused: error.message };
    throw error;
  }
}

async function askAboutEdit(ctx: NovelContext, edited: readonly string[]) {
  const { choice } = await ctx.ask({
    name: "edited",
    question: `${edited.join(", ")} changed by hand since this iteration began; the edit has a commit of its own. Begin again from it, put the accepted text in its place, or leave it and drop the iteration?`,
    choices: ["again", "overwrite", "no"],
    default: "again",
    accepting: ["overwrite"],
    about: [...edited],
  });
  return choice;
}

async function decline(ctx: NovelContext, state: NovelState) {
  const reason = "the text was edited by hand meanwhile, and the edit stays";
  await keepForDebugging(ctx, "debug", state.debug, { "user_decision.txt": "rejected\n" });
  note(ctx, "declined", { reason, debug: state.debug });
  return ctx.end("declined", { reason, patch: { decision: "rejected" } });
}

/** The files that are not as they were, byte for byte. */
function differing(before: readonly FileBlock[], now: readonly FileBlock[]): string[] {
  const old = new Map(before.map(({ path, content }) => [path, content]));
  const paths = new Set([...old.keys(), ...now.map(({ path }) => path)]);
  const current = new Map(now.map(({ path, content }) => [path, content]));
  return [...paths].filter((path) => old.get(path) !== current.get(path));
}
