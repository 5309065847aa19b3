// Everything that the code loop brings along. The loop itself is loaded when a run needs it.

import { defineLoopPackage } from "@loopwright/core";
import { appliedWords, workspaceCells, workspaceSteps } from "@loopwright/workspace/settings";
import { commands } from "./commands/table.ts";
import type { CodeConfiguration } from "./configuration.ts";
import { promptsFolder } from "./folders.ts";
import { template } from "./template.ts";

/** Tests that decide nothing, in words. */
function leftOut(names: readonly string[]): string {
  return names.length > 0 ? `, ${names.length} cannot be counted on (${someOf(names)})` : "";
}

function someOf(names: readonly string[]): string {
  return names.slice(0, 3).join(", ") + (names.length > 3 ? ", …" : "");
}

export default defineLoopPackage<typeof CodeConfiguration>({
  loop: async () => (await import("./index.ts")).code,
  configuration: async () => (await import("./configuration.ts")).CodeConfiguration,
  workcells: (configuration) => workspaceCells("code", configuration),
  prompts: promptsFolder,
  commands,
  templates: { code: template },
  notes: {
    "iteration-began": ({ iteration, plan_generation }) => `iteration ${iteration}, with plan ${plan_generation}`,
    "stuck-hint-given": ({ stuck_count }) =>
      `stuck: the same tests fail, ${stuck_count} times running; a hint is given`,
    "task-amended": ({ addition }) => `task.md was amended: ${addition}`,
    baseline: ({ passing, failing, flaky, blocked }) =>
      `the repository's own tests: ${passing} pass, ${failing.length} fail${leftOut([...flaky, ...blocked])}`,
    looked: ({ who, at, round, of }) =>
      `round ${round} of ${of}: ${who} looked at ${at.length > 0 ? at.join(", ") : "nothing new"}`,
    "tests-corrected": ({ files, vindicated }) =>
      `given tests were changed since, and are taken as they are now: ${someOf(files)}${vindicated.length > 0 ? `; no longer among failed approaches: those of iteration ${vindicated.join(", ")}` : ""}`,
    targets: ({ tests }) =>
      `the run aims at ${tests.length === 1 ? "one test" : `${tests.length} tests`}: ${someOf(tests)}`,
    applied: appliedWords,
    "best-restored": ({ iteration, score }) => `the best state was restored: iteration ${iteration}, score ${score}`,
  },
  steps: workspaceSteps,
  documents: async () => (await import("./commands/documents.ts")).documents,
});
