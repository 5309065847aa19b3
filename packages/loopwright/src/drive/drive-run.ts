// Drives a run from the command line: shows it, asks its gates in place, and ends with its exit code.

import { join } from "node:path";
import { type AnswerPolicy, type GateRecord, isFinal, type Project, type RunResult } from "@loopwright/core";
import { redactor } from "@loopwright/models/configuration";
import { usage } from "../arguments/read-arguments.ts";
import type { Cli } from "../cli.ts";
import { refuseUnknownCost } from "../configuration/configuration.ts";
import type { FoundLoop } from "../configuration/loops.ts";
import { openDisplay } from "../display/display.ts";
import { stepLines } from "../display/steps.ts";
import { plainText } from "../display/terminal.ts";
import type { Watch } from "../display/watch.ts";
import { nextSteps } from "../report/next-steps.ts";
import { openTelemetry } from "../telemetry/telemetry.ts";
import { watchInterrupts } from "./interrupts.ts";
import { notify, ringFor } from "./notify.ts";
import { Questions, readChoice } from "./questions.ts";

export interface Drive {
  found: FoundLoop;
  /** What is known of a run that is resumed. */
  past?: Partial<Watch>;
  /** Starts the run, or takes it up. */
  begin: (project: Project, signal: AbortSignal) => Promise<RunResult>;
  /** What to say before it begins. */
  prologue?: readonly string[];
  /** What to say at the end, in place of what to type next. */
  epilogue?: (result: RunResult, project: Project) => readonly string[] | undefined;
}

/** Drives a run until it stops; gives back its exit code. */
export async function driveRun(cli: Cli, { found, past, begin, prologue = [], epilogue }: Drive): Promise<number> {
  const { terminal } = cli;
  const answers = answerPolicy(cli);
  const configuration = await cli.configuration();
  refuseUnknownCost(configuration);
  const [{ openModels }, telemetry] = await Promise.all([
    import("@loopwright/models/open"),
    openTelemetry(process.env),
  ]);
  const display = openDisplay(terminal, join(cli.dir, "runs"), past);
  const questions = new Questions(terminal);
  let run = past?.run;
  using signal = watchInterrupts(() => {
    questions.close();
    display.say("stopping after the current write; Ctrl-C again stops at once");
  });
  await using project = await cli.openProject({
    on: (event) => {
      run ??= event.run;
      display.take(event);
      ringFor(terminal, event);
      telemetry?.on(event);
    },
    models: openModels(configuration.models, { secrets: configuration.secrets }),
    redact: redactor(configuration.secrets),
    ...(found.workcells && { workcells: found.workcells }),
    ...(answers && { answers }),
  });
  try {
    for (const line of prologue) terminal.say(line);
    let result = await begin(project, signal);
    const canAsk = !terminal.isJson && !cli.isSet("yes");
    while (canAsk && result.gate && !signal.aborted) {
      display.rest();
      if (!(await askGate(project, questions, terminal.print.bind(terminal), result.gate))) break;
      const next = await project.resume(found.loop, result.run, { signal });
      result = next as RunResult;
      // A choice that leaves the run as it is has been made; the gate stays open, but is not asked again here.
      if (!next.advanced) break;
    }
    display.finish(result);
    await notify(configuration.notify, result, (line) => terminal.warn(line));
    if (!terminal.isJson && !terminal.isQuiet) await tellEnd(cli, project, result, epilogue);
    return result.exitCode;
  } catch (error) {
    display.rest();
    throw run === undefined ? error : new RunFault(run, error);
  } finally {
    questions.close();
    await telemetry?.close();
  }
}

/** A fault that stopped a run, with the run that it happened to. */
export class RunFault extends Error {
  readonly run: string;

  constructor(run: string, cause: unknown) {
    super(`run ${run} was stopped by a fault`, { cause });
    this.run = run;
  }
}

/** Asks a gate and leaves the answer; false where nobody answered. */
async function askGate(
  project: Project,
  questions: Questions,
  print: (line: string) => void,
  gate: GateRecord & { run: string },
): Promise<boolean> {
  const choice = await questions.ask(gate);
  if (choice === undefined) return false;
  const { counted } = await project.answer(gate.run, choice);
  if (!counted) print("  someone else had answered already; that answer counts");
  return true;
}

async function tellEnd(cli: Cli, project: Project, result: RunResult, epilogue: Drive["epilogue"]): Promise<void> {
  const { terminal } = cli;
  const color = result.exitCode === 0 ? "green" : result.outcome === "waiting" ? "magenta" : "yellow";
  if (!result.advanced && result.outcome !== "waiting")
    terminal.say(`Nothing to do: ${isOver(result) ? "this run has ended" : "what stopped this run has not changed"}.`);
  terminal.say();
  terminal.say(`${terminal.style(["bold", color], result.outcome)}  ${plainText(result.reason)}`);
  terminal.say(`${terminal.style("dim", "folder")}  ${join(project.dir, "runs", result.folder)}`);
  terminal.say(`${terminal.style("dim", "report")}  ${join(project.dir, "runs", result.folder, "report.html")}`);
  const own = epilogue?.(result, project);
  for (const line of own ?? []) terminal.say(line);
  if (own) return;
  for (const line of stepLines(nextSteps(await project.record(result.run)), terminal)) terminal.say(line);
}

function isOver({ outcome }: RunResult): boolean {
  return outcome !== "waiting" && isFinal(outcome);
}

/** What --answer and --yes say to a gate. */
function answerPolicy(cli: Cli): AnswerPolicy | undefined {
  const given = new Map(cli.list("answer").map(readAnswer));
  const takesDefaults = cli.isSet("yes");
  if (given.size === 0 && !takesDefaults) return undefined;
  return (gate) => {
    const word = given.get(gate.name);
    if (word !== undefined) {
      const choice = readChoice(gate, word);
      if (choice === undefined)
        throw usage(`--answer ${gate.name}=${word}: the gate offers ${gate.choices.join(", ")}`);
      return { choice, by: "flag" };
    }
    return takesDefaults ? { choice: gate.default, by: "default" } : undefined;
  };
}

function readAnswer(given: string): [string, string] {
  const at = given.indexOf("=");
  if (at < 1 || at === given.length - 1)
    throw usage(`--answer wants GATE=CHOICE, such as --answer accept=yes, not '${given}'`);
  return [given.slice(0, at), given.slice(at + 1)];
}
