// A question before anything is written: the feedback is about a passage that may not change.

import { releaseKept } from "../committing/release-kept.ts";
import { projectOf } from "../debug-store.ts";
import { describeKept } from "../manuscript/kept.ts";
import { tell } from "../notes.ts";
import { withNote } from "../said/author-notes.ts";
import type { KeptNamed } from "../said/kept-named.ts";
import type { NovelContext, NovelState } from "../task.ts";

/** What came of it: what the author said, or why the iteration ends. */
export interface Settled {
  said?: NovelState["said"];
  has_released?: boolean;
  stopped?: Stopped;
}

interface Stopped {
  outcome: "declined" | "failed";
  reason: string;
}

/** Asks what becomes of kept passages that the feedback is about. One that is released loses its marks in a commit of its own. */
export async function askAboutKept(
  state: NovelState,
  ctx: NovelContext,
  { passages, has_rest, is_likely = false }: KeptNamed,
): Promise<Settled> {
  if (passages.length === 0 || state.said?.some(({ gate }) => gate === "kept")) return {};
  const named = passages.map(describeKept).join("; ");
  const choices = has_rest ? (["release", "leave", "stop"] as const) : (["release", "stop"] as const);
  const answer = await ctx.ask({
    name: "kept",
    question: `The feedback ${is_likely ? "seems to be" : "is"} about what is kept and may not change: ${named}. Release it${has_rest ? ", leave it and do the rest" : ""}, or stop?`,
    choices: [...choices],
    // Of several items one can be left; of one, nothing would be left to do.
    default: has_rest && (is_likely || ctx.input.feedback.length > 1) ? "leave" : "stop",
    about: passages.map(({ path, passage }) => ({ path, passage })),
  });
  if (answer.choice === "stop")
    return { stopped: { outcome: "declined", reason: `nothing was written, for it is kept: ${named}` } };
  if (answer.choice === "leave") {
    const text = [`leave what is kept to the letter, ${named}, and do the rest`, answer.note ?? ""];
    return withNote(state, "kept", { ...answer, note: text.filter((each) => each !== "").join(": ") });
  }
  const { target, iteration_id: id } = ctx.input;
  const folder = projectOf(ctx);
  const released = await ctx.effect<Awaited<ReturnType<typeof releaseKept>>>("release", {
    input: { id, passages: passages.map(({ path, passage }) => ({ path, passage })) },
    run: () => releaseKept(folder, { target, id: `${id}-release`, passages }),
  });
  if (released.refused !== undefined) return { stopped: { outcome: "failed", reason: released.refused } };
  await tell(ctx, "warning", { code: "KEPT_RELEASED", message: `no longer kept, in a commit of its own: ${named}` });
  return { ...withNote(state, "kept", answer), has_released: true };
}

/** What an iteration that ends without a commit of its own leaves behind all the same, as the end of a sentence. */
export function stillReleased({ has_released }: Pick<NovelState, "has_released">): string {
  return has_released ? "; what was released stays released (/undo takes that back)" : "";
}

/** Ends an iteration that is not carried out. */
export async function endStopped(ctx: NovelContext, { outcome, reason }: Stopped) {
  if (outcome === "failed") return ctx.end("failed", { reason });
  await tell(ctx, "declined", { reason, debug: "" });
  return ctx.end("declined", { reason, patch: { decision: "cancelled" } });
}
