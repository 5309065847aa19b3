// What `loopwright init <folder> --loop code` writes: a task for the loop.

import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Template } from "@loopwright/core";
import { templatesFolder } from "./folders.ts";

/** A file of a new project, and where its text comes from: npm packs no file of the name .gitignore. */
const sources = {
  "task.md": "task.md",
  "philosophy.md": "philosophy.md",
  "loopwright.yaml": "loopwright.yaml",
  "README.md": "README.md",
  ".gitignore": "gitignore.template",
};

export const template: Template = {
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
