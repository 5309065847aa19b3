// search: the builder, which is no model. An iteration tries one batch of candidates; the least costly one that passes every
// visible test is put into the workspace and goes to TEST, where the held-out tests decide.

import { detectStuck, fail, type Stuck, type StuckRules, sha256 } from "@loopwright/core";
import type { FileBlock } from "@loopwright/workspace";
import { createTwoFilesPatch } from "diff";
import { type Batch, candidateAt, tryBatch } from "../batch.ts";
import { applyEdits } from "../candidates/index.ts";
import type { Plausible, SearchState } from "../search-state.ts";
import type { RepairContext, RepairState } from "../task.ts";
import { workspaceAt } from "../workspace.ts";

/** Tries a batch, unless a plausible repair of an earlier one is still to be judged. */
export async function search(state: RepairState, ctx: RepairContext) {
  await ctx.tell("iteration-began", { iteration: ctx.iteration });
  let found = state.search!;
  if (chooseRepair(found) === undefined && found.stage !== "exhausted") {
    const batch = await workspaceAt(ctx, found.base).effect("batch", {
      input: { stage: found.stage, from: found.cursor },
      run: (cell, effect) => tryBatch(cell, found, ctx.input, effect),
    });
    found = learnBatch(found, batch, ctx.iteration);
    const stuck = noProgress(found);
    if (stuck) await ctx.tell("stuck-detected", { ...stuck, tried: found.tried, most_fixed: found.most_fixed });
  }
  const chosen = chooseRepair(found);
  if (chosen !== undefined) return putRepair(ctx, found, chosen);
  ctx.verdict(fail(scoreOf(found), batchWords(found)));
  if (found.stage === "exhausted")
    return ctx.to("finalize", { search: found, stopping: { outcome: "stagnant", reason: exhaustedWords(found) } });
  return ctx.to("search", { search: found });
}

/** The plausible repair of least cost that was not refused, by its place; of two that are alike, the earlier. */
export function chooseRepair({ plausible }: Pick<SearchState, "plausible">): number | undefined {
  const open = plausible.flatMap(({ refused, cost }, place) => (refused === undefined ? [{ place, cost }] : []));
  return open.sort((a, b) => a.cost - b.cost || a.place - b.place)[0]?.place;
}

/** So many batches in which no candidate fixed more tests are worth a word. The list of candidates says when it is over. */
const BATCHES = 10;
const stuckRules: StuckRules = { plateau: { window: BATCHES, gain: Number.MIN_VALUE } };

/** Whether the last batches brought nothing; said once for each so many. */
export function noProgress({ history }: Pick<SearchState, "history">): Stuck | undefined {
  const stuck = detectStuck(history, stuckRules);
  return stuck && stuck.count % BATCHES === 0 ? stuck : undefined;
}

/** What is known after an iteration's batch. */
export function learnBatch(before: SearchState, batch: Batch, iteration: number): SearchState {
  const learned = learnCandidates(before, batch);
  return { ...learned, history: [...before.history, { iteration, score: scoreOf(learned) }] };
}

function learnCandidates(before: SearchState, batch: Batch): SearchState {
  const cursor = before.cursor + batch.tried;
  const stage = before.stage as Plausible["stage"];
  const isOver = cursor >= batch.size;
  const { limit, died, unloadable } = before.ended;
  return {
    ...before,
    stage: isOver ? (stage === "singles" ? "pairs" : "exhausted") : stage,
    cursor: isOver ? 0 : cursor,
    stage_size: isOver ? 0 : batch.size,
    tried: before.tried + batch.tried,
    ended: {
      limit: limit + batch.ended.limit,
      died: died + batch.ended.died,
      unloadable: unloadable + batch.ended.unloadable,
    },
    // The list of pairs is made of these: it may not change while it is tried.
    improved: stage === "singles" ? [...before.improved, ...batch.improved] : before.improved,
    most_fixed: Math.max(before.most_fixed, ...batch.improved.map(({ fixed }) => fixed.length)),
    plausible: [...before.plausible, ...batch.plausible.map((each) => ({ stage, ...each }))],
  };
}

/** Puts a repair into the workspace, for the runner to judge. */
async function putRepair(ctx: RepairContext, found: SearchState, place: number) {
  const { title, ...which } = found.plausible[place]!;
  const put = await workspaceAt(ctx, found.base).effect("put", {
    input: { repair: sha256(JSON.stringify([which.stage, which.index, title])) },
    run: async (cell) => {
      const { program, candidate } = await candidateAt(cell, found, ctx.input, which);
      const files = applyEdits(program.files, candidate.edits);
      await cell.writeFiles(files);
      return { snapshot: await cell.snapshot(), diff: diffOf(program.files, files) };
    },
  });
  await ctx.save("repair.diff", put.diff);
  return ctx.to("test", {
    snapshot: put.snapshot,
    search: { ...found, chosen: place, diff: put.diff },
  });
}

function diffOf(before: readonly FileBlock[], after: readonly FileBlock[]): string {
  const old = new Map(before.map(({ path, content }) => [path, content]));
  const parts = after.map(({ path, content }) =>
    createTwoFilesPatch(`a/${path}`, `b/${path}`, old.get(path) ?? "", content, "", "", { context: 3 }).replace(
      /^=+\n/,
      "",
    ),
  );
  return parts.join("");
}

/** How far the best candidate came: the share of visible tests that pass with it. */
function scoreOf({ failing, passing, most_fixed }: SearchState): number {
  return (passing.length + most_fixed) / (passing.length + failing.length);
}

function batchWords({ tried, failing, most_fixed, plausible }: SearchState): string {
  const best =
    most_fixed > 0 ? `the best fixes ${most_fixed} of ${failing.length} failing tests` : "none fixes a failing test";
  const refused = plausible.length > 0 ? `; ${plausible.length} passed them and were refused by hidden checks` : "";
  return `no repair among ${tried.toLocaleString("en")} candidates; ${best}${refused}`;
}

function exhaustedWords(found: SearchState): string {
  return `the candidates are exhausted: ${batchWords(found)}`;
}
