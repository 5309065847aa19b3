// check: the repository and the level are looked at, a person says what becomes of everything below it, hand edits are
// committed on their own, and what the iteration starts from is read once for the whole run.

import { askAuthor } from "../asking.ts";
import { type Looked, look, type Read, readProject } from "../committing/read-project.ts";
import { refuseWindow } from "../judging/packs.ts";
import type { Downstream } from "../manuscript/files/open.ts";
import { tell } from "../notes.ts";
import { SAY, withNote } from "../said.ts";
import { debugFolder, projectOf } from "../saved.ts";
import type { NovelContext, NovelState } from "../task.ts";

/** Looks, asks about what is below, and reads. */
export async function check(state: NovelState, ctx: NovelContext) {
  const { input } = ctx;
  const { target, kind, follows } = input;
  if (kind === "ask") return ctx.to("read");
  const folder = projectOf(ctx);
  const began = ctx.clock.now();
  const looked = await ctx.effect<Looked>("look", { input: { target, kind }, run: () => look(folder, input) });
  if (looked.refused !== undefined) return ctx.end("failed", { reason: looked.refused });
  // What a level is derived from is not made stale by it; a cascade goes on below by itself; and an iteration that begins anew on a
  // newer text has its answer. Reports are no level: they are made anew by who wants them.
  const downstream = kind === "derive" ? [] : looked.downstream;
  const isAsked = downstream.some(({ level }) => level !== "analysis") && !follows && !state.base;
  const answer = isAsked ? await askAboutDownstream(ctx, downstream, looked.stays) : { choice: "keep-all" as const };
  if (answer.choice === SAY) return ctx.to("check");
  if (answer.choice === "cancel") {
    const reason = "the iteration was cancelled before anything was written";
    await tell(ctx, "declined", { reason, debug: "" });
    return ctx.end("declined", { reason, patch: { downstream, decision: "cancelled" } });
  }
  const read = await ctx.effect<Read>("read", {
    input: { target, kind },
    run: (effect) => readProject(folder, input, effect),
  });
  if (read.refused !== undefined) return ctx.end("failed", { reason: read.refused });
  const { base, hand_edits } = read;
  const narrow = base.is_first ? undefined : refuseWindow(input);
  if (narrow !== undefined) return ctx.end("failed", { reason: narrow });
  const is_culled = state.base ? state.is_culled : answer.choice === "cull-all";
  // One that begins anew keeps its attempts, and goes on in the same folder.
  const debug = state.debug === "" ? debugFolder(folder, target, began) : state.debug;
  await tell(ctx, "target-checked", { target, kind, is_first: base.is_first, downstream, is_culled, hand_edits });
  return ctx.to("read", {
    ...withNote(state, "downstream", answer),
    ...{ base, downstream, is_culled, debug },
    ...{ written: [], chosen: undefined },
  });
}

function askAboutDownstream(ctx: NovelContext, downstream: readonly Downstream[], stays: readonly string[] = []) {
  const found = downstream.map(({ level, count }) => `${level} (${count})`).join(", ");
  const staying = stays.length === 0 ? "" : ` A deletion leaves these: ${stays.join(", ")}.`;
  return askAuthor(ctx, {
    name: "downstream",
    question: `Downstream content will be affected: ${found}.${staying} Cull all downstream (cull-all or yes), keep it all as it is, to be stale then (keep-all or no), or cancel?`,
    choices: ["cull-all", "keep-all", "cancel"],
    default: "cancel",
    about: downstream.map(({ level, count }) => ({ level, count })),
    means: {
      "cull-all": "everything below is deleted (undo brings it back), and the iteration goes on",
      "keep-all": "everything below stays, marked as stale, and the iteration goes on",
      cancel: "nothing is done",
    },
  });
}
