// Everything that the novel loop brings along. The loop and its REPL are loaded when they are needed.

import { existsSync } from "node:fs";
import { basename, join } from "node:path";
import { defineLoopPackage, type Template } from "@loopwright/core";
import { noteWords } from "./notes.ts";
import { gates } from "./said.ts";
import { promptsFolder } from "./types.ts";

export const template: Template = {
  summary: "an empty novel with its own git repository",
  files: async (folder) => {
    const { newManuscriptFiles } = await import("./manuscript/files/open.ts");
    const { titleOf } = await import("./repl/commands/project.ts");
    const { ".gitignore": ignored = "", ...files } = newManuscriptFiles({ title: titleOf(basename(folder)) });
    // One that is there is added to once everything else is written.
    return existsSync(join(folder, ".gitignore")) ? files : { ...files, ".gitignore": ignored };
  },
  finish: async (folder) => {
    const [{ completeIgnored }, { openRepository }] = await Promise.all([
      import("./manuscript/files/open.ts"),
      import("./repository/repository.ts"),
    ]);
    await completeIgnored(folder);
    await (await openRepository(folder)).initialize();
  },
  hint: "name a model in project.yaml, such as `models: { default: lmstudio:NAME }` (or give it as --model), then",
  next: ["loopwright novel"],
};

export default defineLoopPackage({
  attempts: null,
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
  fromIssue: async (issue, context) => (await import("./repl/from-issue.ts")).fromIssue(issue, context),
  firstPrompt: async (run, folder) => (await import("./repl/dry-run.ts")).firstPrompt(run, folder),
  documents: async () => (await import("./repl/documents.ts")).documents,
});
