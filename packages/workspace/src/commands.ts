// `loopwright apply` and `loopwright undo`: a run's result into your files, and out of them again.

import { type CommandContext, outcomes, usage } from "@loopwright/core";
import { z } from "zod";
import { type Applied, Checkout, checkoutPlace, type Step } from "./checkout/checkout.ts";
import { checkBranch, keptSettings } from "./settings.ts";

/** What both print with --json. */
const document = {
  run: z.string(),
  written: z.array(z.string()).describe("files that were written or deleted"),
  deleted: z.array(z.string()).optional().describe("which of them were deleted"),
  conflicts: z.array(z.string()).describe("files that were changed meanwhile, and left as they are"),
  branch: z.string().optional().describe("the branch that it was committed to, in place of your files"),
  dryRun: z.boolean(),
};

export const documents = {
  apply: z.object(document).describe("`loopwright apply`"),
  undo: z.object(document).describe("`loopwright undo`"),
};

/** What loops on code keep of where they have come: the best state, and those that were accepted on the way. */
interface ReachedState {
  best?: { snapshot?: string } | null;
  snapshot?: string;
  accepted?: readonly Step[];
}

/** Applies the best state that a run has reached. */
export async function runApply(context: CommandContext): Promise<number> {
  const { checkout, settings, state, run, isDone } = await openRun(context);
  const { best, snapshot, accepted = [] } = state as unknown as ReachedState;
  const wanted = isDone ? snapshot : best?.snapshot;
  if (wanted === undefined) throw usage(`run ${run} has reached no state that is better than your files`);
  const named = context.text("branch");
  if (named !== undefined) await checkBranch({ ...settings, branch: named });
  const at = accepted.findLastIndex((each) => each.snapshot === wanted);
  const branch = named === undefined ? {} : { branch: named, steps: accepted.slice(0, at + 1) };
  const looked = await checkout.apply(wanted, { isDry: true, ...branch });
  const over = context.isSet("over") ? looked.conflicts : [];
  const applied = context.isSet("dry-run") ? looked : await checkout.apply(wanted, { over, ...branch });
  const why =
    named === undefined
      ? "yours, changed since the run began; --over takes the run's"
      : "in a submodule or behind a link";
  return tell(context, "apply", run, applied, why);
}

/** Takes back what was applied. */
export async function runUndo(context: CommandContext): Promise<number> {
  const { checkout, run } = await openRun(context);
  const undone = await checkout.undo({ isDry: context.isSet("dry-run") });
  return tell(context, "undo", run, undone, "changed by you since, and left as you had it");
}

async function openRun(context: CommandContext) {
  const project = await context.existingProject();
  if (!project) throw usage("there is no run here yet");
  const run = await project.find(context.arguments[0]!);
  const { loop, config, state } = await project.state(run);
  const settings = keptSettings(config, loop);
  if (!settings?.workspace) throw usage(`run ${run} is one of the loop '${loop}', which works on no folder of code`);
  await context.trustRun(run);
  // What a process is still at is not its last word.
  const { journal, process } = project.ports;
  if ((await journal.holder(run, process))?.alive)
    throw usage(`run ${run} is under way`, `\`loopwright pause ${run}\` stops it at its next phase`);
  const isDone = (await project.record(run)).ended?.outcome === "done";
  return { checkout: new Checkout(checkoutPlace(settings)), settings, state, run, isDone };
}

function tell(context: CommandContext, type: string, run: string, applied: Applied, why: string): number {
  const { written, deleted = [], conflicts } = applied;
  const { output } = context;
  const isDry = context.isSet("dry-run");
  if (output.isJson) output.document(type, { run, ...applied, dryRun: isDry });
  else {
    // What an earlier layer of the run has left in a file that a later one was taken out of.
    const whole = written.filter((path) => !conflicts.includes(path));
    for (const path of whole) output.print(deleted.includes(path) ? `  ${path} (deleted)` : `  ${path}`);
    for (const path of conflicts) output.print(`  ${path} (${why})`);
    output.say(summary(type, { ...applied, written: whole }, isDry));
    if (type === "undo" && conflicts.length > 0 && applied.branch === undefined)
      output.say(`What the run changed there is yours to take out by hand: \`loopwright show ${run}\` names its diff.`);
  }
  // A person must look at what was left.
  return conflicts.length > 0 ? outcomes.escalated.exit : 0;
}

/** What was done, in a sentence. */
export function summary(type: string, { written, deleted = [], conflicts, branch }: Applied, isDry: boolean): string {
  if (written.length + conflicts.length === 0) return "Nothing to do.";
  const would = isDry ? "would be " : "";
  const files = (count: number) => (count === 1 ? "1 file" : `${count} files`);
  if (branch !== undefined) {
    if (type === "apply") return `${files(written.length)} ${would}committed to the branch ${branch}.`;
    return written.length > 0 ? `The branch ${branch} ${isDry ? "would be" : "is"} gone.` : "Nothing was changed.";
  }
  const kept = written.length - deleted.length;
  const gone = deleted.length > 0 ? [`${files(deleted.length)} ${would}deleted`] : [];
  return `${[...(kept > 0 || gone.length === 0 ? [`${files(kept)} ${would}written`] : []), ...gone].join(", ")}.`;
}
