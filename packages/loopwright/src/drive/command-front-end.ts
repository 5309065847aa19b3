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
  type RunResult,
} from "@loopwright/core";
import { plainText } from "@loopwright/terminal";
import type { Cli } from "../cli.ts";
import { type Display, openDisplay } from "../display/display.ts";
import { stepLines } from "../display/steps.ts";
import type { Watch } from "../display/watch.ts";
import { nextSteps } from "../report/next-steps.ts";
import { Questions } from "./questions.ts";

export class CommandFrontEnd implements FrontEnd {
  readonly #cli: Cli;
  readonly #project: Project;
  readonly #display: Display;
  readonly #questions: Questions;
  readonly #closing: DriveRun["closing"];

  constructor(cli: Cli, { notes }: LoopPackage, project: Project, past: Partial<Watch>, closing: DriveRun["closing"]) {
    this.#cli = cli;
    this.#project = project;
    this.#display = openDisplay(cli.terminal, notes, past);
    this.#questions = new Questions(cli.terminal);
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
        `Nothing to do: ${isOver(result) ? "this run has ended" : "what stopped this run has not changed"}.`,
      );
    const folder = join(this.#project.dir, "runs", result.folder);
    terminal.say();
    terminal.say(`${terminal.style(["bold", color], result.outcome)}  ${plainText(result.reason)}`);
    terminal.say(`${terminal.style("dim", "folder")}  ${folder}`);
    terminal.say(`${terminal.style("dim", "report")}  ${join(folder, "report.html")}`);
    const own = this.#closing?.(result);
    const steps = own ?? stepLines(nextSteps(await this.#project.record(result.run)), terminal);
    for (const line of steps) terminal.say(line);
  }
}

function isOver({ outcome }: RunResult): boolean {
  return outcome !== "waiting" && isFinal(outcome);
}
