// `loopwright apply` and `loopwright undo`: a run's result into your files, and out of them again.

import { type CommandContext, type Json, type Project, usage } from "@loopwright/core";
import { type Applied, Checkout, checkoutPlace } from "./checkout/checkout.ts";
import { keptSettings } from "./settings.ts";

/** Applies the best state that a run has reached. */
export async function runApply(context: CommandContext): Promise<number> {
  const { checkout, state, run, isDone } = await openRun(context);
  const { best, snapshot } = state as { best?: { snapshot?: string } | null; snapshot?: string };
  const wanted = isDone ? snapshot : best?.snapshot;
  if (wanted === undefined) throw usage(`run ${run} has reached no state that is better than your files`);
  const looked = await checkout.apply(wanted, { isDry: true });
  const over = context.isSet("over") ? looked.conflicts : [];
  const applied = context.isSet("dry-run") ? looked : await checkout.apply(wanted, { over });
  return tell(context, "apply", run, applied, "yours, changed since the run began; --over takes the run's");
}

/** Takes back what was applied. */
export async function runUndo(context: CommandContext): Promise<number> {
  const { checkout, run } = await openRun(context);
  const undone = await checkout.undo({ isDry: context.isSet("dry-run") });
  return tell(context, "undo", run, undone, "changed since, and left as it is");
}

async function openRun(
  context: CommandContext,
): Promise<{ checkout: Checkout; state: Json; run: string; isDone: boolean }> {
  const project = await context.existingProject();
  if (!project) throw usage("there is no run here yet");
  const run = await project.find(context.arguments[0]!);
  const { loop, config, state } = await project.state(run);
  const settings = keptSettings(config, loop);
  if (!settings?.workspace) throw usage(`run ${run} is one of the loop '${loop}', which works on no folder of code`);
  await context.trustRun(run);
  await refuseHeld(project, run);
  const isDone = (await project.record(run)).ended?.outcome === "done";
  return { checkout: new Checkout(checkoutPlace(settings)), state: state as Json, run, isDone };
}

/** What a process is still at is not its last word. */
async function refuseHeld({ ports }: Project, run: string): Promise<void> {
  const held = await ports.journal.holder(run, ports.process);
  if (held?.alive) throw usage(`run ${run} is under way`, `loopwright pause ${run} stops it at its next phase`);
}

function tell(
  context: CommandContext,
  type: string,
  run: string,
  { written, conflicts }: Applied,
  why: string,
): number {
  const { output } = context;
  const isDry = context.isSet("dry-run");
  if (output.isJson) output.document(type, { run, written, conflicts, dryRun: isDry });
  else {
    for (const path of written) output.print(`  ${path}`);
    for (const path of conflicts) output.print(`  ${path} (${why})`);
    const verb = isDry ? "would be written" : "written";
    output.say(written.length + conflicts.length === 0 ? "Nothing to do." : `${written.length} files ${verb}.`);
  }
  return conflicts.length > 0 ? 4 : 0;
}
