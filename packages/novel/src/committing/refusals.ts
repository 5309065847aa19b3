// A project or a repository that is not as it must be stops a run with words, not with a fault: it goes on once that is put right.

import { UsageError } from "@loopwright/core";

/** What was done; where the project or its repository is not as it must be, the words that say so. */
export async function orRefusal<Done>(act: () => Promise<Done>): Promise<Done | { refused: string }> {
  try {
    return await act();
  } catch (error) {
    if (error instanceof UsageError) return { refused: error.message };
    throw error;
  }
}
