// The commands of the code loop, as data.

import type { Command } from "@loopwright/core";
import { branchFlag, sandboxFlag } from "@loopwright/workspace/settings";
import type { CodeConfiguration } from "../configuration.ts";

const code: Command<CodeConfiguration> = {
  name: "code",
  summary: "the test-driven coding loop: plan, implement, test, review, until the tests pass",
  details:
    "Reads task.md (and philosophy.md) of the project, plans and writes tests, implements, tests and reviews in a sandbox, and\n" +
    "climbs a ladder when it is stuck: a hint, a consultant, an amendment of the task's Domain Knowledge, a person.\n" +
    "With --tests it works against tests of yours; --held-out tests are shown to no model and decide.\n" +
    "Where there is a program already, its own tests are run first, and those that pass must pass in the end.",
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
      help: "the least number of iterations before it may be done (2; 1 where tests are given or held out)",
    },
    { name: "tests", value: "PATH", isRepeatable: true, help: "given tests; no model writes any" },
    { name: "held-out", value: "PATH", isRepeatable: true, help: "tests that no model sees, and that decide" },
    { name: "allow-failing", help: "go on without tests of the repository that the sandbox keeps from passing" },
    { name: "allow-unseen", help: "let changed lines pass that no test of the repository executes" },
    branchFlag,
    sandboxFlag,
    { name: "estimate", help: "how long it may take and what it may cost, and do nothing" },
    { name: "tokens-per-second", value: "N", kind: "count", help: "for --estimate: how fast your model answers" },
  ],
  examples: ["loopwright code --project my-task", "loopwright code --tests test_roman.py --model lmstudio:NAME"],
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

export const commands = [code, amendments];
