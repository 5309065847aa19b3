// Where there is a program already, its own tests are run before anything is planned, twice, and what they say is what every later
// run is held against. No model is asked.

import { nameSome, runSuite, testErrorLine } from "@loopwright/workspace";
import type { CodeContext } from "../task.ts";
import { type Baseline, compareRuns } from "../testing/baseline.ts";
import { workcellOf } from "../workspace.ts";

/** The suite as it is, or why the run cannot go on: it cannot be run at all, or a person will not go on without tests that the
 * sandbox keeps from passing. */
export async function takeBaseline(
  ctx: CodeContext,
  snapshot: string,
): Promise<{ baseline: Baseline; reason?: undefined } | { baseline?: undefined; reason: string }> {
  const baseline = await workcellOf(ctx, { snapshot }).effect("baseline", {
    run: async (cell, { signal }) => {
      const first = await runSuite(cell, { signal });
      await cell.restore(snapshot);
      const second = await runSuite(cell, { signal });
      await cell.restore(snapshot);
      return compareRuns(first, second);
    },
  });
  const { passing, failing, flaky, blocked, command, fault } = baseline;
  if (fault !== undefined)
    return { reason: `the repository's own tests could not be run: ${testErrorLine(fault)}; ${HOW_TO_SAY}` };
  const names = blocked.map(({ name }) => name);
  const why = command && { why: command.said };
  await ctx.tell("baseline", { passing: passing.length, failing, flaky, blocked: names, ...why });
  if (command?.isBlocked && !ctx.input.allow_failing) return { reason: blockedCommand(failing[0]!, command.said) };
  if (blocked.length === 0 || ctx.input.allow_failing) return { baseline };
  const kinds = [...new Set(blocked.map((each) => each.why))].join(", ");
  const { choice } = await ctx.ask({
    name: "blocked-tests",
    question: `${blocked.length} of the repository's tests fail because of the sandbox (${kinds}), such as ${nameSome(names)}. Go on without them?`,
    choices: ["yes", "no"],
    default: "no",
  });
  return choice === "yes" ? { baseline } : { reason: NOT_ALL };
}

const HOW_TO_SAY = "say what runs them, -c code.test=COMMAND, or fix that and start again";
const NOT_ALL = "the repository's tests cannot all be run in the sandbox, and a person would not go on without them";

/** A command that is one test leaves nothing to go on with. */
function blockedCommand(command: string, said: string): string {
  const ways = [
    ...(said.includes("node_modules/.cache") ? ["make that folder, for a run has an empty one of its own there"] : []),
    "say what runs the tests without that, -c code.test=COMMAND",
    "go on all the same with --allow-failing",
  ];
  return `'${command}' fails because of the sandbox: ${said}; ${ways.join(", or ")}`;
}
