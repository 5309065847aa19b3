// A project as the command line opens it: with a report for every run, and with what its configuration says.

import * as core from "@loopwright/core";
import { findWords } from "./loops/notes.ts";
import { ReportedFolders } from "./report/reported-folders.ts";

/** What a project is opened with; what is left out comes from its `loopwright.yaml`. */
export interface ProjectOptions extends core.ProjectOptions {
  /** Whether what the folder's files ask for is granted, though the user has not trusted it: your program answers for it. */
  trust?: boolean;
}

/** Opens the project that a folder belongs to, and makes it one where it is none yet. Models and limits are those that
 * loopwright.yaml, the environment and `.env` name, as for the command line; what is given wins. */
export async function openProject({ dir, trust = false, ...given }: ProjectOptions = {}): Promise<core.Project> {
  const folder = core.projectFolder(dir);
  const [{ look, refuseUnknownCost }, { recordRedactor }, { trustNow }, { untrusted }, { openModels }] =
    await Promise.all([
      import("./configuration/configuration.ts"),
      import("./configuration/redaction.ts"),
      import("./trust/remember.ts"),
      import("./trust/allow.ts"),
      import("@loopwright/models/open"),
    ]);
  const looked = await look({ dir: folder });
  if (trust) trustNow(looked.dangers);
  if (looked.untrusted().length > 0) throw untrusted(looked.untrusted(), "openProject({ trust: true })");
  const configuration = looked.configuration();
  const { ceilings, models, secrets } = configuration;
  refuseUnknownCost(configuration);
  const configured = { ceilings, models: openModels(models, { secrets }), redact: recordRedactor(secrets) };
  return openReported({ dir: folder, ...configured, ...given });
}

/** Opens a project with nothing but a report for every run: what else it needs is given. */
export async function openReported({
  dir,
  isLook = false,
  ...given
}: core.ProjectOptions & { dir: string; isLook?: boolean }): Promise<core.Project> {
  return new core.Project(dir, { ...(await projectPorts(dir, { isLook })), ...given });
}

/** A project's own ports, with a report for every run. */
export async function projectPorts(dir: string, options?: { isLook?: boolean }): Promise<core.ProjectPorts> {
  const ports = await core.projectPorts(dir, options);
  const wordsOf = (loop: string) => findWords(loop, dir);
  return { ...ports, view: new ReportedFolders(ports.folders, ports.journal, ports.store, wordsOf) };
}
