// baseline: where there is a program already, its own tests are run before anything is planned, twice, and what they say is
// what every later run is held against. An empty workspace has none. No model is asked.

import { grammarOf } from "@loopwright/workspace/grammar";
import { type ProjectCell, runSuite } from "@loopwright/workspace";
import { nameSome } from "@loopwright/workspace";
import type { CodeContext, CodeState } from "../task.ts";
import { type Baseline, compareRuns } from "../testing/baseline.ts";
import { workcellOf } from "../workspace.ts";

/** Runs the suite as it is, and asks a person where the sandbox keeps tests from passing. */
export async function baseline(state: CodeState, ctx: CodeContext) {
  const found = await workcellOf(ctx, state).effect("baseline", { run: (cell, { signal }) => lookAt(cell, signal) });
  if (!found) return ctx.to("summarise", {});
  const { snapshot, ...seen } = found;
  const { passing, failing, flaky, blocked } = seen.baseline;
  await ctx.tell("baseline", { passing: passing.length, failing, flaky, blocked: blocked.map(({ name }) => name) });
  if (blocked.length > 0 && !ctx.input.allow_failing) {
    const why = [...new Set(blocked.map((each) => each.why))].join(", ");
    const { choice } = await ctx.ask({
      name: "blocked-tests",
      question: `${blocked.length} of the repository's tests fail because of the sandbox (${why}), such as ${nameSome(blocked.map(({ name }) => name))}. Go on without them?`,
      choices: ["yes", "no"],
      default: "yes",
    });
    if (choice === "no")
      return ctx.to("finalize", {
        stopping: { outcome: "failed", reason: "a person would not go on without the tests that the sandbox blocks" },
      });
  }
  return ctx.to("summarise", { snapshot, baseline: seen.baseline });
}

/** Two runs of the suite, from the same files; undefined where there is no program. */
async function lookAt(
  cell: ProjectCell,
  signal: AbortSignal,
): Promise<{ snapshot: string; baseline: Baseline } | null> {
  const isProgram = (await cell.listFiles()).some((path) => grammarOf(path) !== undefined);
  if (!isProgram) return null;
  const snapshot = await cell.snapshot();
  const first = await runSuite(cell, { signal });
  await cell.restore(snapshot);
  const second = await runSuite(cell, { signal });
  await cell.restore(snapshot);
  return { snapshot, baseline: compareRuns(first, second) };
}
