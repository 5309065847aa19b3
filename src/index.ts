// The package: `import { defineLoop, openProject } from "loopwright"`.

export * from "./core/index.ts";
export { openProject, Project, type ProjectOptions, projectPorts } from "./project.ts";
