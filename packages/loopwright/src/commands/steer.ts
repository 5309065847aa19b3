// `loopwright answer`, `pause`, `cancel`, `fork` and `verify`: what is done to a run from outside of it.

import { isFinal, type RunRecord, usage, waitingGateOf } from "@loopwright/core";
import { secretsOf } from "@loopwright/models/configuration";
import { plainLine, showCount } from "@loopwright/terminal";
import type { Cli } from "../cli.ts";
import { folderSecrets, recordRedactor } from "../configuration/configuration.ts";
import { stepLines } from "../display/lines.ts";
import { findWords } from "../display/words.ts";
import { readAnswer } from "../drive/answers.ts";
import { commandContext } from "../loops/command-context.ts";
import { isFolderGone } from "../project.ts";

/** Answers the gate that a run waits at. The run goes on when it is resumed. */
export async function answer(cli: Cli): Promise<number> {
  const { project, run, record } = await cli.followedRun();
  await using _ = project;
  const gate = waitingGateOf(record);
  const word = cli.arguments[1]!;
  const said = gate && readAnswer(gate, word, (await findWords(record.loop, project.dir)).gates);
  const { choice, note = cli.text("note") } = said ?? { choice: word };
  const { terminal } = cli;
  if (cli.isSet("dry-run") && gate) {
    terminal.print(`It would answer '${plainLine(choice)}' to: ${plainLine(gate.question)}`);
    return 0;
  }
  // Until the run takes the note up, it lies in the journal as it is.
  const redact = recordRedactor([...secretsOf({}, process.env), ...folderSecrets(cli.dir)]);
  const { gate: answered, counted, choice: counts } = await project.answer(run, choice, note && redact(note));
  const isOther = !counted && counts !== choice;
  const resume = cli.typed(`loopwright resume ${run}`);
  const before = `it was answered already, with '${counts}'; the first answer counts`;
  if (terminal.isJson) terminal.document("answer", { run, gate: answered.id, name: answered.name, choice, counted });
  else if (isOther) throw usage(`${before}, not '${choice}'`, `${resume} goes on with it`);
  terminal.say(counted ? `Answered '${choice}' to: ${plainLine(answered.question)}` : `${before}.`);
  terminal.say(`  ${resume}  ${terminal.style("dim", "# goes on with the answer")}`);
  return isOther ? 2 : 0;
}

/** Has a running run stop at its next phase boundary. */
export async function pause(cli: Cli): Promise<number> {
  const { project, run, record } = await cli.followedRun();
  await using _ = project;
  const { terminal } = cli;
  if (cli.isSet("dry-run")) {
    await project.pause(run, { isDry: true });
    terminal.print(`It would ask run ${run} to stop at its next phase boundary.`);
    return 0;
  }
  await project.pause(run);
  if (terminal.isJson) terminal.document("pause", { run });
  else {
    terminal.say(`Run ${run} stops at its next phase boundary. Go on with: ${cli.typed(`loopwright resume ${run}`)}`);
    const { steps } = await findWords(record.loop, project.dir);
    const stopped: RunRecord = { ...record, ended: { outcome: "interrupted", reason: "a person paused it" } };
    for (const line of stepLines([...(steps?.(stopped) ?? [])], cli)) terminal.say(line);
  }
  return 0;
}

/** Ends a run for good. One that no process holds is ended here and now. */
export async function cancel(cli: Cli): Promise<number> {
  const { project, run, record } = await cli.followedRun();
  await using _ = project;
  const { terminal } = cli;
  const tell = (outcome: string, underWay: boolean, words: string) => {
    if (terminal.isJson) terminal.document("cancel", { run, outcome, underWay });
    else terminal.say(words);
    return 0;
  };
  const { ended, loop } = record;
  if (ended && isFinal(ended.outcome))
    return tell(ended.outcome, false, `Run ${run} has ended already: ${ended.outcome}.`);
  if (cli.isSet("dry-run")) {
    terminal.print(`It would end run ${run} for good.`);
    return 0;
  }
  if (await project.cancel(run))
    return tell("cancelled", true, `Run ${run} is being ended by the process that holds it.`);
  const found = await cli.findPackage(loop);
  // A loop's last word may need its workcells.
  await using context = commandContext(cli, found);
  await (await context.project()).resume(await found.loop(), run);
  return tell("cancelled", false, `Run ${run} is cancelled.`);
}

/** Makes a new run that stands where another one entered an iteration. */
export async function fork(cli: Cli): Promise<number> {
  const at = cli.number("at");
  if (at === undefined) throw usage("'loopwright fork' needs --at ITERATION: where the new run begins");
  const { project, run } = await cli.existingRun();
  await using _ = project;
  const { terminal } = cli;
  if (cli.isSet("dry-run")) {
    terminal.print(`It would make a new run that begins iteration ${at} of ${run} again.`);
    return 0;
  }
  const seed = cli.number("seed");
  const forked = await project.fork(run, at, seed === undefined ? {} : { seed });
  if (terminal.isJson) terminal.document("fork", { run: forked, from: run, iteration: at });
  else if (terminal.isQuiet) terminal.print(forked);
  else {
    terminal.print(`Run ${forked} stands before iteration ${at} of ${run}.`);
    terminal.print(`  ${cli.typed(`loopwright resume ${forked}`)}  ${terminal.style("dim", "# drives it")}`);
  }
  return 0;
}

/** Checks a run's hash chain, every stored value and every artifact. */
export async function verify(cli: Cli): Promise<number> {
  const { project, run } = await cli.existingRun();
  await using _ = project;
  const result = await project.verify(run);
  const { terminal } = cli;
  if (terminal.isJson) terminal.document("verification", { ...result });
  else {
    const { events, values, artifacts, released, ok } = result;
    const counts = [showCount(events, "event"), showCount(values, "value"), showCount(artifacts, "artifact")];
    if (released > 0) counts.push(`${released} released`);
    const state = ok ? terminal.style("green", "whole") : terminal.style("red", "damaged");
    terminal.say(`${state}  ${run}: ${counts.join(", ")}`);
    if (isFolderGone(project.dir, await project.record(run)))
      terminal.say("The run's folder is gone: it was pruned, or deleted by hand.");
    for (const problem of result.problems) terminal.print(`  ${plainLine(problem)}`);
  }
  return result.ok ? 0 : 1;
}
