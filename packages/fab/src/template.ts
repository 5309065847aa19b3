// What `loopwright init <folder> --loop fab` writes: a gate for cars of the project's own, and how to begin.

import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Template } from "@loopwright/core";
import { gatesFolder, projectFolder } from "./folders.ts";

const GATE = "cars_v001";

export const template: Template = {
  summary: "a project for 3D assets: a gate of its own, and how to begin",
  files: async () => {
    const own = (file: string) => readFile(join(projectFolder, file), "utf8");
    const gate = await readFile(join(gatesFolder, "car_realism_v001.yaml"), "utf8");
    return {
      "README.md": await own("README.md"),
      "loopwright.yaml": await own("loopwright.yaml"),
      // npm packs no file of the name .gitignore.
      ".gitignore": await own("gitignore.template"),
      [`gates/${GATE}.yaml`]: gate.replace("car_realism_v001", GATE),
    };
  },
  next: [
    `loopwright issue create --title "red sedan" --kind car --gate ${GATE} --prompt "a red sedan"`,
    "loopwright fab --drain --profile draft",
  ],
};
