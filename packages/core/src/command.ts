// A command as data: parsing, help and docs come from it. What it works with is handed to it, so that a loop
// package imports no command line.

import type { Readable, Writable } from "node:stream";
import type { WriteStream } from "node:tty";
import { usage } from "./errors.ts";
import type { RunResult } from "./journal/control.ts";
import type { LoopPackage } from "./loop-package.ts";
import type { Project } from "./project.ts";
import type { Ceilings, GateRecord, LoopEvent } from "./record/events.ts";
import type { RunRecord } from "./record/fold.ts";
import type { Json } from "./record/json.ts";
import type { GivenFile } from "./run/resume.ts";

/** A command as data: parsing, help and documentation come from it. */
export interface Command<Own = unknown> {
  name: string;
  summary: string;
  details?: string;
  arguments?: readonly Argument[];
  flags?: readonly Flag[];
  examples?: readonly string[];
  /** Whether it drives runs: it then takes the flags for that too. */
  drivesRuns?: boolean;
  /** Does it; the number is the exit code. What is large is imported here, so that help stays quick. */
  run(context: CommandContext<Own>): Promise<number>;
}

/** An argument of a command. */
export interface Argument {
  name: string;
  isOptional?: boolean;
  help: string;
  /** What it names; a list is all that is taken. */
  offers?: "runs" | "loops" | readonly string[];
}

/** A flag of a command. */
export interface Flag {
  name: string;
  short?: string;
  /** What its value is called; a flag without one is a switch. */
  value?: string;
  /** What its value must be; any text where it is left out. */
  kind?: "count" | "amount" | "whole" | "days" | readonly string[];
  isRepeatable?: boolean;
  help: string;
}

/** What was typed. */
export interface Given {
  readonly arguments: readonly string[];
  isSet(flag: string): boolean;
  text(flag: string): string | undefined;
  number(flag: string): number | undefined;
  list(flag: string): readonly string[];
}

/** What a command is run with. It is let go when the command has ended. */
export interface CommandContext<Own = unknown> extends Given, AsyncDisposable {
  readonly dir: string;
  /** A command of Loopwright's as the user would type it here: with --dir where they have given one. */
  typed(command: string): string;
  readonly terminal: Terminal;
  readonly output: Output;
  /** Starts and resumes runs of the package's loop. */
  readonly driver: Driver;
  /** The project; opened, and made where there is none yet, when it is first asked for. */
  project(): Promise<Project>;
  /** The project where the folder is one already, for a command that only looks. */
  existingProject(): Promise<Project | undefined>;
  /** loopwright.yaml, the environment and the flags, as resolved. */
  configuration(): Promise<Configuration<Own>>;
  /** The same for another folder, with these models in place of --model, and before them those that a file of the folder
   * names: for a command that opens several projects. */
  elsewhere(dir: string, models?: readonly string[], ofFolder?: readonly string[]): CommandContext<Own>;
  /** The package of a loop, and this command line in its hands: for a command that starts runs of any loop. */
  ofLoop(name: string): Promise<{ package: LoopPackage; context: CommandContext<never> }>;
  /** Has the folder trusted, or throws. Where it is not, `ask` is told what its files want, line by line; without it, the
   * user is asked by the command line. */
  trust(ask?: (wants: readonly string[]) => Promise<boolean>): Promise<void>;
  /** Has what a run was started with trusted, or throws: for a command that does what a run's record says. */
  trustRun(run: string): Promise<void>;
}

/** The configuration as a command sees it. */
export interface Configuration<Own = unknown> {
  /** The package's own block, by its schema. */
  own: Own;
  /** The block of another package, by that package's schema: such as who keeps the project's issues. */
  block(name: string): Promise<unknown>;
  ceilings: Partial<Ceilings>;
  /** What generated programs may reach. */
  sandbox: { readOnly?: readonly string[] };
  /** Files that run with the user's rights: loops of the project's own, and scripts that its commands name. */
  control: readonly string[];
  modelOf(role: string): RoleModel | undefined;
}

/** The model behind a role. */
export interface RoleModel {
  /** `endpoint:model`. */
  name: string;
  /** Its window in tokens. */
  context: number;
  /** Dollars for a million tokens, where they are known. */
  price?: { input: number; output: number };
  /** The environment variable that should hold its key, and does not: it is asked nothing without. */
  lacksKey?: string;
}

/** Stands in templates where the user's model belongs. */
export const MODEL_PLACEHOLDER = "CHANGE-ME";

/** Refuses a run whose models are not named yet or would be asked without their key, before any work is done. */
export function requireKeys(roles: readonly string[], modelOf: Configuration["modelOf"]): void {
  for (const role of roles) {
    const { name, lacksKey } = modelOf(role) ?? {};
    if (name?.endsWith(`:${MODEL_PLACEHOLDER}`))
      throw usage(
        `${name}, the model of the role '${role}', is no model`,
        `put the model's name in the place of ${MODEL_PLACEHOLDER} in loopwright.yaml`,
      );
    if (lacksKey === undefined) continue;
    const what = `${name}, the model of the role '${role}', needs a key, and the environment has no ${lacksKey}`;
    throw usage(what, `put ${lacksKey}=… into .env or the environment`);
  }
}

/** A color of the terminal. */
export type Color = "red" | "green" | "yellow" | "magenta" | "cyan";
/** How text is shown in a terminal: a color, bold, dim, or several of them. */
export type Style = "bold" | "dim" | Color | readonly ("bold" | "dim" | Color)[];

/** Where a command's lines go: what was asked for, what is only said, and documents for `--json`. */
export interface Output {
  readonly isJson: boolean;
  readonly isQuiet: boolean;
  /** A line of what was asked for. */
  print(line?: string): void;
  /** A line that --quiet and --json leave out. */
  say(line?: string): void;
  /** A line for whoever looks after the program, on stderr. */
  warn(line: string): void;
  /** One JSON document, for --json. */
  document(type: string, fields: Readonly<Record<string, unknown>>): void;
}

/** A stream that may be a terminal. */
export type Screen = Writable & Partial<Pick<WriteStream, "isTTY" | "columns" | "rows" | "getWindowSize">>;

/** The terminal itself, for a command that has more to show than lines. */
export interface Terminal extends Output {
  readonly stdin: Readable & { isTTY?: boolean };
  readonly stdout: Screen;
  readonly stderr: Screen;
  readonly columns: number;
  /** The text as it is where colors are not wanted. */
  style(style: Style, text: string): string;
}

/** Runs with everything that a person expects round them: display, gates asked in place, answers from flags, Ctrl-C,
 * notification, telemetry, --json, --dry-run. */
export interface Driver {
  /** The input is whatever the loop takes, as plain JSON. */
  start(input: unknown, options?: StartRun): Promise<Driven>;
  /** Goes on with a run, by its id or its record where that was read already. */
  resume(run: string | RunRecord, options?: DriveRun): Promise<Driven>;
  /** The first prompt of a run with such an input, as `--dry-run` reaches it; or why it cannot be shown. */
  firstPrompt(input: unknown): Promise<FirstPrompt | { reason: string }>;
}

/** What would be sent first. */
export interface FirstPrompt {
  role: string;
  /** `endpoint:model`; null where none is configured. */
  model: string | null;
  /** What people call the prompt by. */
  id?: string;
  system?: string;
  user: string;
  images: number;
  /** The tokens of texts and pictures, as counted here. */
  tokens: number;
  /** What was done on this machine before it, in words. */
  does?: string;
}

/** What came of a run that the driver drove. */
export interface Driven {
  exitCode: number;
  /** How the run stands; undefined after a dry run. */
  result?: RunResult;
}

/** What a command can say about a run that is driven. */
export interface DriveRun {
  /** Told the run's id as soon as it is on record. */
  begun?: (run: string) => void;
  /** Said before it begins. */
  opening?: readonly string[];
  /** Said at the end, in place of what to type next; the folder is the run's, as a path. */
  closing?: (result: RunResult, folder: string) => readonly string[] | undefined;
  /** Who shows and asks, in place of the command line's own. */
  frontEnd?: FrontEnd;
  /** Takes the run over from a process that still holds it. */
  take?: boolean;
  /** What a person has made, for a run that is resumed. */
  file?: GivenFile;
  /** Limits of this run alone, such as those that a person raises as it is resumed; they hold over the flags. */
  raised?: Partial<Ceilings>;
}

/** What a command can say about a run that it starts. */
export interface StartRun extends DriveRun {
  /** Words for the run's id and folder. */
  slug?: string;
  /** The issue that it is for, kept with it. */
  issue?: string;
  /** The usual limits of such a run; the configuration and the flags hold over them. */
  ceilings?: Partial<Ceilings>;
  /** Kept with the run under its loop's name, where its workcells find them. */
  settings?: Json;
  /** Done before the run starts, and not in a dry run. */
  prepare?: () => void | Promise<void>;
}

/** Who shows a run and asks its gates. */
export interface FrontEnd {
  /** Told every event of the run as it comes, and with --json too; those lines are printed by the driver. */
  take(event: LoopEvent): void;
  /** What is said to a gate, as it was typed; undefined where nobody answers, as when the signal is aborted: the run then
   * waits. It is asked again where the line fits no choice. */
  ask(gate: GateRecord, signal: AbortSignal): Promise<string | undefined>;
  /** Something for the person, beside the events. */
  say(line: string): void;
  /** The last word on a run. */
  end(result: RunResult): void | Promise<void>;
  /** Leaves the terminal to others, whatever has happened. */
  rest(): void;
}
