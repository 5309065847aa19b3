// The package: `import { defineLoop, openProject } from "loopwright"`. All of the core, with a project whose runs have reports.

export * from "@loopwright/core";
export { openProject, type ProjectOptions, projectPorts } from "./project.ts";
