// How much of a program goes into a prompt, in tokens: the one place where it is said.
//
// They are shares of the windows that the roles have unless the configuration says otherwise: 61,440 tokens for the consultant, who
// plans, and 16,000 for the implementer, both with their answers. The task, what tests say and the form have the rest. In a larger window
// the shares are the same; for a smaller one they stay as they are, and the model layer cuts what does not fit.

import { type Role, roles } from "../roles.ts";

/** What is chosen of the program, by who is asked. */
export const BUDGETS = {
  /** Files that the task may be about. */
  planner: 16_000,
  /** The tree of files, imports and signatures. */
  map: 6_000,
  /** The test files that are shown to a planner. */
  tests: 3_000,
  /** The files of the plan, and of what they leave, parts of others that it leads to. */
  implementer: 4_500,
  around: 1_500,
  /** The tests that must pass. */
  targets: 2_000,
  /** What a planner and an implementer have asked to see, in characters. */
  plannerSeen: 60_000,
  implementerSeen: 16_000,
} as const;

export type Budgets = Readonly<Record<keyof typeof BUDGETS, number>>;

/** The budgets in the windows that a run's roles have; those of a run that says nothing of them are as above. */
export function budgetsIn(windows: Partial<Record<Role, number>> = {}): Budgets {
  const growth = (role: Role) => Math.max(1, (windows[role] ?? 0) / roles[role].context);
  const share = (name: keyof Budgets, ...asked: Role[]) => Math.floor(BUDGETS[name] * Math.min(...asked.map(growth)));
  return {
    planner: share("planner", "consultant"),
    map: share("map", "consultant"),
    tests: share("tests", "consultant"),
    // The reviewer is shown the program as the implementer is.
    implementer: share("implementer", "implementer", "reviewer"),
    around: share("around", "implementer", "reviewer"),
    targets: share("targets", "implementer", "reviewer"),
    plannerSeen: share("plannerSeen", "consultant"),
    implementerSeen: share("implementerSeen", "implementer"),
  };
}

const CHARACTERS_PER_TOKEN = 3.6;

/** About how many characters so many tokens of a program have. */
export function charactersFor(tokens: number): number {
  return Math.floor(tokens * CHARACTERS_PER_TOKEN);
}
