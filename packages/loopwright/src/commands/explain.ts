// `loopwright explain`: why a run stopped, and what to type next.

import type { NextStep } from "@loopwright/core";
import { plainText } from "@loopwright/terminal";
import type { Cli } from "../cli.ts";
import { stepLines } from "../display/lines.ts";
import { findWords } from "../loops/notes.ts";
import { isFolderGone } from "../project.ts";
import { nextSteps, whyItStopped } from "../report/standing.ts";

export async function run(cli: Cli): Promise<number> {
  const { project, run, record } = await cli.followedRun();
  await using _ = project;
  const isPruned = isFolderGone(project.dir, record);
  const { steps } = await findWords(record.loop, project.dir);
  const held = await project.ports.journal.holder(run, project.ports.process);
  const known = { isHeld: false, answer: await project.givenAnswer(record) };
  const why = held?.alive
    ? `It is running now, in process ${held.holder.pid} on ${held.holder.host}.`
    : `${cli.told(whyItStopped(record, known))}${isPruned ? " What it had made was pruned, or deleted by hand." : ""}`;
  const next = held?.alive
    ? [{ command: `loopwright pause ${run}`, does: "stops it at its next phase boundary" }]
    : nextSteps(record, { steps, isPruned, ...known });
  const typed = ({ command, does }: NextStep) => ({ command: cli.typed(command), does });
  const { terminal } = cli;
  if (terminal.isJson) {
    terminal.document("explanation", { run, outcome: record.ended?.outcome ?? null, why, next: next.map(typed) });
    return 0;
  }
  terminal.print(plainText(why));
  terminal.print();
  for (const line of stepLines(next, cli)) terminal.print(line);
  return 0;
}
