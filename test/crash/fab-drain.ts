// Many issues worked through by `loopwright issue drain`, which is killed on the way with all of its workers, and started again.

import { mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { openProject } from "@loopwright/core";
import { openTracker } from "@loopwright/tracker";
import { startCommand } from "./demos.ts";
import { descendants } from "./hull-kills.ts";

const asked = [
  { kind: "car", gate: "car_realism_v001", prompt: "a red sedan" },
  { kind: "chair", gate: "furniture_realism_v001", prompt: "a chair" },
  { kind: "suv", gate: "car_realism_v001", prompt: "a green SUV" },
  { kind: "car", gate: "car_realism_v001", prompt: "a blue car" },
  { kind: "chair", gate: "furniture_realism_v001", prompt: "a brown chair" },
];

/** Issues for cars and chairs; their ids. */
export async function createIssues(dir: string, count: number): Promise<string[]> {
  mkdirSync(dir, { recursive: true });
  const tracker = await openTracker({ dir });
  const ids: string[] = [];
  for (let nth = 0; nth < count; nth += 1) {
    const asset = { loop: "fab", ...asked[nth % asked.length]! };
    ids.push((await tracker.create({ title: `${asset.prompt} ${nth}`, asset })).id);
  }
  await tracker.close();
  return ids;
}

/** How many issues have each status. */
export async function statuses(dir: string): Promise<Record<string, number>> {
  const tracker = await openTracker({ dir });
  const issues = await tracker.list();
  await tracker.close();
  const counts: Record<string, number> = {};
  for (const { status } of issues) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}

/** The processes that work on issues of a project. */
export function workersOf(dir: string): number[] {
  const isWorker = (pid: number) => {
    try {
      const words = readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0");
      return words.includes("--quiet") && words.includes(dir);
    } catch {
      return false;
    }
  };
  return descendants(process.pid)
    .map(({ pid }) => pid)
    .filter(isWorker);
}

/** Drains until everything has ended, all processes killed once so many issues are closed; how often that was. */
export async function drain(dir: string, killAt: readonly number[] = [], flags: readonly string[] = []) {
  let killed = 0;
  for (const most of [...killAt, undefined]) {
    const { child, ended } = startCommand(["issue", "drain", "--workers", "2", "--json", "--dir", dir, ...flags]);
    while (most !== undefined && child.exitCode === null && ((await statuses(dir)).closed ?? 0) < most)
      await setTimeout(200);
    const alive = most !== undefined && child.exitCode === null;
    if (alive) for (const pid of [child.pid!, ...workersOf(dir)]) process.kill(pid, "SIGKILL");
    const { code, stdout, stderr } = await ended;
    if (alive) killed += 1;
    else if (most === undefined) return { killed, code, stdout, stderr };
  }
  throw new Error("it never came to an end");
}

/** What is wrong with a project whose issues are all done: each must have ended once. */
export async function faultsOf(dir: string, ids: readonly string[]): Promise<string[]> {
  const faults: string[] = [];
  await using project = await openProject({ dir });
  const tracker = await openTracker({ dir });
  const runs = await project.list();
  const attached: string[] = [];
  for (const id of ids) {
    const chain = await tracker.chain(id);
    attached.push(...chain.flatMap((issue) => issue.runs));
    const isEscalated = chain.some(({ status }) => status === "escalated");
    if (!isEscalated && chain.some(({ status }) => status !== "closed")) faults.push(`${id} has not ended`);
    for (const issue of chain) if (issue.runs.length !== 1) faults.push(`${issue.id} has ${issue.runs.length} runs`);
    const isMerged = readdirSync(join(dir, "library")).includes(id);
    if (isMerged === isEscalated) faults.push(`${id} is ${isEscalated ? "escalated and" : "closed and not"} merged`);
  }
  await tracker.close();
  for (const { run } of runs) if (!attached.includes(run)) faults.push(`run ${run} belongs to no issue`);
  for (const { run } of runs) {
    const { ok, problems } = await project.verify(run);
    if (!ok) faults.push(`verify ${run}: ${problems.join("; ")}`);
  }
  if (readdirSync(join(dir, "library")).some((name) => name.startsWith(".")))
    faults.push("a draft is left in the library");
  return faults;
}
