// Everything that the judge brings along. The loop itself is loaded when a run needs it.

import { defineLoopPackage } from "@loopwright/core";
import { commands } from "./commands/table.ts";

export default defineLoopPackage({
  loop: async () => (await import("./index.ts")).fab,
  commands,
  notes: { "gate-verdict": () => undefined },
});
