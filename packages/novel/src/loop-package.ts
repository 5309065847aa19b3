// Everything that the novel loop brings along. The loop and its REPL are loaded when they are needed.

import { defineLoopPackage } from "@loopwright/core";
import { promptsFolder } from "./folders.ts";
import { gates } from "./gates.ts";
import { noteWords } from "./note-words.ts";
import { template } from "./template.ts";

export default defineLoopPackage({
  loop: async () => (await import("./index.ts")).novel,
  prompts: promptsFolder,
  roles: { writer: {}, judge: {}, "second-judge": {}, summarizer: {} },
  commands: [
    {
      name: "novel",
      summary: "the writing REPL: feedback in plain words, judged, shown, approved, committed",
      details:
        "Opens a novel project (premise, treatment, chapters, prose). Anything you type that is no command is feedback: what it\n" +
        "reaches is written anew, judged, and shown as a summary and as a diff. Nothing is changed without your yes (only a level\n" +
        "that was not there before is committed at once); each iteration is one git commit, and /undo takes it back. /help lists the commands. Lines may also come from a pipe.",
      arguments: [{ name: "project", isOptional: true, help: "its folder; else this one" }],
      examples: [
        "loopwright novel my-novel",
        "loopwright novel --model lmstudio:NAME",
        "loopwright novel my-novel < session.txt",
        "loopwright novel my-novel --dry-run < feedback.txt",
      ],
      drivesRuns: true,
      run: async (context) =>
        context.isSet("dry-run")
          ? (await import("./repl/dry-run.ts")).showNovelPlan(context)
          : (await import("./repl/repl.ts")).runRepl(context),
    },
  ],
  templates: { novel: template },
  notes: noteWords,
  gates,
  firstPrompt: async (run, folder) => (await import("./first-prompt.ts")).firstPrompt(run, folder),
  documents: async () => (await import("./repl/documents.ts")).documents,
});
