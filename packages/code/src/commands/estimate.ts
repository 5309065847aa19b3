// `loopwright code --estimate`: how long runs of three sizes may take, and what they may cost.

import type { CommandContext, Configuration } from "@loopwright/core";
import { pad, showDollars, showDuration, showNumber } from "@loopwright/terminal";
import type { CodeConfiguration } from "../configuration.ts";

type Context = CommandContext<CodeConfiguration>;

/** Tokens of the answers of one iteration: implementing and reviewing, and now and then the consultant. */
const TOKENS = { implement: 4096, review: 2048, consultant: 8192 };
/** Seconds of an iteration that no model is asked in. */
const BESIDE = 5;
/** How often the consultant is asked, for each iteration. */
const CONSULTED = 0.25;
/** What a prompt takes for each token of answer, roughly. */
const PROMPT_RATIO = 3;

/** Sizes of tasks, what each would take a developer, and what usually goes wrong in it. */
const scopes = [
  { scope: "minor refactor", minIterations: 3, developer: "1 day", failures: "missed edge cases, half a rename" },
  {
    ...{ scope: "feature", minIterations: 6, developer: "1 week" },
    failures: "functions that do not exist, wrong signatures, a part that nothing calls",
  },
  {
    ...{ scope: "whole project", minIterations: 12, developer: "2 months" },
    failures: "a design that drifts, knowledge that the task lacks, one failure that breaks many tests",
  },
];

/** Prints the table, by the tokens per second that are given, else what is common. */
export async function showEstimate(context: Context): Promise<number> {
  const { output } = context;
  const configuration = await context.configuration();
  const given = context.number("tokens-per-second");
  const speeds = given === undefined ? [20, 60] : [given];
  const rows = scopes.map(({ minIterations, ...scope }) => ({
    ...scope,
    minIterations,
    seconds: Object.fromEntries(speeds.map((speed) => [speed, Math.round(minIterations * secondsOf(speed))])),
    usd: dollarsOf(configuration, minIterations),
  }));
  const calls = Object.entries(TOKENS).map(([call, tokens]) => ({
    ...{ call, tokens },
    seconds: Object.fromEntries(speeds.map((speed) => [speed, Math.round(tokens / speed)])),
  }));
  if (output.isJson) {
    output.document("estimate", { rows, calls });
    return 0;
  }
  const head = ["scope", "--min-iterations", ...speeds.map((speed) => `at ${speed} tokens/s`), "cost"];
  const cells = rows.map(({ scope, minIterations, seconds, usd }) => [
    scope,
    String(minIterations),
    ...speeds.map((speed) => showDuration(seconds[speed]! * 1000)),
    usd === null ? "not known" : showDollars(usd),
  ]);
  printTable(output, [head, ...cells]);
  output.say("\nOne call's answer:");
  printTable(output, [
    ["asked", "tokens", ...speeds.map((speed) => `at ${speed} tokens/s`)],
    ...calls.map(({ call, tokens, seconds }) => [
      ...[call, showNumber(tokens)],
      ...speeds.map((speed) => showDuration(seconds[speed]! * 1000)),
    ]),
  ]);
  output.say("\nWhat a developer would need, and what usually goes wrong:");
  for (const { scope, developer, failures } of rows) output.say(`  ${scope}, ${developer}: ${failures}`);
  if (given === undefined)
    output.say(
      `\nWith your own speed (${context.typed("loopwright doctor --models")} measures it): --tokens-per-second N`,
    );
  return 0;
}

function printTable(output: Context["output"], rows: readonly (readonly string[])[]): void {
  const widths = rows[0]!.map((_, at) => Math.max(...rows.map((row) => row[at]!.length)));
  const line = (row: readonly string[]) => row.map((cell, at) => pad(cell, widths[at]!)).join("  ");
  for (const row of rows) output.print(line(row).trimEnd());
}

function secondsOf(speed: number): number {
  return (TOKENS.implement + TOKENS.review + CONSULTED * TOKENS.consultant) / speed + BESIDE;
}

/** What so many iterations may cost; null where a price is not known. */
function dollarsOf({ modelOf }: Configuration, iterations: number): number | null {
  const parts = { implementer: TOKENS.implement, reviewer: TOKENS.review, consultant: CONSULTED * TOKENS.consultant };
  let usd = 0;
  for (const [role, tokens] of Object.entries(parts)) {
    const price = modelOf(role)?.price;
    if (!price) return null;
    usd += (iterations * tokens * (price.output + PROMPT_RATIO * price.input)) / 1e6;
  }
  return Math.round(usd * 100) / 100;
}
