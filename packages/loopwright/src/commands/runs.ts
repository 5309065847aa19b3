// `loopwright runs`: every run, one line each.

import { type ListedRun, outcomes } from "@loopwright/core";
import { cut, pad, plainLine, showAge, showDollars, showScore } from "@loopwright/terminal";
import type { Cli } from "../cli.ts";

export async function run(cli: Cli): Promise<number> {
  await using project = await cli.existingProject();
  const { terminal } = cli;
  const listed = (await project?.list()) ?? [];
  // Of runs that took over from one another the last stands for all.
  const followed = new Set(listed.map((entry) => ("after" in entry ? entry.after : undefined)));
  const wanted = listed.filter((entry) => cli.isSet("all") || !("parent" in entry || followed.has(entry.run)));
  const shown = wanted.slice(-(cli.number("limit") ?? wanted.length)).reverse();
  if (terminal.isJson) terminal.document("runs", { dir: cli.dir, runs: shown.map(entryToJson) });
  else if (terminal.isQuiet) for (const { run } of shown) terminal.print(run);
  else if (shown.length === 0)
    terminal.print(`There are no runs in ${cli.dir}. Begin with: ${cli.typed("loopwright demo")}`);
  else printTable(cli, shown);
  return 0;
}

/** How a run stands, in one word: an open one is running, was forked and has not gone on yet, or was cut off. */
function statusOf(entry: ListedRun): string {
  if ("fault" in entry) return "damaged";
  if (entry.isHeld) return "running";
  if (entry.status !== "open") return entry.status;
  return entry.forked === undefined ? "cut off" : "forked";
}

function entryToJson(entry: ListedRun): Record<string, unknown> {
  const { run, isHeld } = entry;
  if ("fault" in entry) return { run, status: "damaged", running: isHeld, fault: entry.fault };
  const { loop, iterations, ceiling, score, tokens, usd, parent, after } = entry;
  const [startedAt, at] = [entry.startedAt, entry.at].map((time) => new Date(time).toISOString());
  const status = statusOf(entry).replace(" ", "-");
  return { run, loop, status, running: isHeld, iterations, ceiling, score, tokens, usd, startedAt, at, parent, after };
}

function printTable(cli: Cli, entries: readonly ListedRun[]): void {
  const { terminal } = cli;
  const rows = entries.map((entry) => [plainLine(entry.run), ...cellsOf(entry)]);
  const head = ["run", "loop", "status", "iteration", "score", "cost", "age"];
  const widths = head.map((name, column) => Math.max(name.length, ...rows.map((row) => row[column]?.length ?? 0)));
  const rest = widths.slice(1).reduce((sum, width) => sum + width + 2, 0);
  widths[0] = Math.max(12, Math.min(widths[0]!, terminal.columns - 1 - rest));
  const line = (cells: readonly string[]) =>
    cells
      .map((cell, at) => pad(cut(cell, widths[at]!), widths[at]!))
      .join("  ")
      .trimEnd();
  terminal.print(terminal.style("dim", cut(line(head), terminal.columns - 1)));
  for (const [at, row] of rows.entries()) {
    const color = colorOf(entries[at]!);
    terminal.print(color ? terminal.style(color, line(row)) : line(row));
  }
}

function cellsOf(entry: ListedRun): string[] {
  if ("fault" in entry) return ["?", "damaged", "", "", "", ""];
  const { loop, iterations, ceiling, score, usd, at } = entry;
  return [
    plainLine(loop),
    statusOf(entry),
    `${iterations} of ${ceiling}`,
    score === null ? "–" : showScore(score),
    showDollars(usd),
    showAge(Date.now() - at),
  ];
}

function colorOf(entry: ListedRun): "green" | "yellow" | "magenta" | "red" | "cyan" | undefined {
  if ("fault" in entry) return "red";
  if (entry.isHeld) return "cyan";
  if (entry.status === "waiting" || entry.status === "escalated") return "magenta";
  if (entry.status === "open") return "yellow";
  return outcomes[entry.status].exit === 0 ? "green" : undefined;
}
