// check: the repository and the level are looked at, a person says what becomes of everything below it, hand edits are
// committed on their own, and what the iteration starts from is read once for the whole run.

import { type Looked, look, type Read, readProject } from "../committing/read-project.ts";
import { debugFolder, projectOf } from "../debug-store.ts";
import { refuseWindow } from "../judging/room.ts";
import { keepCancelled } from "../learning/decisions.ts";
import type { Downstream } from "../manuscript/index.ts";
import { tell } from "../notes.ts";
import { planOf, reachedFiles } from "../reach/plan.ts";
import { withNote } from "../said/author-notes.ts";
import type { NovelContext, NovelState } from "../task.ts";
import { announceAttempt } from "../writing/rounds.ts";
import { askAboutKept, endStopped, stillReleased } from "./ask-about-kept.ts";

/** Looks, asks about what is below, and reads. */
export async function check(state: NovelState, ctx: NovelContext) {
  const { input } = ctx;
  const { target, kind } = input;
  const folder = projectOf(ctx);
  const began = ctx.clock.now();
  const looked = await ctx.effect<Looked>("look", {
    input: { target, kind },
    run: () => look(folder, input, reachedFiles(state, target)),
  });
  if (looked.refused !== undefined) return ctx.end("failed", { reason: looked.refused });
  const about = looked.named ? await askAboutKept(state, ctx, looked.named) : {};
  if (about.stopped) return endStopped(ctx, about.stopped);
  const before = { ...state, ...about };
  // What a level is derived from is not made stale by it.
  const downstream = kind === "derive" ? [] : looked.downstream;
  // A step of a cascade goes on to the levels below by itself, and those that it follows agree with it. Reports are no level: they
  // are stale, and made anew by who wants them.
  const isAsked = downstream.some(({ level }) => level !== "analysis") && !input.cascade;
  const answer = isAsked ? await askAboutDownstream(ctx, downstream, looked) : { choice: "keep-all" as const };
  const { choice } = answer;
  const said = { ...about, ...withNote(before, "downstream", answer) };
  if (choice === "cancel") {
    const why = "note" in answer && answer.note ? `: ${answer.note}` : "";
    const reason = `the iteration was cancelled before anything was written${why}${stillReleased(before)}`;
    await keepCancelled(ctx, "note" in answer ? answer.note : undefined);
    await tell(ctx, "declined", { reason, debug: "" });
    return ctx.end("declined", { reason, patch: { ...said, downstream, decision: "cancelled" } });
  }
  const read = await ctx.effect<Read>("read", {
    input: { target, kind },
    run: (effect) => readProject(folder, input, effect),
  });
  if (read.refused !== undefined) return ctx.end("failed", { reason: read.refused });
  const { base, hand_edits } = read;
  const narrow = base.is_first ? undefined : refuseWindow(input);
  if (narrow !== undefined) return ctx.end("failed", { reason: narrow });
  const is_culled = choice === "cull-all";
  // An iteration that begins anew on a newer text keeps its attempts, and goes on in the same folder.
  const debug = state.debug === "" ? debugFolder(folder, target, began) : state.debug;
  await tell(ctx, "target-checked", { target, kind, is_first: base.is_first, downstream, is_culled, hand_edits });
  await announceAttempt(ctx, base, state.attempts, planOf({ ...state, base }, input), said.said ?? state.said);
  return ctx.to("generate", {
    ...said,
    base,
    downstream,
    is_culled,
    debug,
    written: [],
    answer_problems: [],
    chosen: undefined,
  });
}

function askAboutDownstream(
  ctx: NovelContext,
  downstream: readonly Downstream[],
  { kept = [], stays = [] }: { kept?: string[]; stays?: string[] },
) {
  const found = downstream.map(({ level, count }) => `${level} (${count})`).join(", ");
  const passages = kept.length === 0 ? "" : ` Kept passages there go with it: ${kept.join("; ")}.`;
  const staying = stays.length === 0 ? "" : ` A deletion leaves these: ${stays.join(", ")}.`;
  return ctx.ask({
    name: "downstream",
    question: `Downstream content will be affected: ${found}.${staying}${passages} Delete it all, keep it all (what was made from it is stale then), or cancel?`,
    choices: ["cull-all", "keep-all", "cancel"],
    default: "cancel",
    about: downstream.map(({ level, count }) => ({ level, count })),
  });
}
