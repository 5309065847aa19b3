// What the tracker brings along: `loopwright issue`, and which tracker a project has. It has no loop; loops of other packages
// open a project's tracker with `openTracker`.

import { defineLoopPackage } from "@loopwright/core";
import { commands } from "./commands/table.ts";

export default defineLoopPackage({
  configuration: async () => (await import("./configuration.ts")).TrackerConfiguration,
  commands,
  documents: async () => (await import("./commands/documents.ts")).documents,
});
