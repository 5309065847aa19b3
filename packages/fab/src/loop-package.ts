// Everything that fab brings along. The loop itself is loaded when a run needs it.

import { defineLoopPackage } from "@loopwright/core";
import { commands } from "./commands/table.ts";
import { promptsFolder } from "./folders.ts";
import { template } from "./template.ts";

export default defineLoopPackage({
  loop: async () => (await import("./index.ts")).fab,
  configuration: async () => (await import("./configuration.ts")).FabConfiguration,
  prompts: promptsFolder,
  roles: { builder: {}, critic: {}, tiebreaker: {} },
  commands,
  templates: { fab: template },
  firstPrompt: async (run, folder) => (await import("./first-prompt.ts")).firstPrompt(run, folder),
  documents: async () => (await import("./commands/documents.ts")).documents,
  passesAt: ({ gate }) => gate.pass,
  notes: {
    "gate-verdict": () => undefined,
    "fab-escalated": ({ issue_id, reason }) => `a person must look: ${reason} (\`loopwright fab review ${issue_id}\`)`,
  },
});
