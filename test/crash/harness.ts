// Kills runs and compares what becomes of them with a run that nobody killed.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { StampedEvent } from "@loopwright/core";
import { openProject } from "loopwright";
import { type Driven, drive } from "./drive.ts";
import { outsideIn, scenarios } from "./scenarios.ts";

export const scenarioNames = ["effects", "gates", "children", "retries", "ceiling"] as const;
const program = join(import.meta.dirname, "program.ts");

/** Where a process is killed: before or after its nth write, or after so many milliseconds. */
export type KillPoint = { side: "before" | "after"; nth: number } | { afterMs: number };

/** All that a finished run is compared by. */
export interface Outcome {
  outcome: string | undefined;
  iterations: number;
  /** What was charged, child runs included: nothing lost, nothing twice. */
  tokens: number;
  scores: unknown;
  state: unknown;
  input: unknown;
  artifacts: string[];
  /** What reached the sink, by content: nothing lost, nothing twice. */
  sunk: string[];
}

/** Runs a scenario to its end, killing the processes at the given points, one after another. What is not to be killed is
 * driven by this process, which knows no more of the run than a new one. */
export async function runKilled(
  name: string,
  kills: readonly (KillPoint | undefined)[],
): Promise<{ outcome: Outcome; faults: string[]; killed: number }> {
  const dir = mkdtempSync(join(tmpdir(), "loopwright-crash-"));
  try {
    let killed = 0;
    const queue = [...kills];
    for (let round = 0; ; round++) {
      if (round > 200) throw new Error(`scenario '${name}' does not come to an end`);
      const kill = queue.shift();
      const end = kill ? await launch(name, dir, kill) : await drive(name, dir);
      if (end === "killed") killed += 1;
      else if (end.gate) await answer(name, dir, end.run, end.gate.name);
      else return { ...(await inspect(dir)), killed };
    }
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

/** How many writes each process of an unbroken run makes: the points at which it can be killed. */
export async function countWrites(name: string): Promise<number[]> {
  const dir = mkdtempSync(join(tmpdir(), "loopwright-count-"));
  const counts: number[] = [];
  try {
    for (;;) {
      const end = await launch(name, dir);
      if (end === "killed") throw new Error(`scenario '${name}' was killed while its writes were counted`);
      counts.push(end.writes);
      if (!end.gate) return counts;
      await answer(name, dir, end.run, end.gate.name);
    }
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

/** Each process of a run is killed before and after each of its writes; the ones before it are let through. */
export function killPoints(
  counts: readonly number[],
  sides: readonly ("before" | "after")[] = ["before", "after"],
): (KillPoint | undefined)[][] {
  return counts.flatMap((count, process) => {
    const letThrough = Array.from({ length: process }, () => undefined);
    const nths = Array.from({ length: count }, (_, index) => index + 1);
    return nths.flatMap((nth) => sides.map((side) => [...letThrough, { side, nth }]));
  });
}

/** Drives a scenario in a process of its own; without a point to be killed at, that counts its writes. */
async function launch(name: string, dir: string, kill?: KillPoint): Promise<(Driven & { writes: number }) | "killed"> {
  const where = kill && "side" in kill ? [kill.side, String(kill.nth)] : [];
  const child = spawn(process.execPath, ["--conditions=loopwright-source", program, name, dir, ...where], {
    stdio: ["ignore", "pipe", "pipe"],
    env: { ...process.env, NODE_COMPILE_CACHE: join(tmpdir(), "loopwright-compile-cache") },
  });
  if (kill && "afterMs" in kill) setTimeout(() => child.kill("SIGKILL"), kill.afterMs).unref();
  let stdout = "";
  let stderr = "";
  child.stdout.on("data", (data) => (stdout += data));
  child.stderr.on("data", (data) => (stderr += data));
  const [code, signal] = await once(child, "close");
  if (signal === "SIGKILL") return "killed";
  if (code !== 0 || stdout === "") throw new Error(`scenario '${name}' failed with the code ${code}:\n${stderr}`);
  return JSON.parse(stdout);
}

/** A person's answer, given while no process of the run is alive; twice, since that must count once. */
async function answer(name: string, dir: string, run: string, gate: string): Promise<void> {
  const choice = scenarios(outsideIn(dir))[name]!.answers[gate]!;
  const project = await openProject({ dir });
  try {
    await project.answer(run, choice);
    await project.answer(run, choice);
  } finally {
    await project.close();
  }
}

/** Reads what a run has come to, and looks for anything that must not be. */
async function inspect(dir: string): Promise<{ outcome: Outcome; faults: string[] }> {
  const project = await openProject({ dir });
  try {
    const { journal } = project.ports;
    const runs = await journal.runs();
    const root = runs.find((run) => !run.includes("."))!;
    const record = await project.record(root);
    const { state, input } = await project.state(root);
    const faults: string[] = [];
    const artifacts: string[] = [];
    for (const run of runs) {
      const { ok, problems } = await project.verify(run);
      if (!ok) faults.push(`verify ${run}: ${problems.join("; ")}`);
      const events = (await journal.read(run)).map(({ body }) => JSON.parse(body) as StampedEvent);
      faults.push(...effectFaults(run, events));
      const { folder } = await project.state(run);
      for (const event of events) {
        if (event.type !== "artifact-saved") continue;
        const name = `${run.replace(root, "")}:${event.artifact.path}`;
        if (!artifacts.includes(`${name} ${event.artifact.digest}`)) artifacts.push(`${name} ${event.artifact.digest}`);
        if (!existsSync(join(dir, "runs", folder, event.artifact.path)))
          faults.push(`${event.artifact.path} is not in the run's folder`);
      }
    }
    if (runs.filter((run) => !run.includes(".")).length !== 1) faults.push(`there are ${runs.length} runs`);
    faults.push(...callFaults(join(dir, "outside")));
    const sunk = readdirSync(join(dir, "outside")).filter((file) => file.startsWith("sink-"));
    const outcome: Outcome = {
      outcome: record.ended?.outcome,
      iterations: record.iterations,
      tokens: record.usage.tokens,
      scores: record.scores,
      state,
      input,
      artifacts: artifacts.sort(),
      sunk: sunk.map((file) => readFileSync(join(dir, "outside", file), "utf8")).sort(),
    };
    return { outcome, faults };
  } finally {
    await project.close();
  }
}

/** L1, L2: each effect is started, settled once, and never started again after that, but for a named retry. */
function effectFaults(run: string, events: readonly StampedEvent[]): string[] {
  const faults: string[] = [];
  const settled = new Set<string>();
  const started = new Set<string>();
  for (const event of events) {
    if (!("key" in event) || !event.type.startsWith("effect-") || !("visit" in event)) continue;
    const name = `${run} visit ${event.visit} effect ${event.key}`;
    if (event.type === "effect-charged") continue;
    if (event.type === "effect-started") {
      if (settled.has(name)) faults.push(`${name} was started again after it was recorded`);
      started.add(name);
    } else {
      if (!started.has(name)) faults.push(`${name} has a result and no intent`);
      if (settled.has(name)) faults.push(`${name} was recorded twice`);
      settled.add(name);
    }
  }
  for (const name of started) if (!settled.has(name)) faults.push(`${name} was lost`);
  return faults;
}

/** A body that ran more than once was told so every time but the first. */
function callFaults(outside: string): string[] {
  const log = join(outside, "calls.log");
  const calls = existsSync(log)
    ? readFileSync(log, "utf8")
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line))
    : [];
  const seen = new Set<string>();
  return calls.flatMap(({ key, mayHaveRun, what }: { key: string; mayHaveRun: boolean; what: string }) => {
    const isAgain = seen.has(key);
    seen.add(key);
    return isAgain && !mayHaveRun ? [`'${what}' ran again and was not told that it may have run`] : [];
  });
}

/** Runs tasks with so many at once. */
export async function inParallel<T>(tasks: readonly (() => Promise<T>)[], width: number): Promise<T[]> {
  const results = new Array<T>(tasks.length);
  const queue = tasks.entries();
  const worker = async () => {
    for (const [index, task] of queue) results[index] = await task();
  };
  await Promise.all(Array.from({ length: width }, worker));
  return results;
}
