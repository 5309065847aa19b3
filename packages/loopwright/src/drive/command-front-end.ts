// The command line's own front end: shows a run, asks its gates in place, and says how it ended and what to type next.

import { join } from "node:path";
import {
  type DriveRun,
  type FrontEnd,
  type GateRecord,
  isFinal,
  type LoopEvent,
  type LoopPackage,
  type Project,
  type RecordedEvent,
  type RunRecord,
  type RunResult,
} from "@loopwright/core";
import { plainText, showCount, showDollars, showDuration } from "@loopwright/terminal";
import type { Cli } from "../cli.ts";
import { Display } from "../display/display.ts";
import { stepLines } from "../display/lines.ts";
import type { Watch } from "../display/watch.ts";
import { typedNotes } from "../display/words.ts";
import { FOLDER_GONE, isFolderGone } from "../project.ts";
import { nextSteps } from "../report/standing.ts";
import { Questions } from "./questions.ts";

export class CommandFrontEnd implements FrontEnd {
  readonly #cli: Cli;
  readonly #project: Project;
  readonly #display: Display;
  readonly #questions: Questions;
  readonly #words: Pick<LoopPackage, "steps" | "gates">;
  readonly #closing: DriveRun["closing"];

  constructor(
    cli: Cli,
    { notes, ...words }: LoopPackage,
    project: Project,
    past: Partial<Watch>,
    closing: DriveRun["closing"],
  ) {
    this.#cli = cli;
    this.#project = project;
    this.#display = new Display(cli.terminal, typedNotes(notes, cli.told), past);
    this.#questions = new Questions(cli.terminal);
    this.#words = words;
    this.#closing = closing;
  }

  take(event: LoopEvent): void {
    this.#display.take(event);
  }

  async ask(gate: GateRecord, signal: AbortSignal): Promise<string | undefined> {
    if (this.#cli.terminal.isJson || this.#cli.isSet("yes")) return undefined;
    return this.#questions.ask(gate, signal);
  }

  say(line: string): void {
    this.#display.say(line);
  }

  rest(): void {
    this.#display.rest();
  }

  async end(result: RunResult): Promise<void> {
    this.#questions.close();
    const { terminal } = this.#cli;
    if (terminal.isJson || terminal.isQuiet) return;
    const color = result.exitCode === 0 ? "green" : result.outcome === "waiting" ? "magenta" : "yellow";
    if (!result.advanced && result.outcome !== "waiting")
      terminal.say(
        `Nothing to do: ${isFinal(result.outcome) ? "this run has ended" : "what stopped this run has not changed"}.`,
      );
    const { record } = result;
    const isPruned = isFolderGone(this.#project.dir, record);
    const folder = join(this.#project.dir, "runs", result.folder);
    terminal.say();
    terminal.say(`${terminal.style(["bold", color], result.outcome)}  ${plainText(this.#cli.told(result.reason))}`);
    const events = await Array.fromAsync(this.#project.events(result.run));
    const cost = await costOf(record, events);
    if (cost !== undefined) terminal.say(`${terminal.style("dim", "cost  ")}  ${cost}`);
    terminal.say(`${terminal.style("dim", "folder")}  ${isPruned ? FOLDER_GONE : folder}`);
    const results = isPruned ? [] : resultsOf(events);
    if (!isPruned) terminal.say(`${terminal.style("dim", "report")}  ${join(folder, "report.html")}`);
    for (const path of results) terminal.say(`${terminal.style("dim", "result")}  ${join(folder, path)}`);
    const own = this.#closing?.(result, folder);
    const next = nextSteps(record, { ...this.#words, isHeld: false, isPruned });
    for (const line of own ?? stepLines(next, this.#cli)) terminal.say(line);
  }
}

/** What a run has cost: requests, tokens, dollars where they are known, and time; undefined where no model was asked. */
async function costOf({ usage, active }: RunRecord, events: readonly RecordedEvent[]): Promise<string | undefined> {
  const { modelCalls } = await import("@loopwright/models/calls");
  const calls = modelCalls(events);
  if (calls.length === 0) return undefined;
  const dollars = usage.usd > 0 ? [showDollars(usage.usd)] : [];
  const [requests, tokens] = [showCount(calls.length, "request"), showCount(usage.tokens, "token")];
  return [requests, tokens, ...dollars, showDuration(active)].join(", ");
}

/** More files than this are not named. */
const MOST_RESULTS = 4;

/** The files that the run as a whole has made, the newest of each name. */
function resultsOf(events: readonly RecordedEvent[]): string[] {
  const paths = events.flatMap((event) => (event.type === "artifact-saved" ? [event.artifact.path] : []));
  const results = [...new Set(paths.filter((path) => !path.includes("iterations/")))];
  return results.slice(-MOST_RESULTS);
}
