// `loopwright answer`: answers the gate that a run waits at. The run goes on when it is resumed.

import { usage, waitingGateOf } from "@loopwright/core";
import { secretsOf } from "@loopwright/models/configuration";
import { plainLine } from "@loopwright/terminal";
import type { Cli } from "../cli.ts";
import { folderSecrets, recordRedactor } from "../configuration/redaction.ts";
import { readChoice } from "../drive/answers.ts";
import { findWords } from "../loops/notes.ts";

export async function run(cli: Cli): Promise<number> {
  const { project, run, record } = await cli.followedRun();
  await using _ = project;
  const gate = waitingGateOf(record);
  const word = cli.arguments[1]!;
  const choice = (gate && readChoice(gate, word, (await findWords(record.loop, project.dir)).gates)) ?? word;
  const { terminal } = cli;
  if (cli.isSet("dry-run") && gate) {
    terminal.print(`It would answer '${plainLine(choice)}' to: ${plainLine(gate.question)}`);
    return 0;
  }
  const { gate: answered, counted, choice: counts } = await project.answer(run, choice, redacted(cli));
  const isOther = !counted && counts !== choice;
  if (terminal.isJson) {
    terminal.document("answer", { run, gate: answered.id, name: answered.name, choice, counted });
    return isOther ? 2 : 0;
  }
  if (isOther)
    throw usage(
      `it was answered already, with '${counts}'; the first answer counts, not '${choice}'`,
      `${cli.typed(`loopwright resume ${run}`)} goes on with it`,
    );
  terminal.say(
    counted
      ? `Answered '${choice}' to: ${plainLine(answered.question)}`
      : `It was answered already, with '${counts}'; the first answer counts.`,
  );
  terminal.say(`  ${cli.typed(`loopwright resume ${run}`)}  ${terminal.style("dim", "# goes on with the answer")}`);
  return 0;
}

/** The note, without what is secret here: until the run takes it up, it lies in the journal as it is. */
function redacted(cli: Cli): string | undefined {
  const note = cli.text("note");
  return note && recordRedactor([...secretsOf({}, process.env), ...folderSecrets(cli.dir)])(note);
}
