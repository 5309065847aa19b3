// defineLoopPackage: everything that a loop brings along, in one place, so that it can live in a package of its own.

import type { z } from "zod";
import type { AttemptsSpec } from "./attempts.ts";
import type { Command, CommandContext, Configuration, StartRun } from "./command.ts";
import type { Loop } from "./define.ts";
import { UsageError } from "./errors.ts";
import type { WorkcellStart } from "./ports.ts";
import type { GateRecord } from "./record/events.ts";
import type { RunRecord } from "./record/fold.ts";
import type { Json } from "./record/json.ts";

/** What is large may be given as a function: it is then loaded when a run needs it, and not for help. */
type MaybePromise<Value> = Value | Promise<Value>;
type Lazy<Value> = Value | (() => MaybePromise<Value>);
type AnyLoop = Pick<Loop, "name" | "version" | "phases">;

/** What `defineLoopPackage` takes; every part is optional, but there must be one. */
export interface LoopPackageSpec<Schema extends z.ZodType> {
  /** What the engine runs; a package may also only add commands. */
  loop?: Lazy<AnyLoop>;
  /** The schema of its own block in loopwright.yaml, which stands under the name that `loops` gives it. */
  configuration?: Lazy<Schema>;
  /** How several attempts at one input compete, where the best score does not tell; null where there can be none. */
  attempts?: (() => Promise<AttemptsSpec>) | null;
  /** The kinds of workcells that its phases name. */
  workcells?: (configuration: Configuration<z.output<Schema>>) => MaybePromise<Readonly<Record<string, WorkcellStart>>>;
  /** The folder of its prompts, which a project can override. */
  prompts?: string;
  /** The roles that its prompts name, and how large a context window each has where the user says nothing of it. */
  roles?: Readonly<Record<string, { readonly context?: number }>>;
  /** What it adds to the command line. */
  commands?: readonly Command<z.output<Schema>>[];
  templates?: Readonly<Record<string, Template>>;
  /** Its own events in words, by name: for terminal, show and report alike. */
  notes?: Readonly<Record<string, NoteWords>>;
  /** Whom its notes tell beside `notify`, by name, given a note's data and the run's input: the address, and what it is sent. */
  webhooks?: Readonly<Record<string, (data: never, input: never) => { url: string; body: Json } | undefined>>;
  /** When the terminal's bell is rung beside the loop's own notes `bell`: as a gate opens, and as a run ends. */
  bells?: readonly Bell[];
  /** How its gates are asked and answered, by name, where that differs from the gate's own words. */
  gates?: Readonly<Record<string, GateWords>>;
  /** What more to type about a run as it stands, after what is the same for every loop. */
  steps?: (run: RunRecord) => readonly NextStep[];
  /** What the colors of its pictures mean in a report, by the file's name. */
  legends?: Readonly<Record<string, Legend>>;
  /** The score that passes, by a run's input: for the chart of a report. */
  passesAt?: PassesAt;
  /** Its main job, offline, where it has one. */
  demo?: Demo<z.output<Schema>>;
  /** The schemas of what its commands print with --json, by type. */
  documents?: () => MaybePromise<Readonly<Record<string, z.ZodType>>>;
  /** What `doctor` says of the programs that it needs. */
  doctor?: () => Promise<readonly MachineFinding[]>;
  /** What a run for an issue is started with, its flags being what the issue sets; else what it sets is the input. It refuses an issue
   * by throwing, and changes nothing: it is asked as one is made, too. Another context is for a folder that names models itself. */
  fromIssue?: (
    issue: AskedIssue,
    context: CommandContext<z.output<Schema>>,
  ) => MaybePromise<StartRun & { input: unknown; context?: CommandContext }>;
  /** Sets up the run in memory by which `--dry-run` reaches the first prompt; without it none is shown. */
  firstPrompt?: SetUpFirstPrompt;
}

/** An issue as a package is given it: in words, and what else it asks for, by names of the package's own. */
export type AskedIssue = Readonly<{ id: string; title: string; words: string; asset: Record<string, Json> }>;

/** What a run would be started with, and a folder that goes when its first prompt was seen → how to reach that prompt, or why it is
 * not to be had. What the phases before the prompt write must lie in that folder, and nobody may be told. */
export type SetUpFirstPrompt = (
  run: { input: Json; settings: Json | undefined; project: string },
  folder: string,
) => MaybePromise<FirstPromptRun | { reason: string }>;

/** A run that is stopped at its first prompt. */
export interface FirstPromptRun {
  settings: Json;
  /** The phase to begin with, where those before it tell somebody of the run; the loop's own first where it is left out. */
  start?: string;
  /** What is done before the prompt, in words for a person: "ran the tests in the sandbox". */
  does?: string;
  /** The folder that stands for the project's own, where phases before the prompt write into that. */
  project?: string;
  /** What gates before the prompt are answered with, by name. */
  answers?: Readonly<Record<string, string>>;
}

/** Something that the machine has or lacks. */
export interface MachineFinding {
  name: string;
  state: "ok" | "missing" | "fault";
  /** What was found, or what is wrong. */
  found: string;
  /** What it is for, and what to do where it is missing. */
  enables: string;
}

/** A package as the command line knows it, whatever its types. */
export type LoopPackage = Readonly<
  Omit<LoopPackageSpec<z.ZodType<never>>, "loop" | "configuration"> &
    Required<Pick<LoopPackageSpec<z.ZodType<never>>, "commands" | "templates" | "notes" | "gates">>
> & {
  readonly kind: "loop-package";
  readonly loop?: () => Promise<Loop>;
  readonly configuration?: () => Promise<z.ZodType>;
};

/** A note in words; undefined for one that is nothing to a person. Its data is what the loop told. */
// biome-ignore lint/suspicious/noExplicitAny: a package knows what it told; here it is any JSON
export type NoteWords = (data: any) => string | { words: string; diff: string } | undefined;

/** The score that passes; undefined where the input names none. */
// biome-ignore lint/suspicious/noExplicitAny: a package knows its loop's input; here it is any JSON
export type PassesAt = (input: any) => number | undefined;

/** When the terminal rings: where a gate opens, or where the run ends. */
export type Bell = "gate" | "end";

/** How a gate is asked in the loop's own words. */
export interface GateWords {
  question?: (gate: GateRecord) => string;
  /** Other words for its choices. */
  synonyms?: Readonly<Record<string, string>>;
  /** Choices that are said with what they are about: `add 5` as well as `add: 5`. */
  noted?: readonly string[];
  /** Choices that are taken, and offered in no list: those who want them know of them. */
  unlisted?: readonly string[];
  /** What an empty line means: a choice, or null to ask again. The gate's default where it is left out. */
  empty?: string | null;
}

/** Colors as CSS has them, `#1d5ba8`, and what each means. */
export type Legend = readonly { color: string; means: string }[];

/** One command, and what it does. */
export interface NextStep {
  command: string;
  does: string;
}

/** What `loopwright init --loop NAME` writes. */
export interface Template {
  summary: string;
  /** The files of a new project, by path, given its folder. */
  files: (folder: string) => MaybePromise<Readonly<Record<string, string>>>;
  /** Done once they are written, such as `git init`. */
  finish?: (folder: string) => Promise<void>;
  /** What to type next, in the new folder. */
  next: readonly string[];
  /** What to do before that. */
  hint?: string;
}

/** A loop's main job, offline. */
export interface Demo<Own = unknown> {
  summary: string;
  details: string;
  /** A cassette with the answers of a model, where the loop asks one: nobody else is asked. */
  cassette?: string;
  run(context: CommandContext<Own>): Promise<number>;
}

/** Defines a package of a loop. */
export function defineLoopPackage<Schema extends z.ZodType = z.ZodType>(spec: LoopPackageSpec<Schema>): LoopPackage {
  const { loop, configuration, commands = [], templates = {}, notes = {}, gates = {}, ...rest } = spec;
  for (const { name } of commands)
    if (!/^[a-z][a-z0-9-]*$/.test(name))
      throw new UsageError("PACKAGE_INVALID", `'${name}' is no name for a command: use a-z, 0-9 and -`);
  return Object.freeze({
    ...rest,
    kind: "loop-package" as const,
    ...(loop && { loop: loader(loop) }),
    ...(configuration && { configuration: loader(configuration as Lazy<z.ZodType>) }),
    commands,
    templates,
    notes,
    gates,
  }) as LoopPackage;
}

function loader<Value>(given: Lazy<Value>): () => Promise<Value> {
  return async () => (typeof given === "function" ? (given as () => MaybePromise<Value>)() : given);
}
