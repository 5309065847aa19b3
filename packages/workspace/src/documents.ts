// What `apply` and `undo` print with --json.

import { z } from "zod";

const applied = {
  run: z.string(),
  written: z.array(z.string()).describe("files that were written or deleted"),
  deleted: z.array(z.string()).optional().describe("which of them were deleted"),
  conflicts: z.array(z.string()).describe("files that were changed meanwhile, and left as they are"),
  branch: z.string().optional().describe("the branch that it was committed to, in place of your files"),
  dryRun: z.boolean(),
};

export const documents = {
  apply: z.object(applied).describe("`loopwright apply`"),
  undo: z.object(applied).describe("`loopwright undo`"),
};
