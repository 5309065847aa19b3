// Everything that the code loop brings along. The loop itself is loaded when a run needs it.

import { defineLoopPackage } from "@loopwright/core";
import { workspaceCells, workspaceSteps } from "@loopwright/workspace/settings";
import { commands } from "./commands/table.ts";
import type { CodeConfiguration } from "./configuration.ts";
import { demoCassette, promptsFolder } from "./folders.ts";
import { roles } from "./roles.ts";
import { noteWords } from "./telling/note-words.ts";
import { template } from "./template.ts";

export default defineLoopPackage<typeof CodeConfiguration>({
  loop: async () => (await import("./index.ts")).code,
  configuration: async () => (await import("./configuration.ts")).CodeConfiguration,
  workcells: (configuration) => workspaceCells("code", configuration),
  prompts: promptsFolder,
  roles,
  commands,
  templates: { code: template },
  notes: noteWords,
  bells: ["gate", "end"],
  steps: workspaceSteps,
  passesAt: () => 1,
  firstPrompt: async (run, folder) => (await import("./first-prompt.ts")).firstPrompt(run, folder),
  documents: async () => (await import("./commands/documents.ts")).documents,
  demo: {
    summary: "Finds and fixes a bug in a small repository, tests first",
    details:
      "The real loop in its sandbox; the model's answers are recorded ones, so that nothing is asked for over the network. It needs bubblewrap.",
    cassette: demoCassette,
    run: async (context) => (await import("./commands/demo.ts")).runDemo(context),
  },
});
