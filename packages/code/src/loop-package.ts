// Everything that the code loop brings along. The loop itself is loaded when a run needs it.

import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { defineLoopPackage, type Template } from "@loopwright/core";
import { workspaceCells, workspaceSteps } from "@loopwright/workspace/settings";
import { commands } from "./commands/table.ts";
import type { CodeConfiguration } from "./configuration.ts";
import { demoCassette, promptsFolder, templatesFolder } from "./folders.ts";
import { roles } from "./roles.ts";
import { noteWords } from "./telling/note-words.ts";

/** A file of a new project, and where its text comes from: npm packs no file of the name .gitignore. */
const sources = {
  "task.md": "task.md",
  "philosophy.md": "philosophy.md",
  "loopwright.yaml": "loopwright.yaml",
  "README.md": "README.md",
  ".gitignore": "gitignore.template",
};

/** What `loopwright init <folder> --loop code` writes: a task for the loop. */
const template: Template = {
  summary: "a task for the code loop: task.md, philosophy.md, loopwright.yaml",
  files: async () => {
    const read = Object.entries(sources).map(async ([file, source]) => [
      file,
      await readFile(join(templatesFolder, source), "utf8"),
    ]);
    return Object.fromEntries(await Promise.all(read));
  },
  hint: "name your models in loopwright.yaml, then",
  next: ["loopwright code"],
};

export default defineLoopPackage<typeof CodeConfiguration>({
  loop: async () => (await import("./index.ts")).code,
  configuration: async () => (await import("./configuration.ts")).CodeConfiguration,
  attempts: async () => (await import("./proof/attempts.ts")).attempts,
  workcells: (configuration) => workspaceCells("code", configuration),
  prompts: promptsFolder,
  roles,
  commands,
  templates: { code: template },
  notes: noteWords,
  bells: ["gate", "end"],
  steps: workspaceSteps,
  passesAt: () => 1,
  // An issue is worked on as if its words and the flags that it sets had been typed.
  fromIssue: async ({ words, asset }, context) => {
    const { newRun } = await import("./commands/code.ts");
    return newRun({ ...context, arguments: asset.task === undefined ? [words] : [] });
  },
  firstPrompt: async (run, folder) => (await import("./first-prompt.ts")).firstPrompt(run, folder),
  documents: async () => (await import("./configuration.ts")).documents,
  demo: {
    summary: "Finds and fixes a bug in a small repository, tests first",
    details:
      "The real loop in its sandbox; the model's answers are recorded ones, so that nothing is asked for over the network. It needs bubblewrap.",
    cassette: demoCassette,
    run: async (context) => (await import("./commands/demo.ts")).runDemo(context),
  },
});
