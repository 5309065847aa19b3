import { existsSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { type CommandContext, outcomes, usage, type WorkcellOptions } from "@loopwright/core";
import { askGit } from "@loopwright/git";
import { NOTES } from "@loopwright/git/branch";
import type { ProjectCell } from "@loopwright/workspace";
import { type WorkspaceSettings, workspaceCells } from "@loopwright/workspace/settings";
import type { CodeConfiguration } from "../configuration.ts";
import type { Ours } from "../proof/bundle.ts";
import { type Bundle, replayBundle } from "../proof/replay.ts";

type Context = CommandContext<CodeConfiguration>;

export async function runProve(context: Context): Promise<number> {
  const { output, terminal } = context;
  const bundle = await findBundle(context);
  const state = mkdtempSync(join(tmpdir(), "loopwright-prove-"));
  try {
    const { word, refusals, lines } = await replayBundle(bundle, {
      folder: process.cwd(),
      gitDir: join(state, "snapshots.git"),
      open: (snapshot, ours) => openCell(context, { state, snapshot, ours }),
    });
    const holds = refusals.length === 0;
    if (output.isJson) output.document("prove", { holds, word, refusals, lines });
    for (const { name, recorded, now, isSame } of output.isJson ? [] : lines) {
      output.print(`${isSame ? "same   " : "OTHER  "} ${name}: ${now}`);
      if (!isSame) output.print(terminal.style("dim", `        recorded: ${recorded}`));
    }
    for (const refusal of output.isJson ? [] : refusals) output.print(`It does not hold: ${refusal}.`);
    if (holds && !output.isJson) output.print(`It holds: ${word}.`);
    return holds && (word === "shown" || !context.isSet("shown")) ? 0 : outcomes.escalated.exit;
  } finally {
    rmSync(state, { recursive: true, force: true });
  }
}

/** A folder's, a run's, or what was attached to a commit; where nothing is said, to the one that stands here, else that of the newest run. */
async function findBundle(context: Context): Promise<Bundle> {
  const [named] = context.arguments;
  const isHere = (folder: string) => existsSync(join(folder, "proof.json"));
  const folder = named === undefined ? undefined : [resolve(named), resolve(named, "attempt-000/proof")].find(isHere);
  if (folder !== undefined) return readFolder(folder);
  const note = await askGit(process.cwd(), "notes", `--ref=${NOTES}`, "show", named ?? "HEAD");
  // The page, and below it the whole bundle on one line.
  if (note !== undefined) return JSON.parse(note.trimEnd().split("\n").at(-1)!) as Bundle;
  const project = await context.existingProject();
  const all = (await project?.list())?.map(({ run }) => run).toReversed() ?? [];
  for (const run of named === undefined ? all : all.filter((each) => each.startsWith(named))) {
    const own = join(context.dir, "runs", (await project!.record(run)).folder, "attempt-000/proof");
    if (isHere(own)) return readFolder(own);
  }
  const where =
    named === undefined
      ? "HEAD has none attached, and no run here has left one"
      : `${named} is no folder, run or commit that has one`;
  throw usage(`there is no proof: ${where}`, "name it: loopwright prove runs/RUN/attempt-000/proof");
}

function readFolder(folder: string): Bundle {
  return Object.fromEntries(readdirSync(folder).map((name) => [name, readFileSync(join(folder, name), "utf8")]));
}

interface Opening {
  state: string;
  snapshot: string;
  ours: Ours;
}

/** A workcell at a snapshot, with the packages that are installed here. */
async function openCell(context: Context, { state, snapshot, ours: { base, runner } }: Opening): Promise<ProjectCell> {
  const configuration = await context.configuration();
  const top = (await askGit(process.cwd(), "rev-parse", "--show-toplevel")) ?? process.cwd();
  const { dependencies } = configuration.own;
  const settings: WorkspaceSettings = {
    ...{ workspace: realpathSync(join(top, base.prefix)), state, tests: [], heldOut: [], ignore: [], sandbox: "bwrap" },
    ...{ ...(runner && { runner: runner as never }), ...(dependencies && { dependencies }) },
  };
  const { project } = workspaceCells("code", configuration);
  const options = { configuration: { code: { ...settings } }, snapshot, signal: new AbortController().signal };
  return (await project!(options as unknown as WorkcellOptions)) as ProjectCell;
}
