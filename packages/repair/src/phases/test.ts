// test: a repair is tried by the runner, as any program is, then by the tests that were held out, and last without what it changed.

import { type Finding, pass } from "@loopwright/core";
import { checkChange, judge, runTests } from "@loopwright/workspace";
import { withoutHeldOut } from "../held-out.ts";
import type { SearchState } from "../search-state.ts";
import type { RepairContext, RepairState } from "../task.ts";
import { workspaceAt } from "../workspace.ts";
import { checkHidden } from "./locate.ts";

/** Takes the repair, or refuses it and has the search go on from the program as it was. */
export async function test(state: RepairState, ctx: RepairContext) {
  const [found, snapshot] = [state.search!, state.snapshot!];
  const known = [...found.failing, ...found.passing];
  const { title } = found.plausible[found.chosen!]!;
  const report = await workspaceAt(ctx, snapshot).effect("tests", {
    run: (cell, { signal }) => runTests(cell, { signal }),
  });
  const { visible, results } = withoutHeldOut(report, found.held_out);
  const isGreen = judge(visible, known).verdict.verdict === "pass";
  const given = isGreen && ctx.input.held_out ? await checkHidden(ctx, snapshot) : [];
  const hidden_results = ctx.input.held_out ? given : isGreen ? results : [];
  const isLast = isGreen && !hidden_results.includes("failed");
  const doubts = isLast ? await lookAtChange(ctx, snapshot) : [];
  const judged = judge(visible, known, hidden_results, doubts).verdict;
  const isTaken = judged.verdict === "pass";
  const verdict = ctx.verdict(isTaken ? pass(1, passWords(judged.reason, hidden_results), doubts) : judged);
  await ctx.save("tests.json", `${JSON.stringify({ verdict, ...visible }, null, 2)}\n`);
  const seen = { test_report: visible, hidden_results };
  if (verdict.verdict === "pass") {
    await ctx.tell("repair-taken", { title, diff: found.diff });
    return ctx.to("finalize", { ...seen, stopping: { outcome: "done", reason: verdict.reason } });
  }
  await ctx.tell("repair-refused", { title, why: verdict.reason });
  return ctx.to("search", { ...seen, search: refuseRepair(found, verdict.reason), snapshot: found.base });
}

/** The last look before the run is done: the tests must fail without what was changed. */
function lookAtChange(ctx: RepairContext, snapshot: string): Promise<Finding[]> {
  return workspaceAt(ctx, snapshot).effect("change", { run: (cell, { signal }) => checkChange(cell, signal) });
}

/** What a pass is worth: without held-out tests nobody has checked that it is more than fitted to the visible ones. */
function passWords(reason: string, hidden: readonly unknown[]): string {
  return hidden.length > 0
    ? `${reason}, and ${hidden.length === 1 ? "the held-out one" : `the ${hidden.length} held-out ones`} too`
    : `${reason}; unverified: with fewer than three tests none could be held out`;
}

/** Marks the repair that stood in the workspace as refused. */
export function refuseRepair(search: SearchState, reason: string): SearchState {
  const { chosen, ...rest } = search;
  const plausible = search.plausible.map((each, place) => (place === chosen ? { ...each, refused: reason } : each));
  return { ...rest, plausible, diff: "" };
}
