// What the repository's own tests say before anything is changed: which pass, which fail, and which cannot be told. Pure.

import { failureLines, isOneCommand, isWithoutTests, type Report } from "@loopwright/workspace";
import { z } from "zod";

/** A test that fails because of where it is run, and why. */
export const Blocked = z.object({ name: z.string(), why: z.enum(["network", "read-only", "permission"]) });
export type Blocked = z.infer<typeof Blocked>;

/** The suite before the first edit. */
export const Baseline = z.object({
  passing: z.array(z.string()),
  failing: z.array(z.string()),
  /** Tests that said one thing in one run and another in the next: they decide nothing. */
  flaky: z.array(z.string()),
  /** Tests that fail by the sandbox's own doing. */
  blocked: z.array(Blocked),
  /** What the failing tests say. */
  failures: z.string(),
  /** The test files that load a file of the program, by its path. */
  loaded: z.record(z.string(), z.array(z.string())),
  ms: z.number(),
  /** Of a command that is one test and fails: the line that tells most, and whether that is the sandbox's own doing. */
  command: z.object({ said: z.string(), isBlocked: z.boolean() }).optional(),
  /** Why there are no results at all, where there are tests. */
  fault: z.string().optional(),
});
export type Baseline = z.infer<typeof Baseline>;

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

const MOST_NAMES = 40;

/** A baseline in words, for a prompt. */
export function describeBaseline({ passing, failing, flaky, blocked }: Baseline): string {
  const names = failing.slice(0, MOST_NAMES).map((name) => `- ${name}`);
  const more = failing.length > MOST_NAMES ? [`- … and ${failing.length - MOST_NAMES} more`] : [];
  return [
    `${passing.length === 1 ? "1 test passes" : `${passing.length} tests pass`}${failing.length > 0 ? `, and ${failing.length === 1 ? "1 fails" : `${failing.length} fail`}, which may have nothing to do with the task:` : ", and none fails."}`,
    ...names,
    ...more,
    ...(flaky.length > 0 ? [`${flaky.length} more pass at one time and fail at another, and decide nothing.`] : []),
    ...(blocked.length > 0 ? [`${blocked.length} more fail because of where they are run, and decide nothing.`] : []),
  ].join("\n");
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

/** Which test files load each file of the program. */
function byProgram(loaded: SuiteRun["loaded"]): Record<string, string[]> {
  const found: Record<string, string[]> = {};
  for (const [test, files] of Object.entries(loaded))
    for (const file of files) if (file !== test) found[file] = [...(found[file] ?? []), test];
  return found;
}
