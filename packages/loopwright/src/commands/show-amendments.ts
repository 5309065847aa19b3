// `loopwright show <run> --amendments`: what the code loop added to the task's Domain Knowledge, and taking one out again.

import { readFile, rename, writeFile } from "node:fs/promises";
import { type Amendment, revertAmendment } from "@loopwright/code";
import type { Project } from "@loopwright/core";
import { usage } from "../arguments/read-arguments.ts";
import type { Cli } from "../cli.ts";
import { toDocument } from "../display/json-events.ts";
import { plainLine } from "../display/terminal.ts";

export async function showAmendments(cli: Cli, project: Project, run: string): Promise<number> {
  const { loop, state, input } = await project.state(run);
  if (loop !== "code") throw usage(`run ${run} is one of the loop '${loop}'; only 'code' amends its task`);
  const amendments = (state as unknown as { amendments: readonly Amendment[] }).amendments;
  const number = cli.number("revert");
  if (number !== undefined)
    return revert(cli, amendments[number - 1], number, (input as { task_file?: string }).task_file);
  const { terminal } = cli;
  if (terminal.isJson) {
    terminal.document(toDocument("amendments", { run, amendments }));
    return 0;
  }
  if (amendments.length === 0) terminal.print("This run has amended nothing.");
  for (const [index, { iteration, confidence, diagnosis, addition }] of amendments.entries()) {
    terminal.print(`${index + 1}  iteration ${iteration}, confidence ${plainLine(confidence)}`);
    terminal.print(`   ${plainLine(addition)}`);
    terminal.print(terminal.style("dim", `   because: ${plainLine(diagnosis)}`));
  }
  if (amendments.length > 0) terminal.say(`\nTake one out: loopwright show ${run} --amendments --revert N`);
  return 0;
}

async function revert(
  cli: Cli,
  amendment: Amendment | undefined,
  number: number,
  file: string | undefined,
): Promise<number> {
  if (!amendment) throw usage(`there is no amendment ${number}`);
  if (file === undefined) throw usage("this run has no task file, so there is nothing to take it out of");
  const text = await readFile(file, "utf8");
  const reverted = revertAmendment(text, amendment);
  const { terminal } = cli;
  if (reverted === text) {
    terminal.say(`Amendment ${number} does not stand in ${file} any more.`);
    return 0;
  }
  if (cli.isSet("dry-run")) {
    terminal.print(`It would take amendment ${number} out of ${file}.`);
    return 0;
  }
  await writeFile(`${file}.new`, reverted);
  await rename(`${file}.new`, file);
  terminal.say(`Amendment ${number} was taken out of ${file}.`);
  return 0;
}
