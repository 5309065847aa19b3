// What `loopwright init <folder> --loop novel` writes: an empty novel with its own git repository.

import { existsSync } from "node:fs";
import { basename, join } from "node:path";
import type { Template } from "@loopwright/core";

export const template: Template = {
  summary: "an empty novel with its own git repository",
  files: async (folder) => {
    const { newManuscriptFiles } = await import("./manuscript/files/create.ts");
    const { titleOf } = await import("./repl/commands/project.ts");
    const { ".gitignore": ignored = "", ...files } = newManuscriptFiles({ title: titleOf(basename(folder)) });
    // One that is there is added to once everything else is written.
    return existsSync(join(folder, ".gitignore")) ? files : { ...files, ".gitignore": ignored };
  },
  finish: async (folder) => {
    const [{ completeIgnored }, { openRepository }] = await Promise.all([
      import("./manuscript/files/create.ts"),
      import("./repository/repository.ts"),
    ]);
    await completeIgnored(folder);
    await (await openRepository(folder)).initialize();
  },
  next: ["loopwright novel"],
};
