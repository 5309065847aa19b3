// The commands of the code loop, as data.

import type { Command } from "@loopwright/core";
import { branchFlag, patchFlag, sandboxFlag } from "@loopwright/workspace/settings";
import type { CodeConfiguration } from "../configuration.ts";

const code: Command<CodeConfiguration> = {
  name: "code",
  summary: "the test-driven coding loop: plan, implement, test, review, until the tests pass",
  arguments: [{ name: "task", isOptional: true, help: "what is to be done, in words; else task.md says it" }],
  details:
    "The task is said in words, or stands in task.md of the project (philosophy.md stands before every prompt). Tests and a plan\n" +
    "are written, then the program, in a sandbox; it is tested and reviewed, and a run that is stuck climbs a ladder: a hint, a\n" +
    "consultant, an amendment of the task's Domain Knowledge, a person.\n" +
    "A task in words is done in this folder where there is a program in it, else in workspace/; a task.md that holds only\n" +
    "Scope, Domain Knowledge or Constraints goes with it, and one with a task of its own is refused beside it.\n" +
    "With --tests it works against tests of yours; --held-out tests are shown to no model and decide.\n" +
    "Where there is a program already, its own tests are run first, and those that pass must pass in the end. What runs them\n" +
    "is found by what is there, or said: -c code.test=COMMAND, or pytest, unittest, node, vitest, jest in its place.\n" +
    "Your files get the result when the run is done. With --branch it becomes a new branch, one commit for each iteration that was\n" +
    "accepted; with --patch a patch in the run's folder, and nothing is applied.",
  flags: [
    {
      name: "builder",
      value: "KIND",
      kind: ["model"],
      help: "who writes the program (model)",
    },
    { name: "project", value: "DIR", help: "the folder with task.md; else this one" },
    { name: "task", value: "FILE", help: "the task (task.md)" },
    { name: "philosophy", value: "FILE", help: "what stands before every prompt (philosophy.md)" },
    {
      name: "workspace",
      value: "DIR",
      help: "where the program is written (workspace/; this folder for a task in words)",
    },
    {
      name: "min-iterations",
      value: "N",
      kind: "count",
      help: "the least number of iterations before it may be done (2; 1 where tests are given or held out)",
    },
    { name: "tests", value: "PATH", isRepeatable: true, help: "given tests; no model writes any" },
    { name: "held-out", value: "PATH", isRepeatable: true, help: "tests that no model sees, and that decide" },
    { name: "allow-failing", help: "go on without tests of the repository that the sandbox keeps from passing" },
    { name: "allow-unseen", help: "let changed lines pass that no test of the repository executes" },
    branchFlag,
    patchFlag,
    {
      name: "pr",
      help: "with --branch: open a pull request by gh or glab, its body the proof; without them the page is printed",
    },
    sandboxFlag,
    { name: "estimate", help: "how long it may take and what it may cost, and do nothing" },
    { name: "tokens-per-second", value: "N", kind: "count", help: "for --estimate: how fast your model answers" },
  ],
  examples: [
    'loopwright code "fix the rounding in batch()" --model lmstudio:NAME',
    "loopwright code --project my-task",
    "loopwright code --tests test_roman.py --branch fix",
    'loopwright code "fix the rounding in batch()" --patch --quiet > fix.patch',
  ],
  drivesRuns: true,
  run: async (context) =>
    context.isSet("estimate")
      ? (await import("./estimate.ts")).showEstimate(context)
      : (await import("./code.ts")).runCode(context),
};

const amendments: Command<CodeConfiguration> = {
  name: "amendments",
  summary: "what a run of the code loop added to the task's Domain Knowledge",
  arguments: [{ name: "run", help: "the run's id, or a beginning of it that fits no other", offers: "runs" }],
  flags: [{ name: "revert", value: "N", kind: "count", help: "take that one out of task.md again" }],
  examples: ["loopwright amendments 20260102-0304", "loopwright amendments 20260102-0304 --revert 1"],
  run: async (context) => (await import("./amendments.ts")).showAmendments(context),
};

const prove: Command<CodeConfiguration> = {
  name: "prove",
  summary: "run the evidence of a result again: no model, no network",
  details:
    "A clean checkout of the base, the patch, and everything once more in the sandbox: the tests before and after, each part of the change\n" +
    "taken out, the wrong versions that were tried, the repository's own checks. Each line says what was seen now; the exit is 0 when it holds.",
  arguments: [
    {
      name: "bundle",
      isOptional: true,
      help: "a folder with a proof.json, a run, or a commit with one attached; else HEAD, or the newest run",
    },
  ],
  flags: [{ name: "shown", help: "fail also where it holds and is only partly shown" }],
  examples: ["loopwright prove", "loopwright prove runs/RUN/attempt-000/proof", "loopwright prove HEAD --shown"],
  run: async (context) => (await import("./prove.ts")).runProve(context),
};

export const commands = [code, amendments, prove];
