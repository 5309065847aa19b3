// finalize: the run stops for the reason that was decided, and goes on from its best state if it ever does. Whatever ends a run,
// a ceiling on time, tokens or dollars too, the loop's last word leaves the best state in the run's checkout; the user's files
// get it where the run is done.

import { type Ending, type FinishContext, sha256 } from "@loopwright/core";
import { applyResult, type ProjectCell, withLeft } from "@loopwright/workspace";
import { isWorthRestoring } from "../best.ts";
import type { CodeContext, CodeState, CodeTask } from "../task.ts";
import { tellResult, writeHandOff } from "../telling/ending.ts";
import { fileOf } from "../testing/test-files.ts";
import { WORKCELL, workcellOf } from "../workspace.ts";

/** Takes the best state up again, and ends the run. */
export async function finalize(state: CodeState, ctx: CodeContext) {
  const { outcome, reason } = state.stopping!;
  const restored = outcome !== "done" && isWorthRestoring(state.best, state.snapshot) ? state.best : undefined;
  const snapshot = restored?.snapshot ?? state.snapshot;
  if (restored) await ctx.tell("best-restored", { iteration: restored.iteration, score: restored.score });
  const standing = { snapshot, stopping: undefined, ...(restored && { test_report: restored.report }) };
  if (outcome === "done") {
    const bundle = await saveBundle(state, ctx);
    if (ctx.input.is_attempt) return ctx.end("done", { reason, patch: standing });
    const applied = await applyResult(ctx, workcellOf(ctx, { snapshot }), state.accepted);
    if (bundle && applied.branch !== undefined) {
      const note = `${bundle["proof.md"]}\n${JSON.stringify(bundle)}\n`;
      await workcellOf(ctx, { snapshot }).effect("note", { run: async (cell) => void (await cell.note(note)) });
    }
    return ctx.end("done", {
      reason: withLeft(reason, applied),
      patch: { ...standing, applied: applied.written.length },
    });
  }
  // One iteration more than the ceiling allows: the engine ends the run, and a raised ceiling lets it go on here.
  if (outcome === "ceiling") return ctx.to("implement", standing);
  // A person may change the workspace before the run goes on: it is then taken as it stands.
  const patch = { ...standing, snapshot: undefined };
  if (outcome === "failed") return ctx.end("failed", { reason, patch, next: "summarize" });
  const question = `${reason}. ${ctx.input.task_file === undefined ? SAY_MORE : EDIT_TASK}`;
  const gate = { name: "escalation", question, choices: { resume: "summarize", stay: null }, default: "stay" } as const;
  return ctx.end("escalated", { reason, patch, gate });
}

/** Saves the proof of what is done, where there is a change to prove. */
async function saveBundle(state: CodeState, ctx: CodeContext): Promise<Record<string, string> | undefined> {
  const { proof, requirements } = state;
  if (!proof) return undefined;
  const files = [...new Set(proof.targets.map(fileOf))];
  const made = await workcellOf(ctx, state).effect("base", {
    run: async (cell) => {
      const { text: patch } = await cell.patch();
      if (patch === undefined) return null;
      const tests = await cell.readFiles(files);
      return {
        patch,
        base: await cell.base(patch),
        tests: Object.fromEntries(tests.map(({ path, content }) => [path, sha256(content)])),
      };
    },
  });
  if (!made) return undefined;
  const { makeBundle } = await import("../proof/bundle.ts");
  const { runner, ...base } = made.base;
  const bundle = makeBundle({
    ...made,
    base,
    evidence: proof,
    ...(requirements && { requirements }),
    task: state.task,
    ...(runner !== undefined && { runner }),
  });
  for (const [name, text] of Object.entries(bundle)) await ctx.save(`proof/${name}`, text, "attempt");
  return bundle;
}

const EDIT_TASK =
  "Edit the task file (its Domain Knowledge, say) or the workspace, or say what is wrong with your answer ('resume: WORDS'), to have it planned again.";
const SAY_MORE =
  "Edit the workspace, or say what the task lacks or what is wrong with your answer ('resume: WORDS'), to have it planned again.";

/** Restores the best state, says what it is, and writes the hand-off note. */
export async function finish(state: CodeState, ending: Ending, ctx: FinishContext<CodeTask>): Promise<void> {
  const { best, snapshot } = state;
  const kept = ending.outcome === "done" ? snapshot : (best?.snapshot ?? snapshot);
  // Whoever presses Ctrl-C will go on, or look at what stands there: nothing is put in its place.
  let place: string | undefined;
  if (kept !== undefined && ending.outcome !== "interrupted") {
    const cell = ctx.workcell<ProjectCell>(WORKCELL, kept);
    await cell.effect("restore", { run: async () => null });
    place = await tellResult(state, ctx, await cell.effect("patch", { run: (each) => each.patch() }), ending);
  }
  await ctx.save("hand-off.md", writeHandOff(state, ending, ctx, place));
}
