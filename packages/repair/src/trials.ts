// The warm workers of a workcell: opened when first asked for, and kept while it stands at the same program.

import type { ProjectCell, Trials } from "@loopwright/workspace";

interface Kept {
  base: string;
  trials: Promise<Trials>;
}

const kept = new WeakMap<ProjectCell, Kept>();

/** Workers on the program of a snapshot, at which the workcell stands; they end with it. */
export async function trialsOf(cell: ProjectCell, base: string): Promise<Trials> {
  const before = kept.get(cell);
  if (before?.base === base) return before.trials;
  await (await before?.trials)?.[Symbol.asyncDispose]();
  // They outlive the effect that opens them: nothing but the workcell's own end ends them.
  const trials = cell.openTrials({ signal: new AbortController().signal });
  kept.set(cell, { base, trials });
  trials.catch(() => kept.delete(cell));
  return trials;
}
