// `loopwright show <run> --follow`: what has happened in a run so far, and then what happens, until it ends.

import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import type { Project, RecordedEvent, RunRecord } from "@loopwright/core";
import type { Cli } from "../cli.ts";
import { eventToLine } from "../display/json-lines.ts";
import { eventLines } from "../display/lines.ts";
import { newWatch, watchEvent } from "../display/watch.ts";
import { findWords, typedNotes } from "../display/words.ts";
import { watchInterrupts } from "../drive/notices.ts";

/** Follows a run. Its end is 0, however it ended; Ctrl-C is 130, as for any program that was stopped by hand. */
export async function followRun(cli: Cli, project: Project, chain: readonly RunRecord[]): Promise<number> {
  const { terminal } = cli;
  using interrupt = watchInterrupts(() => {});
  const unread = new AbortController();
  // Where the reader has gone away (`| head`), nobody follows any more.
  terminal.stdout.once("error", () => unread.abort());
  const { run, ended, loop } = chain.at(-1)!;
  const notes = typedNotes((await findWords(loop, project.dir)).notes, cli.told);
  const held = await project.ports.journal.holder(run, project.ports.process);
  if (!ended && !held?.alive)
    terminal.say(terminal.style("dim", "no process is at this run now; what it does when it is resumed is shown"));
  const watch = newWatch();
  const signal = AbortSignal.any([interrupt, unread.signal]);
  for await (const event of chainEvents(project, chain[0]!.run, signal)) {
    if (terminal.isJson) terminal.print(JSON.stringify(eventToLine(event, join(project.dir, "runs"))));
    else for (const line of eventLines(event, watch, terminal, notes, true)) terminal.print(line);
    watchEvent(watch, event);
  }
  return interrupt.aborted ? interrupt.exit() : 0;
}

/** What has happened in a run and in those that take over from it, as it comes. */
async function* chainEvents(project: Project, first: string, signal: AbortSignal): AsyncGenerator<RecordedEvent> {
  for (let next: string | undefined = first; next !== undefined; ) {
    let successor: string | undefined;
    for await (const event of project.events(next, { follow: true, signal })) {
      if (event.type === "run-ended") successor = event.by?.run;
      yield event;
    }
    next = signal.aborted ? undefined : successor;
    // The one that takes over is started by whoever drives the first, or by whoever resumes it.
    while (next !== undefined && !(await project.ports.journal.runs(next)).includes(next)) {
      await setTimeout(200, undefined, { signal }).catch(() => {});
      if (signal.aborted) return;
    }
  }
}
