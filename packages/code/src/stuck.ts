// When a run is stuck, as rules for the core's one call, and what of a test run they go by. Pure.
//
// The ladder goes by two independent signs, the sequence of passes and fails and the set of failing tests; whoever watches
// is told by the core's default rules too. All go by names and results, never by raw output, in which addresses and timings
// change. Held-out tests take part without their names, by their place in the order. A green run empties the history, and so
// does a plan.

import { detectStuck, type Finding, type History, type Stuck, type StuckRules } from "@loopwright/core";
import { hardOnes } from "@loopwright/workspace";
import type { CodeState, Report } from "./task.ts";

/** The steps: another way is asked for, the consultant reviews, the task is amended. */
const ladder = {
  hint: { repeats: { sequence: 3 } },
  consultant: { repeats: { sequence: 3, failing: 3 } },
  amendment: { repeats: { sequence: 5, failing: 5 } },
} satisfies Record<string, StuckRules>;

/** What the ladder looks at. */
export interface Stand {
  readonly history: History;
}

/** What has the run on a step of the ladder, by how many repeats: of the sequence for the hint, else of whichever sign is longer. */
export function onStep({ history }: Stand, step: keyof typeof ladder): Stuck | undefined {
  return detectStuck(history, ladder[step]);
}

/** A test run as its signs are made of it. One that could not be had is one failure, the same as long as it lasts. */
export function reportToTests(
  report: Report,
  missing: readonly string[],
  hidden: CodeState["hidden_results"],
  doubts: readonly Finding[] = [],
): Readonly<Record<string, "passed" | "failed">> {
  const visible = report.tests.flatMap(({ name, state }) =>
    state === "passed" || state === "failed" ? [[`test ${name}`, state] as const] : [],
  );
  const gone = missing.map((name) => [`test ${name}`, "failed"] as const);
  const unseen = hidden.map((state, index) => [`hidden ${index}`, state] as const);
  const fault = report.fault === undefined ? [] : [["fault", "failed"] as const];
  const found = hardOnes(doubts).map(({ code }) => [`finding ${code}`, "failed"] as const);
  return Object.fromEntries([...visible, ...gone, ...unseen, ...fault, ...found]);
}
