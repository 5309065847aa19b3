// What the tracker brings along: `loopwright issue`. It has no loop; loops of other packages open a project's issues with `openTracker`.

import { defineLoopPackage } from "@loopwright/core";
import { commands } from "./commands/table.ts";

export default defineLoopPackage({
  commands,
  documents: async () => (await import("./commands/documents.ts")).documents,
});
