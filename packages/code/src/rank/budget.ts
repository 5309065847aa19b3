// How much of a program goes into a prompt, in tokens: the one place where it is said.
//
// They are shares of the windows that the roles have unless the configuration says otherwise: 61,440 tokens for the consultant, who
// plans, and 16,000 for the implementer, both with their answers. The task, what tests say and the form have the rest. In a larger window
// the shares are the same; for a smaller one they stay as they are, and the model layer cuts what does not fit.

import { type Role, roles } from "../roles.ts";

/** What is chosen of the program, and who is asked with it. The reviewer is shown the program as the implementer is. */
const shares = {
  /** Files that the task may be about. */
  planner: [16_000, "consultant"],
  /** The tree of files, imports and signatures. */
  map: [6_000, "consultant"],
  /** Documentation that says something of what the task names. */
  docs: [1_000, "consultant"],
  /** The test files that are shown to a planner. */
  tests: [3_000, "consultant"],
  /** The files of the plan, and of what they leave, parts of others that it leads to. */
  implementer: [4_500, "implementer", "reviewer"],
  around: [1_500, "implementer", "reviewer"],
  /** The tests that must pass. */
  targets: [2_000, "implementer", "reviewer"],
  /** What a planner and an implementer have asked to see, in characters. */
  plannerSeen: [60_000, "consultant"],
  implementerSeen: [16_000, "implementer"],
} as const satisfies Record<string, readonly [number, ...Role[]]>;

export type Budgets = Readonly<Record<keyof typeof shares, number>>;

/** The budgets in the windows that a run's roles have. */
export function budgetsIn(windows: Partial<Record<Role, number>> = {}): Budgets {
  const growth = (role: Role) => Math.max(1, (windows[role] ?? 0) / roles[role].context);
  const sized = Object.entries(shares).map(([name, [size, ...asked]]) => {
    return [name, Math.floor(size * Math.min(...asked.map(growth)))];
  });
  return Object.fromEntries(sized);
}

/** The budgets in the usual windows. */
export const BUDGETS = budgetsIn();

const CHARACTERS_PER_TOKEN = 3.6;

/** About how many characters so many tokens of a program have. */
export function charactersFor(tokens: number): number {
  return Math.floor(tokens * CHARACTERS_PER_TOKEN);
}
