// Everything that the judge brings along. The loop itself is loaded when a run needs it.

import { defineLoopPackage } from "@loopwright/core";
import { commands } from "./commands/table.ts";
import { promptsFolder } from "./folders.ts";

export default defineLoopPackage({
  loop: async () => (await import("./index.ts")).fab,
  prompts: promptsFolder,
  commands,
  notes: { "gate-verdict": () => undefined },
});
