// summarize: what the task says and what the workspace holds, as they are now. No model is asked.

import { plainLine } from "@loopwright/terminal";
import { isTestFile } from "@loopwright/workspace";
import { grammarOf } from "@loopwright/workspace/grammar";
import { budgetsIn } from "../rank/budget.ts";
import type { summarizeWorkspace } from "../showing/summary.ts";
import type { CodeContext, CodeState } from "../task.ts";
import { addKnowledge, readTaskFile } from "../task-file.ts";
import { takeCorrected } from "../testing/targets.ts";
import { workcellOf } from "../workspace.ts";

const EMPTY_WORKSPACE = "(empty workspace)";
const AGENTS = "AGENTS.md";
const MOST_AGENTS = 20_000;

/** Reads task.md again, which a person may have edited, and looks at the workspace. */
export async function summarize(state: CodeState, ctx: CodeContext) {
  const { task_file } = ctx.input;
  const task =
    task_file === undefined
      ? withNote(state.task, ctx.answer?.note)
      : await ctx.effect("read-task", { run: () => readTaskFile(task_file) });
  const { map } = budgetsIn(ctx.input.windows);
  const look = await workcellOf(ctx, state).effect("look", {
    run: async (cell, { signal }) => {
      const setup = await cell.setUp(state.installs, signal);
      const [files, paths] = [await cell.readFiles(), await cell.listFiles()];
      const isProgram = files.some(({ path }) => grammarOf(path) !== undefined && !isTestFile(path));
      return {
        ...(isProgram && { isProgram }),
        ...(setup && { setup }),
        summary: paths.length === 0 ? EMPTY_WORKSPACE : await summaryOf(paths, files, task, map),
        agents: (files.find(({ path }) => path === AGENTS)?.content ?? "").slice(0, MOST_AGENTS),
        agents_below: files
          .filter(({ path }) => path.endsWith(`/${AGENTS}`))
          .map(({ path, content }) => ({ path, content: content.slice(0, MOST_AGENTS) })),
        snapshot: await cell.snapshot(),
      };
    },
  });
  if (look.setup) await ctx.tell("setup", { ...look.setup });
  await ctx.save("summary.txt", `${look.summary}\n`);
  // What a person adds to the task is no amendment: the cap moves with it.
  const original_size = Math.max(0, state.original_size + task.length - state.task.length);
  const seen = {
    ...{
      summary: look.summary,
      agents: look.agents,
      agents_below: look.agents_below,
      snapshot: look.snapshot,
      task,
      original_size,
    },
    ...(ctx.answer?.note !== undefined && { said: plainLine(ctx.answer.note) }),
    // Where the user's files were taken in anew, what was accepted before compares with none of them.
    ...(state.snapshot === undefined && { base: look.snapshot, ...(state.accepted && { accepted: [] }) }),
  };
  const failed = look.setup?.failed;
  if (failed) {
    const reason = `what the program needs could not be installed: '${failed.command}': ${failed.said}`;
    return ctx.to("finalize", { ...seen, stopping: { outcome: "failed", reason } });
  }
  if (state.plan_generation > 0) {
    const corrected = await takeCorrected({ ...state, ...seen }, ctx);
    return ctx.to("plan", { ...seen, ...corrected?.patch });
  }
  if (!look.isProgram) return ctx.to("plan", seen);
  const { takeBaseline } = await import("../testing/baseline.ts");
  const { baseline, reason } = await takeBaseline(ctx, look.snapshot);
  if (baseline) return ctx.to("plan", { ...seen, baseline });
  return ctx.to("finalize", { ...seen, stopping: { outcome: "failed", reason } });
}

async function summaryOf(...given: Parameters<typeof summarizeWorkspace>): Promise<string> {
  return (await import("../showing/summary.ts")).summarizeWorkspace(...given);
}

/** A task that stands in no file, with what a person has said of it in their answer. */
function withNote(task: string, note = ""): string {
  const line = plainLine(note);
  return line === "" ? task : addKnowledge(task, line).text;
}
