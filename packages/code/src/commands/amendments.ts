// `loopwright amendments`: what the code loop added to the task's Domain Knowledge, and taking one out again.

import { type CommandContext, usage } from "@loopwright/core";
import { plainLine } from "@loopwright/terminal";
import type { Amendment } from "../task.ts";
import { readTaskFile, replaceTaskFile, revertAmendment } from "../task-file.ts";

type Context = Pick<
  CommandContext,
  "arguments" | "existingProject" | "isSet" | "number" | "output" | "terminal" | "trustRun"
>;

export async function showAmendments(context: Context): Promise<number> {
  const { output, terminal } = context;
  const project = await context.existingProject();
  if (!project) throw usage("there is no run here yet", "`loopwright code` starts one");
  const run = await project.find(context.arguments[0]!);
  const { loop, state, input } = await project.state(run);
  if (loop !== "code") throw usage(`run ${run} is one of the loop '${loop}'; only 'code' amends its task`);
  const amendments = (state as unknown as { amendments: readonly Amendment[] }).amendments;
  const number = context.number("revert");
  // Where the task lies is the journal's word, and that can come with a folder.
  if (number !== undefined) await context.trustRun(run);
  if (number !== undefined)
    return revert(context, amendments[number - 1], number, (input as { task_file?: string }).task_file);
  if (output.isJson) {
    output.document("amendments", { run, amendments });
    return 0;
  }
  if (amendments.length === 0) output.print("This run has amended nothing.");
  for (const [index, { iteration, confidence, diagnosis, addition }] of amendments.entries()) {
    output.print(`${index + 1}  iteration ${iteration}, confidence ${plainLine(confidence)}`);
    output.print(`   ${plainLine(addition)}`);
    output.print(terminal.style("dim", `   because: ${plainLine(diagnosis)}`));
  }
  if (amendments.length > 0) output.say(`\nTake one out: loopwright amendments ${run} --revert N`);
  return 0;
}

async function revert(
  { output, isSet }: Context,
  amendment: Amendment | undefined,
  number: number,
  file: string | undefined,
): Promise<number> {
  if (!amendment) throw usage(`there is no amendment ${number}`);
  if (file === undefined) throw usage("this run has no task file, so there is nothing to take it out of");
  const text = await readTaskFile(file);
  const reverted = revertAmendment(text, amendment);
  if (reverted === text) {
    output.say(`Amendment ${number} does not stand in ${file} any more.`);
    return 0;
  }
  if (isSet("dry-run")) {
    output.print(`It would take amendment ${number} out of ${file}.`);
    return 0;
  }
  await replaceTaskFile(file, reverted);
  output.say(`Amendment ${number} was taken out of ${file}.`);
  return 0;
}
