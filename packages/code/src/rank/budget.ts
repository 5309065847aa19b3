// How much of a program goes into a prompt, in tokens: the one place where it is said.
//
// They are shares of the windows that the roles have unless the configuration says otherwise: 61,440 tokens for the consultant, who
// plans, and 16,000 for the implementer, both with their answers. The task, what tests say and the form have the rest.

import { countTokens } from "@loopwright/models";

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
} as const;

const CHARACTERS_PER_TOKEN = 3.6;

/** About how many characters so many tokens of a program have. */
export function charactersFor(tokens: number): number {
  return Math.floor(tokens * CHARACTERS_PER_TOKEN);
}

/** The tokens of a text. */
export function tokensOf(text: string): number {
  return countTokens(text);
}
