// A project as the command line opens it: with a report for every run, and with what its configuration says.

import * as core from "@loopwright/core";
import { findWords } from "./loops/notes.ts";
import { ReportedFolders } from "./report/reported-folders.ts";

/** Opens the project that a folder belongs to, and makes it one where it is none yet. Models and limits are those that
 * loopwright.yaml, the environment and `.env` name, as for the command line; what is given wins. */
export async function openProject({ dir, ...given }: core.ProjectOptions = {}): Promise<core.Project> {
  const folder = core.projectFolder(dir);
  const [{ loadConfiguration, refuseUnknownCost }, { openModels }, { redactor }] = await Promise.all([
    import("./configuration/configuration.ts"),
    import("@loopwright/models/open"),
    import("@loopwright/models/configuration"),
  ]);
  const configuration = await loadConfiguration({ dir: folder });
  const { ceilings, models, secrets } = configuration;
  refuseUnknownCost(configuration);
  const configured = { ceilings, models: openModels(models, { secrets }), redact: redactor(secrets) };
  return openReported({ dir: folder, ...configured, ...given });
}

/** Opens a project with nothing but a report for every run: what else it needs is given. */
export async function openReported({ dir, ...given }: core.ProjectOptions & { dir: string }): Promise<core.Project> {
  return new core.Project(dir, { ...(await projectPorts(dir)), ...given });
}

/** A project's own ports, with a report for every run. */
export async function projectPorts(dir: string): Promise<core.ProjectPorts> {
  const ports = await core.projectPorts(dir);
  const wordsOf = (loop: string) => findWords(loop, dir);
  return { ...ports, view: new ReportedFolders(ports.folders, ports.journal, ports.store, wordsOf) };
}
