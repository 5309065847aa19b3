// `loopwright runs`: every run, one line each.

import { existsSync } from "node:fs";
import { join } from "node:path";
import { type ListedRun, outcomes, type Project } from "@loopwright/core";
import { cut, pad, plainLine, showAge, showDollars, showScore } from "@loopwright/terminal";
import type { Cli } from "../cli.ts";
import { isFolderGone } from "../project.ts";

export async function run(cli: Cli): Promise<number> {
  await using project = await cli.existingProject();
  const { terminal } = cli;
  const listed = (await project?.list()) ?? [];
  // Of runs that took over from one another the last stands for all.
  const followed = new Set(listed.map((entry) => ("after" in entry ? entry.after : undefined)));
  const wanted = listed.filter((entry) => cli.isSet("all") || !("parent" in entry || followed.has(entry.run)));
  const shown = wanted.slice(-(cli.number("limit") ?? wanted.length)).reverse();
  const gone = project ? await prunedOf(project, shown) : new Set<string>();
  if (terminal.isJson)
    terminal.document("runs", {
      dir: cli.dir,
      runs: shown.map((entry) => ({ ...entryToJson(entry), ...(gone.has(entry.run) && { pruned: true }) })),
    });
  else if (terminal.isQuiet) for (const { run } of shown) terminal.print(run);
  else if (shown.length === 0)
    terminal.print(`There are no runs in ${cli.dir}. Begin with: ${cli.typed("loopwright demo")}`);
  else printTable(cli, shown, gone);
  return 0;
}

/** The runs among these whose folder is gone. Most have it under their own name, and only of the others the record is read. */
async function prunedOf(project: Project, entries: readonly ListedRun[]): Promise<Set<string>> {
  const gone = new Set<string>();
  for (const entry of entries) {
    const isOpen = "fault" in entry || entry.status === "open" || entry.status === "waiting";
    if (isOpen || existsSync(join(project.dir, "runs", entry.run))) continue;
    // A record that cannot be read is told by whoever looks at it.
    const record = await project.record(entry.run).catch(() => undefined);
    if (record && isFolderGone(project.dir, record)) gone.add(entry.run);
  }
  return gone;
}

/** How a run stands, in one word: an open one is running, was forked and has not gone on yet, was stopped by a fault, or cut off. */
function statusOf(entry: ListedRun): string {
  if ("fault" in entry) return "damaged";
  if (entry.isHeld) return "running";
  if (entry.answer !== undefined) return "answered";
  if (entry.status !== "open") return entry.status;
  if (entry.forked !== undefined) return "forked";
  return entry.error === undefined ? "cut off" : "fault";
}

function entryToJson(entry: ListedRun): Record<string, unknown> {
  const { run, isHeld } = entry;
  if ("fault" in entry) return { run, status: "damaged", running: isHeld, fault: entry.fault };
  const { loop, iterations, ceiling, score, tokens, usd, parent, after, answer, error } = entry;
  const [startedAt, at] = [entry.startedAt, entry.at].map((time) => new Date(time).toISOString());
  // What is answered still waits for a resume, and a fault has cut the run off: their fields say so.
  const status = statusOf({ ...entry, answer: undefined, error: undefined }).replace(" ", "-");
  const facts = { run, loop, status, running: isHeld, iterations, ceiling, score, tokens, usd };
  return { ...facts, startedAt, at, parent, after, answer, error };
}

function printTable(cli: Cli, entries: readonly ListedRun[], gone: ReadonlySet<string>): void {
  const { terminal } = cli;
  const rows = entries.map((entry) => [plainLine(entry.run), ...cellsOf(entry, gone.has(entry.run))]);
  const head = ["run", "loop", "status", "iteration", "score", "cost", "age"];
  const widths = head.map((name, column) => Math.max(name.length, ...rows.map((row) => row[column]?.length ?? 0)));
  // An id is there to be copied and never cut; neither is anything that another program reads.
  const room = terminal.stdout.isTTY ? terminal.columns - widths[0]! - 3 : Number.POSITIVE_INFINITY;
  const line = (cells: readonly string[]) => {
    const [id, ...rest] = cells.map((cell, at) => pad(cell, widths[at]!));
    return room < 1 ? id!.trimEnd() : `${id}  ${cut(rest.join("  ").trimEnd(), room)}`;
  };
  terminal.print(terminal.style("dim", line(head)));
  for (const [at, row] of rows.entries()) {
    const color = colorOf(entries[at]!);
    terminal.print(color ? terminal.style(color, line(row)) : line(row));
  }
}

function cellsOf(entry: ListedRun, isGone: boolean): string[] {
  if ("fault" in entry) return ["?", "damaged", "", "", "", ""];
  const { loop, iterations, ceiling, score, usd, at } = entry;
  return [
    plainLine(loop),
    isGone ? `${statusOf(entry)}, folder gone` : statusOf(entry),
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
