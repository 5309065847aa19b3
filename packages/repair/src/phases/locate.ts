// locate: which tests fail, and which lines they run: where the search will look.

import { fail, pass } from "@loopwright/core";
import { judge, runHeldOut, runTests } from "@loopwright/workspace";
import { rankLines } from "../candidates/suspicion.ts";
import { splitTests, withoutHeldOut } from "../held-out.ts";
import { beginSearch } from "../search-state.ts";
import type { RepairContext, RepairState } from "../task.ts";
import { trialsOf } from "../trials.ts";
import { workspaceAt } from "../workspace.ts";

/** More lines than these are not looked at: the least suspicious are left out. */
const MOST_SUSPECTS = 1_000;

/** Runs the tests as they are, and asks what they execute. A person may have changed the workspace: it is taken as it stands. */
export async function locate(_state: RepairState, ctx: RepairContext) {
  const { base, report } = await workspaceAt(ctx).effect("baseline", {
    run: async (cell, { signal }) => ({ base: await cell.snapshot(), report: await runTests(cell, { signal }) }),
  });
  const areGiven = ctx.input.held_out;
  const { failing, passing, held_out } = splitTests(report, { areGiven });
  const { visible } = withoutHeldOut(report, held_out);
  const seen = { snapshot: base, test_report: visible };
  const stop = (outcome: "done" | "failed" | "stagnant", reason: string) =>
    ctx.to("finalize", { ...seen, stopping: { outcome, reason } });

  const { verdict } = judge(visible, []);
  if (report.fault !== undefined || passing.length + failing.length === 0) {
    ctx.verdict(verdict);
    return stop("failed", `${verdict.reason}. The search begins with a program whose tests run`);
  }
  if (failing.length === 0) {
    const hidden = areGiven ? await checkHidden(ctx, base) : [];
    const isGreen = !hidden.includes("failed");
    const reason = isGreen
      ? `${verdict.reason} as they are: there is nothing to repair`
      : "the tests that the search may see all pass, and hidden checks fail: nothing shows it where to look";
    ctx.verdict(isGreen ? pass(1, reason) : fail(0.5, reason));
    return stop(isGreen ? "done" : "stagnant", reason);
  }
  ctx.verdict(verdict);
  const shown = new Set([...failing, ...passing]);
  const suspects = await workspaceAt(ctx, base).effect("coverage", {
    run: async (cell, { signal }) => {
      const trials = await trialsOf(cell, base);
      const coverage = (await trials.coverage({ signal })).filter(({ test }) => shown.has(test));
      return rankLines(coverage).slice(0, MOST_SUSPECTS);
    },
  });
  if (suspects.length === 0)
    return stop(
      "failed",
      `which lines the ${shown.size} tests execute could not be found out, so there is nowhere to look: fewer test files, or --tests with those that fail, may do`,
    );
  await ctx.save("suspects.json", `${JSON.stringify(suspects, null, 2)}\n`);
  return ctx.to("search", { ...seen, search: beginSearch({ base, failing, passing, held_out, suspects }) });
}

/** The results of held-out tests. Nothing of them is remembered but which, by their place in the order, passed. */
export function checkHidden(ctx: RepairContext, snapshot: string) {
  return workspaceAt(ctx, snapshot).effect("hidden", { run: (cell, { signal }) => runHeldOut(cell, signal) });
}
