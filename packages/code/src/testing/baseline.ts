// Where there is a program already, its own tests are run before anything is planned, twice, and what they say is what every later
// run is held against: which pass, which fail, and which cannot be told. No model is asked.

import {
  failureLines,
  isOneCommand,
  isWithoutTests,
  nameSome,
  type Report,
  runSuite,
  testErrorLine,
} from "@loopwright/workspace";
import type { Baseline, Blocked, CodeContext } from "../task.ts";
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

/** A run of the suite: its report, what it loaded, and how long it took. */
export interface SuiteRun {
  report: Report;
  loaded: Readonly<Record<string, readonly string[]>>;
  ms: number;
}

const SIGNS: readonly [Blocked["why"], RegExp][] = [
  [
    "network",
    /name resolution|Name or service not known|Network is unreachable|No route to host|getaddrinfo|EAI_AGAIN|ENETUNREACH|ENOTFOUND|urlopen error|NewConnectionError|Max retries exceeded/,
  ],
  ["read-only", /Read-only file system|EROFS/],
  ["permission", /Permission denied|Operation not permitted|EACCES|EPERM/],
];

/** Two runs of the suite as one word: what differs between them is flaky. */
export function compareRuns(first: SuiteRun, second: SuiteRun): Baseline {
  const [one, two] = [statesOf(first.report), statesOf(second.report)];
  const names = [...new Set([...one.keys(), ...two.keys()])];
  const flaky = names.filter((name) => one.get(name) !== two.get(name));
  const stable = names.filter((name) => !flaky.includes(name));
  const failed = stable.filter((name) => one.get(name) === "failed");
  const isCommand = isOneCommand(first.report);
  const blocked = isCommand ? [] : failed.flatMap((name) => blockedBy(name, first.report));
  const failing = failed.filter((name) => !blocked.some((each) => each.name === name));
  const fault = first.report.fault ?? second.report.fault;
  return {
    ...{ passing: stable.filter((name) => one.get(name) === "passed"), failing, flaky, blocked },
    failures: describeFailures(first.report.tests.filter(({ name }) => failing.includes(name))),
    loaded: byProgram(first.loaded),
    ms: Math.max(first.ms, second.ms),
    ...(isCommand && failing.length > 0 && { command: commandFailure(first.report) }),
    ...(fault !== undefined && !isWithoutTests(fault) && { fault }),
  };
}

/** What failing tests say: of those that end in the same error, one speaks for all. */
function describeFailures(tests: Report["tests"]): string {
  const groups = Map.groupBy(tests, ({ failure = "" }) => failure.trimEnd().split("\n").at(-1)!.trim());
  const heads = [...groups.values()].map(([first, ...others]) =>
    others.length === 0 ? first! : { ...first!, name: `${first!.name} (and ${others.length} more that end like it)` },
  );
  return failureLines(heads);
}

function statesOf({ tests }: Report): Map<string, string> {
  return new Map(tests.map(({ name, state }) => [name, state]));
}

/** Told by the error that a test ended in: its last lines. */
function blockedBy(name: string, { tests }: Report): Blocked[] {
  const failure = tests.find((each) => each.name === name)?.failure ?? "";
  const end = failure.trimEnd().split("\n").slice(-3).join("\n");
  const why = SIGNS.find(([, sign]) => sign.test(end))?.[0];
  return why === undefined ? [] : [{ name, why }];
}

const ERROR = /\w*Error\b|\berror\b|\bERR!|\bErrno\b|denied|not permitted|^not ok\b/;
const PASSED = /^(?:ok\b|✓|✔|√)/;

/** A command may say much after the error that it ended in, so any line may tell. */
function commandFailure({ tests }: Report): Baseline["command"] {
  const lines = (tests[0]!.failure ?? "").split("\n").map((line) => line.trim());
  const errors = lines.filter((line) => ERROR.test(line) && !PASSED.test(line));
  const blocking = errors.find((line) => SIGNS.some(([, sign]) => sign.test(line)));
  return { said: blocking ?? errors[0] ?? lines.at(-1)!, isBlocked: blocking !== undefined };
}

function byProgram(loaded: SuiteRun["loaded"]): Record<string, string[]> {
  const found: Record<string, string[]> = {};
  for (const [test, files] of Object.entries(loaded))
    for (const file of files) if (file !== test) found[file] = [...(found[file] ?? []), test];
  return found;
}
