// A project as the command line opens it: with a report for every run, and with what its configuration says.

import fs, { existsSync } from "node:fs";
import { join } from "node:path";
import * as core from "@loopwright/core/look";
import { showCount } from "@loopwright/terminal";
import { findWords } from "./display/words.ts";
import { readStory } from "./report/story.ts";

/** What a project is opened with; what is left out comes from its `loopwright.yaml`. */
export interface ProjectOptions extends core.ProjectOptions {
  /** Whether what the folder's files ask for is granted, though the user has not trusted it: your program answers for it. */
  trust?: boolean;
}

/** Opens the project that a folder belongs to, and makes it one where it is none yet. Models and limits are those that
 * loopwright.yaml, the environment and `.env` name, as for the command line; what is given wins. */
export async function openProject({ dir, trust = false, ...given }: ProjectOptions = {}): Promise<core.Project> {
  const folder = core.projectFolder(dir);
  const [{ look, recordRedactor, refuseUnknownCost }, { trustNow, untrusted }, { openModels }] = await Promise.all([
    import("./configuration/configuration.ts"),
    import("./trust/trust.ts"),
    import("@loopwright/models/open"),
  ]);
  const looked = await look({ dir: folder });
  if (trust) trustNow(looked.controls);
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

/** The error of a folder whose runs the journal does not know, for it was deleted or emptied; undefined where all is well. */
export async function lostRuns(dir: string, project?: core.Project): Promise<core.LoopwrightError | undefined> {
  if (project && (await project.ports.journal.runs()).length > 0) return undefined;
  const runs = join(dir, "runs");
  // An older Node, which is told so by then, has no such function.
  const files = fs.globSync("*/run.json", { cwd: runs });
  if (files.length === 0) return undefined;
  const message = `${runs} has ${showCount(files.length, "run")}, and the journal, .loopwright/journal.db, knows none of them: it was deleted or emptied. Put it back from a copy; without it they can be read in their folders, and cannot go on (move these away to begin anew)`;
  return new core.LoopwrightError("JOURNAL_LOST", message);
}

/** Whether the folder of a run that has ended is gone: it was pruned, or deleted by hand. */
export function isFolderGone(dir: string, { ended, folder }: Pick<core.RunRecord, "ended" | "folder">): boolean {
  return ended !== undefined && !existsSync(join(dir, "runs", folder));
}

/** What is said in the place of a folder that is gone. */
export const FOLDER_GONE =
  "gone: it was pruned, or deleted by hand (show --rebuild makes it again where its files are kept)";

/** A project's own ports, with a report for every run. */
export async function projectPorts(dir: string, options?: { isLook?: boolean }): Promise<core.ProjectPorts> {
  const ports = await core.projectPorts(dir, options);
  return { ...ports, view: reportedFolders(ports, dir) };
}

/** Run folders with a report in each: it is made anew whenever its run stops. */
function reportedFolders(ports: core.ProjectPorts, dir: string): core.RunView {
  const { folders } = ports;
  return {
    saved: (folder, artifact) => folders.saved(folder, artifact),
    async show(record, input, stopped) {
      await folders.show(record, input, stopped);
      if (!stopped) return;
      try {
        await folders.write(record.folder, "report.html", await reportOf(ports, dir, record, input));
      } catch (error) {
        process.emitWarning(`no report of run ${record.run} could be made (${(error as Error).message})`);
      }
    },
  };
}

async function reportOf(
  ports: core.ProjectPorts,
  dir: string,
  record: core.RunRecord,
  input: core.Json,
): Promise<string> {
  // Loaded at the first stop: commands that only look are quicker without it.
  const { nextSteps, writeReport } = await import("./report/index.ts");
  const { steps, gates, ...words } = await findWords(record.loop, dir);
  const reader = new core.Reader(ports);
  const chain = await reader.chain(record);
  const below = await ports.journal.runs(`${record.run}.`);
  const others = await Promise.all(below.map((run) => reader.record(run)));
  return writeReport({
    ...(await readStory(reader, chain.slice(0, chain.indexOf(record) + 1))),
    ...words,
    input,
    load: (artifact) => reader.load(artifact),
    next: nextSteps(record, { steps, gates }),
    children: others
      .filter(({ parent }) => parent?.run === record.run)
      .map((child) => ({ run: child.run, folder: child.folder, ...core.summarize(child) })),
  });
}
