// What every loop on a folder of code has: its result is applied and taken back by these commands.

import { type Argument, defineLoopPackage } from "@loopwright/core";
import { branchFlag } from "./settings.ts";

const theRun: Argument = {
  name: "run",
  help: "the run's id, or a beginning of it that fits no other",
  offers: "runs",
};

export default defineLoopPackage({
  commands: [
    {
      name: "apply",
      summary: "bring the best state that a run on code has reached into your files",
      details:
        "A run works in a checkout of its own, and its result reaches your files when it is done. Of a run that ended otherwise this\n" +
        "brings what there is. Files that you have changed since the run began are named and left as they are.",
      arguments: [theRun],
      flags: [{ name: "over", help: "take the run's version of files that you have changed too" }, branchFlag],
      examples: ["loopwright apply 20260102-0304", "loopwright apply 20260102-0304 --dry-run"],
      run: async (context) => (await import("./commands.ts")).runApply(context),
    },
    {
      name: "undo",
      summary: "take what a run has put into your files out of them again",
      details:
        "A branch that it was committed to is deleted. Files that you have changed since then are named and left as they are.",
      arguments: [theRun],
      examples: ["loopwright undo 20260102-0304"],
      run: async (context) => (await import("./commands.ts")).runUndo(context),
    },
  ],
  documents: async () => (await import("./commands.ts")).documents,
});
