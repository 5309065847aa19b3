// `loopwright show <run> --follow`: what has happened in a run so far, and then what happens, until it ends.

import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { outcomes, type Project, type RecordedEvent } from "@loopwright/core";
import { cut, plainLine, type Terminal } from "@loopwright/terminal";
import type { Cli } from "../cli.ts";
import { eventLines } from "../display/event-lines.ts";
import { eventToLine } from "../display/json-lines.ts";
import { newWatch, type Watch, watchEvent } from "../display/watch.ts";
import { watchInterrupts } from "../drive/interrupts.ts";
import { findWords, type Notes, typedNotes } from "../loops/notes.ts";
import { eventToMoment } from "../report/moments.ts";

/** Follows a run. Its end is 0, however it ended; Ctrl-C is 130, as for any program that was stopped by hand. */
export async function followRun(cli: Cli, project: Project, run: string): Promise<number> {
  const { terminal } = cli;
  using interrupt = watchInterrupts(() => {});
  const unread = new AbortController();
  // Where the reader has gone away (`| head`), nobody follows any more.
  terminal.stdout.once("error", () => unread.abort());
  const { ended, loop } = await project.record(run);
  const notes = typedNotes((await findWords(loop, project.dir)).notes, cli.told);
  if (!ended && !(await isHeld(project, run)))
    terminal.say(terminal.style("dim", "no process is at this run now; what it does when it is resumed is shown"));
  const watch = newWatch();
  const signal = AbortSignal.any([interrupt, unread.signal]);
  for await (const event of chainEvents(project, run, signal)) {
    if (terminal.isJson) terminal.print(JSON.stringify(eventToLine(event, join(project.dir, "runs"))));
    else for (const line of followLines(event, watch, terminal, notes)) terminal.print(line);
    watchEvent(watch, event);
  }
  return interrupt.aborted ? interrupt.exit() : 0;
}

/** What has happened in a run, in those that it took over from and in those that take over from it, as it comes. */
async function* chainEvents(project: Project, run: string, signal: AbortSignal): AsyncGenerator<RecordedEvent> {
  let next: string | undefined = (await project.chain(run))[0]!.run;
  while (next !== undefined) {
    yield* project.events(next, { follow: true, signal });
    next = signal.aborted ? undefined : (await project.record(next)).ended?.by?.run;
    // The one that takes over is started by whoever drives the first, or by whoever resumes it.
    while (next !== undefined && !(await project.ports.journal.runs(next)).includes(next)) {
      await setTimeout(200, undefined, { signal }).catch(() => {});
      if (signal.aborted) return;
    }
  }
}

async function isHeld({ ports }: Project, run: string): Promise<boolean> {
  return (await ports.journal.holder(run, ports.process))?.alive ?? false;
}

/** What whoever drives a run sees by other means: its gates are asked there, and its end is the end of the command. */
const untold = new Set([
  "gate-opened",
  "child-waiting",
  "visit-failed",
  "ceiling-reached",
  "run-forked",
  "run-migrated",
]);

/** The lines of an event, as the display prints them, and of what it leaves to others. */
export function followLines(
  event: RecordedEvent,
  watch: Watch,
  terminal: Pick<Terminal, "columns" | "style">,
  notes: Notes = {},
): string[] {
  const room = Math.max(20, terminal.columns - 1);
  if (event.type === "run-ended") {
    const color = outcomes[event.outcome].exit === 0 ? "green" : "yellow";
    return [`${terminal.style(["bold", color], event.outcome)}  ${plainLine(event.reason)}`];
  }
  if (!untold.has(event.type)) return eventLines(event, watch, terminal, notes);
  const words = plainLine(eventToMoment(event)?.text ?? "");
  return [terminal.style("dim", cut(`  ${words}`, room))];
}
