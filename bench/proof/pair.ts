// A task on a small program, its visible tests, a change that is right and one that passes these tests and is wrong.

export interface Pair {
  name: string;
  task: string;
  file: string;
  base: string;
  right: string;
  wrong: readonly [kind: "half" | "special" | "boundary" | "branch", text: string];
  tests: { file: string; text: string };
  /** The statements of the task, each with the tests that a planner would name for it. */
  ledger: readonly (readonly [statement: string, ...tests: string[]])[];
}
