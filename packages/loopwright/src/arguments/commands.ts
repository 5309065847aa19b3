// The flags that commands share, and the table of Loopwright's own commands; loop packages add theirs.

import type { Argument, Command, Flag } from "@loopwright/core/look";
import type { Cli } from "../cli.ts";
import type { FoundPackage } from "../loops/find-package.ts";

/** Flags that every command takes. */
export const commonFlags: readonly Flag[] = [
  { name: "help", short: "h", help: "show this help" },
  { name: "json", help: "print JSON on stdout (one event per line, or one document); diagnostics go to stderr" },
  { name: "quiet", short: "q", help: "print only what was asked for, and errors" },
  { name: "no-color", help: "print without colors (NO_COLOR does the same)" },
  { name: "dir", value: "DIR", help: "the project's folder; else this one, or its nearest parent with a .loopwright" },
  { name: "config", short: "c", value: "KEY=VALUE", isRepeatable: true, help: "set a key of the configuration" },
  { name: "trust", help: "trust what this folder's files ask for, as they are now" },
  { name: "dry-run", help: "say what would be done, and do nothing" },
];

/** Flags that name models. */
export const modelFlags: readonly Flag[] = [
  { name: "url", value: "URL", help: "the default endpoint for models, such as http://127.0.0.1:1234/v1" },
  {
    name: "model",
    value: "[ROLE=][ENDPOINT:]NAME",
    isRepeatable: true,
    help: "the model of a role, or of all roles where none is named",
  },
];

/** Flags of the commands that drive a run. */
export const runFlags: readonly Flag[] = [
  { name: "yes", short: "y", help: "take each gate's default, which is the choice that loses nothing" },
  { name: "answer", value: "GATE=CHOICE", isRepeatable: true, help: "answer a gate by its name when it comes" },
  {
    name: "attempts",
    value: "N",
    kind: "count",
    help: "make N attempts side by side, and take the best; one budget over all",
  },
  { name: "seed", value: "N", kind: "whole", help: "the seed of everything random in a new run" },
  { name: "max-iterations", value: "N", kind: "count", help: "the ceiling on iterations" },
  { name: "max-minutes", value: "N", kind: "amount", help: "the ceiling on active wall clock" },
  { name: "max-tokens", value: "N", kind: "whole", help: "the ceiling on tokens" },
  { name: "max-usd", value: "N", kind: "amount", help: "the ceiling on dollars" },
  ...modelFlags,
  { name: "cassette", value: "FILE", help: "record model answers to a file, or replay them from it" },
  {
    name: "cassette-mode",
    value: "MODE",
    kind: ["record", "replay", "auto"],
    help: "record, replay, or auto: replay what is recorded, record the rest (auto)",
  },
];

/** A command of Loopwright's own: it has the whole command line in hand. */
export type OwnCommand = Omit<Command, "run"> & {
  /** What its help lists of each loop package: a name, and what it means. */
  rows?: { title: string; of: (found: FoundPackage) => (readonly [string, string])[] };
  /** Its code, loaded only when it is run; the number is the exit code. */
  load: () => Promise<(cli: Cli) => Promise<number>>;
};

const theRun: Argument = { name: "run", help: "the run's id, or a beginning of it that fits no other", offers: "runs" };
const theRunOrNewest: Argument = { ...theRun, isOptional: true, help: `${theRun.help}; else the newest` };

export const ownCommands: readonly OwnCommand[] = [
  {
    name: "demo",
    summary: "the main job, offline: no model, no key, no other program needed",
    details:
      "Something is generated, carried out, judged and repaired until it passes. Kill it at any moment and resume it: it goes\n" +
      "on where it was.",
    arguments: [{ name: "loop", isOptional: true, help: "which one; else the first", offers: "loops" }],
    rows: {
      title: "Demos:",
      of: ({ name, package: { demo } }) => (demo ? [[name, `${demo.summary}. ${demo.details}`]] : []),
    },
    examples: ["loopwright demo", "loopwright demo --seed 7", "loopwright demo --json"],
    drivesRuns: true,
    load: async () => (await import("../commands/drive.ts")).demo,
  },
  {
    name: "init",
    summary: "a project to start from: a small loop in TypeScript, yours to change",
    details:
      "Writes loopwright.yaml, loops/<name>.ts and a README into the folder, or what the template of that name is made of.\n" +
      "Nothing that is there is overwritten.",
    arguments: [{ name: "folder", help: "where to; it is made where it is not there" }],
    flags: [{ name: "loop", value: "NAME", help: "what to call the loop (tidy), or a template's name" }],
    rows: {
      title: "Templates:",
      of: ({ package: { templates } }) => Object.entries(templates).map(([name, { summary }]) => [name, summary]),
    },
    examples: ["loopwright init my-loops", "loopwright init . --loop haiku"],
    load: async () => (await import("../commands/init.ts")).run,
  },
  {
    name: "run",
    summary: "start a run of a loop that loopwright.yaml names",
    arguments: [{ name: "loop", help: "its name in the configuration", offers: "loops" }],
    flags: [
      {
        name: "input",
        value: "JSON",
        help: "what the run is given: JSON, @file.json, or @- for standard input; null where it is left out",
      },
      { name: "slug", value: "WORDS", help: "words for the run's id and folder" },
    ],
    examples: ['loopwright run tidy --input \'{"text":"a  b"}\'', "loopwright run tidy --input @input.json --yes"],
    drivesRuns: true,
    load: async () => (await import("../commands/drive.ts")).run,
  },
  {
    name: "runs",
    summary: "every run: loop, status, iteration, score, cost, age",
    flags: [
      { name: "all", help: "child runs too" },
      { name: "limit", value: "N", kind: "count", help: "only the newest N" },
    ],
    examples: ["loopwright runs", "loopwright runs --json"],
    load: async () => (await import("../commands/runs.ts")).run,
  },
  {
    name: "show",
    summary: "one run, iteration by iteration",
    details:
      "With --follow: what has happened so far, and then what happens, in whatever process, until the run ends. While it waits\n" +
      "at a gate, or nobody is at it, it is waited for. Ctrl-C ends the looking and leaves the run alone.",
    arguments: [theRunOrNewest],
    flags: [
      { name: "follow", help: "go on as the run goes on; with --json one event per line" },
      { name: "rebuild", help: "make the run's folder again from the journal first" },
      { name: "calls", help: "list the calls of models" },
      { name: "call", value: "N", kind: "count", help: "one of them whole: the prompt and the answer" },
    ],
    examples: ["loopwright show", "loopwright show --follow", "loopwright show 20260102-0304 --rebuild"],
    load: async () => (await import("../commands/show.ts")).run,
  },
  {
    name: "explain",
    summary: "why a run stopped, and what to type next",
    arguments: [theRunOrNewest],
    examples: ["loopwright explain", "loopwright explain 20260102-0304"],
    load: async () => (await import("../commands/show.ts")).explain,
  },
  {
    name: "resume",
    summary: "go on from the last checkpoint",
    details:
      "Takes everything from the run's own record; flags given with it override. Resuming a run whose end is final does\n" +
      "nothing, says so, and exits with that run's code.",
    arguments: [theRunOrNewest],
    flags: [
      { name: "continue", help: "the newest run, said outright" },
      { name: "take", help: "take the run over from a process that still holds it" },
      {
        name: "with",
        value: "FILE",
        help: "what you have made, such as a scene that you edited: an iteration of its own, judged like any other",
      },
    ],
    examples: [
      "loopwright resume",
      "loopwright resume 20260102-0304 --max-iterations 40",
      "loopwright resume 20260102-0304 --with scene.blend",
    ],
    drivesRuns: true,
    load: async () => (await import("../commands/drive.ts")).resume,
  },
  {
    name: "answer",
    summary: "answer the gate that a run waits at",
    details: "The answer is kept until the run goes on: follow it with `loopwright resume`.",
    arguments: [theRun, { name: "choice", help: "one of the gate's choices, or an unambiguous beginning of one" }],
    flags: [{ name: "note", value: "TEXT", help: "words for the record, and for the loop" }],
    examples: ["loopwright answer 20260102-0304 yes --note 'good enough'"],
    load: async () => (await import("../commands/steer.ts")).answer,
  },
  {
    name: "pause",
    summary: "stop a run at its next phase boundary",
    details:
      "Says what its loop offers meanwhile, such as a file that you can edit and give back with\n" +
      "`loopwright resume RUN --with FILE`.",
    arguments: [theRun],
    examples: ["loopwright pause 20260102-0304"],
    load: async () => (await import("../commands/steer.ts")).pause,
  },
  {
    name: "cancel",
    summary: "end a run for good",
    arguments: [theRun],
    examples: ["loopwright cancel 20260102-0304"],
    load: async () => (await import("../commands/steer.ts")).cancel,
  },
  {
    name: "fork",
    summary: "a new run that stands where another one entered an iteration",
    details:
      "The files and the state are those of that moment; what has come after it stays with the other run. Models are asked anew. A loop that draws\n" +
      "nothing by chance, such as a search that tries its candidates in a fixed order, does the same again whatever --seed says.",
    arguments: [theRunOrNewest],
    flags: [
      { name: "at", value: "ITERATION", kind: "count", help: "the iteration that the new run begins with" },
      {
        name: "seed",
        value: "N",
        kind: "whole",
        help: "another seed for what is drawn by chance from there on; else that of the run that is forked",
      },
    ],
    examples: ["loopwright fork 20260102-0304 --at 3 --seed 8"],
    load: async () => (await import("../commands/steer.ts")).fork,
  },
  {
    name: "verify",
    summary: "check a run's hash chain and every stored artifact",
    arguments: [theRunOrNewest],
    examples: ["loopwright verify", "loopwright verify 20260102-0304"],
    load: async () => (await import("../commands/steer.ts")).verify,
  },
  {
    name: "prune",
    summary: "free disk: the contents and folders of old runs, never an open run's",
    details: "The chain of a pruned run stays, so that `runs` still lists it and `verify` says what was released.",
    flags: [
      {
        name: "older-than",
        value: "AGE",
        kind: "days",
        help: "how long ago a run must have ended: 12h, 30d, 8w (30d)",
      },
      {
        name: "stopped",
        help: "also runs that ended at a ceiling, stagnant or failed; they can then not go on any more",
      },
    ],
    examples: ["loopwright prune --dry-run", "loopwright prune --older-than 7d"],
    load: async () => (await import("../commands/prune.ts")).run,
  },
  {
    name: "graph",
    summary: "a loop as a Mermaid diagram",
    arguments: [{ name: "loop", help: "its name", offers: "loops" }],
    examples: ["loopwright graph tidy"],
    load: async () => (await import("../commands/graph.ts")).run,
  },
  {
    name: "prompts",
    summary: "the prompts that models are asked with, and which file overrides which",
    details: "A file prompts/<loop>/<id>.md in the project takes the place of the prompt of that name.",
    arguments: [
      { name: "loop", isOptional: true, help: "whose", offers: "loops" },
      { name: "id", isOptional: true, help: "shows that one" },
    ],
    examples: ["loopwright prompts", "loopwright prompts models mend-error"],
    load: async () => (await import("../commands/prompts.ts")).run,
  },
  {
    name: "doctor",
    summary: "what is installed, what is missing, and what each missing part would enable",
    flags: [
      { name: "models", help: "ask each endpoint what it serves, and its model for a small answer" },
      ...modelFlags,
    ],
    examples: ["loopwright doctor", "loopwright doctor --models --model lmstudio:NAME"],
    load: async () => (await import("../commands/doctor.ts")).run,
  },
];
