// A project whose runs have a report in their folders.

import * as core from "@loopwright/core";
import { ReportedFolders } from "./report/reported-folders.ts";

/** Opens the project that a folder belongs to, and makes it one where it is none yet. */
export async function openProject({ dir, ...rest }: core.ProjectOptions = {}): Promise<core.Project> {
  const folder = core.projectFolder(dir);
  return new core.Project(folder, { ...(await projectPorts(folder)), ...rest });
}

/** A project's own ports, with a report for every run. */
export async function projectPorts(dir: string): Promise<core.ProjectPorts> {
  const ports = await core.projectPorts(dir);
  return { ...ports, view: new ReportedFolders(ports.folders, ports.journal, ports.store) };
}
