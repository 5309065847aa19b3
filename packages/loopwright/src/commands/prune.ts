// `loopwright prune`: frees the disk of what old runs have left, never an open run's.

import { existsSync, statSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { isFinal, type ListedRun, type Project, type RunSummary } from "@loopwright/core";
import { showCount, showSize } from "@loopwright/terminal";
import type { Cli } from "../cli.ts";

const HOURS = { h: 1, d: 24, w: 168 };

export async function run(cli: Cli): Promise<number> {
  const age = cli.text("older-than") ?? "30d";
  const before = Date.now() - Number.parseFloat(age) * HOURS[age.at(-1) as keyof typeof HOURS] * 3_600_000;
  const { terminal } = cli;
  await using project = await cli.existingProject();
  const runs = project ? await oldRuns(project, before, cli.isSet("stopped")) : [];
  const isDry = cli.isSet("dry-run");
  let freed = 0;
  if (project && runs.length > 0 && !isDry) freed = await prune(project, runs);
  if (terminal.isJson) terminal.document("prune", { runs, freed, dryRun: isDry });
  else if (runs.length === 0) terminal.say(`No run has ended more than ${age} ago and still holds anything.`);
  else {
    for (const name of runs) terminal.print(isDry || !terminal.isQuiet ? `  ${name}` : name);
    if (isDry) terminal.say(`${showCount(runs.length, "run")} would be pruned. Nothing was freed.`);
    else terminal.say(`${showCount(runs.length, "run")} pruned, ${showSize(freed)} freed.`);
  }
  return 0;
}

/** The runs that have ended before a time, with the child runs that belong to them. */
async function oldRuns(project: Project, before: number, withStopped: boolean): Promise<string[]> {
  const listed = await project.list();
  const isOld = (entry: ListedRun) =>
    !("fault" in entry) && !entry.isHeld && entry.at < before && isPrunable(entry.status, withStopped);
  const old = new Set(listed.filter((entry) => isOld(entry) && !("parent" in entry)).map(({ run }) => run));
  for (const entry of listed)
    if (isOld(entry) && "parent" in entry && entry.parent && old.has(entry.parent)) old.add(entry.run);
  const held: string[] = [];
  for (const run of old) {
    const { folder } = await project.record(run);
    if (existsSync(join(project.dir, "runs", folder))) held.push(run);
  }
  return held;
}

/** A run that can go on is open, and keeps what it has, unless the user gives up those that ended short of the goal. */
function isPrunable(status: RunSummary["status"], withStopped: boolean): boolean {
  if (status === "open" || status === "waiting") return false;
  return isFinal(status) || (withStopped && ["ceiling", "stagnant", "failed"].includes(status));
}

/** Releases the contents of runs and deletes their folders; gives back how many bytes that freed. */
async function prune(project: Project, runs: readonly string[]): Promise<number> {
  const places = [join(project.dir, ".loopwright"), join(project.dir, "runs")];
  const size = async () => (await Promise.all(places.map(sizeOf))).reduce((sum, bytes) => sum + bytes, 0);
  const before = await size();
  const workspaces = await workspacesOf(project, runs);
  await project.release(runs);
  for (const run of runs) await project.removeFolder(run);
  const { removeAll } = await import("@loopwright/sandbox");
  for (const folder of workspaces) await removeAll(folder);
  await project.ports.journal.compact();
  return Math.max(0, before - (await size()));
}

/** The folders that these runs have worked in, and no other does: a fork works where the run that it comes from did. */
async function workspacesOf(project: Project, runs: readonly string[]): Promise<Set<string>> {
  const root = join(project.dir, ".loopwright", "workspaces");
  const statesOf = async (run: string) => {
    const { value: started } = await project.events(run).next();
    const blocks = started?.type === "run-started" ? Object.values(started.config ?? {}) : [];
    const states = blocks.map((block) => (block as { state?: unknown } | null)?.state);
    return states.filter((state) => typeof state === "string" && dirname(state) === root);
  };
  const folders = new Set((await Promise.all(runs.map(statesOf))).flat());
  const others = (await project.ports.journal.runs()).filter((run) => !runs.includes(run));
  for (const folder of (await Promise.all(others.map(statesOf))).flat()) folders.delete(folder);
  return folders as Set<string>;
}

async function sizeOf(folder: string): Promise<number> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  return files.reduce((sum, file) => sum + (statSync(file, { throwIfNoEntry: false })?.size ?? 0), 0);
}
