// What `loopwright init <folder> --loop hull` writes: a task that runs, with the demo's pictures as its references.

import { cp, readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Template } from "@loopwright/core";
import { demoFolder, templatesFolder } from "./folders.ts";

/** A file of a new project, and where its text comes from: npm packs no file of the name .gitignore. */
const sources = {
  "task.yaml": "task.yaml",
  "loopwright.yaml": "loopwright.yaml",
  ".gitignore": "gitignore.template",
};

export const template: Template = {
  summary: "a task for the hull loop: task.yaml and its reference pictures",
  files: async () => {
    const read = Object.entries(sources).map(async ([file, source]) => [
      file,
      await readFile(join(templatesFolder, source), "utf8"),
    ]);
    return Object.fromEntries(await Promise.all(read));
  },
  finish: (folder) => cp(join(demoFolder, "references"), join(folder, "references"), { recursive: true, force: false }),
  next: ["loopwright hull"],
};
