// The table of commands. Everything that a person can type is here, and nothing else is.

import type { Command, Word } from "./command.ts";
import { sandboxFlag } from "./flags.ts";

const theRun: Word = { name: "run", help: "the run's id, or a beginning of it that fits no other", offers: "runs" };
const theRunOrNewest: Word = { ...theRun, isOptional: true, help: `${theRun.help}; else the newest` };

export const commands: readonly Command[] = [
  {
    name: "demo",
    summary: "the main job, offline: no model, no key, no other program needed",
    details:
      "Fits a parametric boat hull to three reference silhouettes. Each iteration proposes a hull, carries it out,\n" +
      "renders it, judges the renders against the references, and goes again until the score passes.\n" +
      "Its builder is a search, not a model. Kill it at any moment and resume it: it goes on where it was.\n" +
      "`demo repair` repairs a small program that fails its tests, by search too, and shows the diff; it needs bubblewrap.",
    words: [
      {
        name: "loop",
        isOptional: true,
        help: "which one (hull)",
        offers: ["hull", "repair"],
        moved: { code: "loopwright demo repair" },
      },
    ],
    flags: [],
    examples: ["loopwright demo", "loopwright demo --seed 7", "loopwright demo repair", "loopwright demo --json"],
    drivesRuns: true,
    load: () => import("../commands/demo.ts"),
  },
  {
    name: "init",
    summary: "a project to start from: a small loop in TypeScript, yours to change",
    details:
      "Writes loopwright.yaml, loops/<name>.ts and a README into the folder, or, with --loop code, a task for the code loop:\n" +
      "task.md, philosophy.md, loopwright.yaml; with --loop novel an empty novel with its own git repository. Nothing that is\n" +
      "there is overwritten.",
    words: [{ name: "folder", help: "where to; it is made where it is not there" }],
    flags: [{ name: "loop", value: "NAME", help: "what to call the loop (tidy), or code, or novel" }],
    examples: ["loopwright init my-loops", "loopwright init . --loop haiku"],
    load: () => import("../commands/init.ts"),
  },
  {
    name: "code",
    summary: "the test-driven coding loop: plan, implement, test, review, until the tests pass",
    details:
      "Reads task.md (and philosophy.md) of the project, plans and writes tests, implements, tests and reviews in a sandbox, and\n" +
      "climbs a ladder when it is stuck: a hint, a consultant, an amendment of the task's Domain Knowledge, a person.\n" +
      "With --tests it works against tests of yours; --held-out tests are shown to no model and decide.",
    words: [],
    flags: [
      {
        name: "builder",
        value: "KIND",
        kind: ["model"],
        help: "who writes the program (model)",
        moved: { search: "loopwright repair --workspace . --tests PATH" },
      },
      { name: "project", value: "DIR", help: "the folder with task.md; else this one" },
      { name: "task", value: "FILE", help: "the task (task.md)" },
      { name: "philosophy", value: "FILE", help: "what stands before every prompt (philosophy.md)" },
      { name: "workspace", value: "DIR", help: "where the program is written (workspace/)" },
      {
        name: "min-iterations",
        value: "N",
        kind: "count",
        help: "the least number of iterations before it may be done (2)",
      },
      { name: "tests", value: "PATH", isRepeatable: true, help: "given tests; no model writes any" },
      { name: "held-out", value: "PATH", isRepeatable: true, help: "tests that no model sees, and that decide" },
      sandboxFlag,
      { name: "estimate", help: "how long it may take and what it may cost, and do nothing" },
      { name: "tokens-per-second", value: "N", kind: "count", help: "for --estimate: how fast your model answers" },
    ],
    examples: ["loopwright code --project my-task", "loopwright code --tests test_roman.py --model lmstudio:NAME"],
    drivesRuns: true,
    load: () => import("../commands/workspace/code.ts"),
  },
  {
    name: "repair",
    summary: "repair a program that fails its tests, by search: no model is asked",
    details:
      "Small edits of the program (Python, TypeScript, JavaScript) are tried in a sandbox, the likeliest first, until its tests\n" +
      "pass. --held-out tests are not searched by, and decide; without them every third test is held out. Where no repair is\n" +
      "found the program is left as it was, with a note of what was tried.",
    words: [],
    flags: [
      { name: "workspace", value: "DIR", help: "the program's folder (this one)" },
      { name: "tests", value: "PATH", isRepeatable: true, help: "the tests; else those that the runner finds" },
      {
        name: "held-out",
        value: "PATH",
        isRepeatable: true,
        help: "tests that decide, and that the search does not see",
      },
      sandboxFlag,
    ],
    examples: ["loopwright repair --workspace . --tests tests", "loopwright repair --held-out checks"],
    drivesRuns: true,
    load: () => import("../commands/workspace/repair.ts"),
  },
  {
    name: "novel",
    summary: "the writing REPL: feedback in plain words, judged, shown, approved, committed",
    details:
      "Opens a novel project (premise, treatment, chapters, prose). Anything you type that is no command is feedback: the level\n" +
      "is written anew, judged, and shown as a summary and as a diff. Nothing is changed without your yes, each accepted\n" +
      "iteration is one git commit, and /undo takes it back. /help lists the commands. Lines may also come from a pipe.",
    words: [{ name: "project", isOptional: true, help: "its folder; else this one" }],
    flags: [],
    examples: [
      "loopwright novel my-novel",
      "loopwright novel --model lmstudio:NAME",
      "loopwright novel my-novel < session.txt",
    ],
    drivesRuns: true,
    load: () => import("../commands/novel.ts"),
  },
  {
    name: "run",
    summary: "start a run of a loop that loopwright.yaml names",
    words: [{ name: "loop", help: "its name in the configuration", offers: "loops" }],
    flags: [
      { name: "input", value: "JSON", help: "what the run is given: JSON, or @file.json; null where it is left out" },
      { name: "slug", value: "WORDS", help: "words for the run's id and folder" },
    ],
    examples: ['loopwright run tidy --input \'{"text":"a  b"}\'', "loopwright run tidy --input @input.json --yes"],
    drivesRuns: true,
    load: () => import("../commands/run.ts"),
  },
  {
    name: "runs",
    summary: "every run: loop, status, iteration, score, cost, age",
    words: [],
    flags: [
      { name: "all", help: "child runs too" },
      { name: "limit", value: "N", kind: "count", help: "only the newest N" },
    ],
    examples: ["loopwright runs", "loopwright runs --json"],
    load: () => import("../commands/runs.ts"),
  },
  {
    name: "show",
    summary: "one run, iteration by iteration",
    details:
      "With --follow: what has happened so far, and then what happens, in whatever process, until the run ends. While it waits\n" +
      "at a gate, or nobody is at it, it is waited for. Ctrl-C ends the looking and leaves the run alone.",
    words: [theRunOrNewest],
    flags: [
      { name: "follow", help: "go on as the run goes on; with --json one event per line" },
      { name: "rebuild", help: "make the run's folder again from the journal first" },
      { name: "calls", help: "list the calls of models" },
      { name: "call", value: "N", kind: "count", help: "one of them whole: the prompt and the answer" },
      { name: "amendments", help: "what the code loop added to the task's Domain Knowledge" },
      { name: "revert", value: "N", kind: "count", help: "with --amendments: take that one out of task.md again" },
    ],
    examples: ["loopwright show", "loopwright show --follow", "loopwright show 20260102-0304 --rebuild"],
    load: () => import("../commands/show.ts"),
  },
  {
    name: "explain",
    summary: "why a run stopped, and what to type next",
    words: [theRunOrNewest],
    flags: [],
    examples: ["loopwright explain", "loopwright explain 20260102-0304"],
    load: () => import("../commands/explain.ts"),
  },
  {
    name: "resume",
    summary: "go on from the last checkpoint",
    details:
      "Takes everything from the run's own record; flags given with it override. Resuming a run whose end is final does\n" +
      "nothing, says so, and exits with that run's code.",
    words: [theRunOrNewest],
    flags: [
      { name: "continue", help: "the newest run, said outright" },
      { name: "take", help: "take the run over from a process that still holds it" },
    ],
    examples: ["loopwright resume", "loopwright resume 20260102-0304 --max-iterations 40"],
    drivesRuns: true,
    load: () => import("../commands/resume.ts"),
  },
  {
    name: "answer",
    summary: "answer the gate that a run waits at",
    details: "The answer is kept until the run goes on: follow it with `loopwright resume`.",
    words: [theRun, { name: "choice", help: "one of the gate's choices, or an unambiguous beginning of one" }],
    flags: [{ name: "note", value: "TEXT", help: "words for the record, and for the loop" }],
    examples: ["loopwright answer 20260102-0304 yes --note 'good enough'"],
    load: () => import("../commands/answer.ts"),
  },
  {
    name: "pause",
    summary: "stop a run at its next phase boundary",
    words: [theRun],
    flags: [],
    examples: ["loopwright pause 20260102-0304"],
    load: () => import("../commands/pause.ts"),
  },
  {
    name: "cancel",
    summary: "end a run for good",
    words: [theRun],
    flags: [],
    examples: ["loopwright cancel 20260102-0304"],
    load: () => import("../commands/cancel.ts"),
  },
  {
    name: "fork",
    summary: "a new run that stands where another one entered an iteration",
    words: [theRun],
    flags: [
      { name: "at", value: "ITERATION", kind: "count", help: "the iteration that the new run begins with" },
      { name: "seed", value: "N", kind: "whole", help: "another seed for the new run" },
    ],
    examples: ["loopwright fork 20260102-0304 --at 3 --seed 8"],
    load: () => import("../commands/fork.ts"),
  },
  {
    name: "verify",
    summary: "check a run's hash chain and every stored artifact",
    words: [theRun],
    flags: [],
    examples: ["loopwright verify 20260102-0304"],
    load: () => import("../commands/verify.ts"),
  },
  {
    name: "prune",
    summary: "free disk: the contents and folders of old runs, never an open run's",
    details: "The chain of a pruned run stays, so that `runs` still lists it and `verify` says what was released.",
    words: [],
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
    load: () => import("../commands/prune.ts"),
  },
  {
    name: "graph",
    summary: "a loop as a Mermaid diagram",
    words: [{ name: "loop", help: "hull, or a name in the configuration", offers: "loops" }],
    flags: [],
    examples: ["loopwright graph hull"],
    load: () => import("../commands/graph.ts"),
  },
  {
    name: "prompts",
    summary: "the prompts that models are asked with, and which file overrides which",
    details: "A file prompts/<loop>/<id>.md in the project takes the place of the prompt of that name.",
    words: [
      { name: "loop", isOptional: true, help: "whose", offers: "loops" },
      { name: "id", isOptional: true, help: "shows that one" },
    ],
    flags: [],
    examples: ["loopwright prompts", "loopwright prompts models mend-error"],
    load: () => import("../commands/prompts.ts"),
  },
  {
    name: "doctor",
    summary: "what is installed, what is missing, and what each missing part would enable",
    words: [],
    flags: [{ name: "models", help: "ask each endpoint what it serves, and its model for a small answer" }],
    examples: ["loopwright doctor", "loopwright doctor --models --model lmstudio:NAME"],
    load: () => import("../commands/doctor.ts"),
  },
  {
    name: "completion",
    summary: "a script that completes commands, flags and run ids in your shell",
    words: [
      {
        name: "shell",
        help: "which shell; loops lists the loops that can be named",
        offers: ["bash", "zsh", "fish", "loops"],
      },
    ],
    flags: [],
    examples: ["loopwright completion bash > ~/.local/share/bash-completion/completions/loopwright"],
    load: () => import("../commands/completion.ts"),
  },
];
