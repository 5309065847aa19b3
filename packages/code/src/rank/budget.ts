// How much of a program goes into a prompt, in tokens: the one place where it is said.
//
// A role's window holds prompt and answer. What is chosen of the program may take its share of it; the task, the tests, what they
// say and the form have the rest.

/** The windows that a role has unless the configuration says otherwise. */
export const WINDOWS = { consultant: 61_440, implementer: 16_000 } as const;

/** What is chosen of the program, by who is asked. */
export const BUDGETS = {
  /** Files that the task may be about. */
  planner: 16_000,
  /** The tree of files, imports and signatures. */
  map: 6_000,
  /** The test files that are shown to a planner. */
  tests: 3_000,
  /** The files of the plan, and beside them those that it may need to know. */
  implementer: 5_000,
  /** The tests that must pass. */
  targets: 2_000,
} as const;
