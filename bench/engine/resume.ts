// Resuming a run of 10,000 phases: from opening its journal until the next phase's code begins to run.
//
// The run is made by a process that is killed with SIGKILL three times beyond its 9,000th phase, each time with a copy
// of its files put aside, and that a ceiling stops in the end. A resume goes on for an iteration and stops again.

import { deepStrictEqual } from "node:assert/strict";
import { fork } from "node:child_process";
import { closeSync, copyFileSync, existsSync, fsyncSync, openSync, rmSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { Reader, SqliteJournal } from "@loopwright/core";
import type { Figures } from "../run.ts";
import { median, rounded, say } from "./figures.ts";
import { engineOn, portsOn } from "./ports.ts";
import type { Progress } from "./resume-child.ts";
import { resumeLoop } from "./resume-loop.ts";

const ITERATIONS = 3_334;
const KILLS = [9_150, 9_480, 9_810];

/** Where the run in a file stands. */
interface Standing {
  path: string;
  run: string;
  iterations: number;
}

/** Times of resuming the run that a ceiling stopped, with and without its kept fold, and the run that was killed. */
export async function measureResume(folder: string, samples: number): Promise<Figures> {
  const path = join(folder, "resume.db");
  const killed: Standing[] = [];
  for (const [index, phase] of KILLS.entries()) {
    await drive(path, phase);
    const copy = join(folder, `killed-${index}.db`);
    copyDatabase(path, copy);
    killed.push({ ...(await standingOf(path)), path: copy });
  }
  await drive(path);
  await checkFold(path);
  const kept: number[] = [];
  const dropped: number[] = [];
  for (let count = 1; count <= samples; count++) {
    kept.push(await resumeOnce(await standingOf(path)));
    dropFold(path);
    dropped.push(await resumeOnce(await standingOf(path)));
  }
  const dead = await resumeKilled(killed, samples);
  say(`resumed: ${spread(kept)}; without a fold: ${spread(dropped)}; killed: ${spread(dead)}`);
  return {
    resume_10k_ms: rounded(median(kept), 1),
    resume_10k_no_fold_ms: rounded(median(dropped), 1),
    resume_10k_killed_ms: rounded(median(dead), 1),
  };
}

/** Drives the run in a process of its own until a ceiling stops it, or until it is killed in a phase. */
async function drive(path: string, phase?: number): Promise<void> {
  const run = existsSync(path) ? [(await standingOf(path)).run] : [];
  const program = join(import.meta.dirname, "resume-child.ts");
  const child = fork(program, [path, String(ITERATIONS), ...run], { execArgv: ["--conditions=loopwright-source"] });
  child.on("message", (progress: Progress) => {
    if (phase !== undefined && progress.phase >= phase) child.kill("SIGKILL");
  });
  const [code, signal] = await new Promise<[number | null, string | null]>((resolve) => {
    child.once("exit", (...end) => resolve(end));
  });
  const isRight = phase === undefined ? code === 0 : signal === "SIGKILL";
  if (!isRight) throw new Error(`the process of the run ended with ${code ?? signal}`);
}

/** Milliseconds from opening the journal until the code of a phase begins to run. */
async function resumeOnce({ path, run, iterations }: Standing): Promise<number> {
  let begun: number | undefined;
  const loop = resumeLoop(() => {
    begun ??= performance.now();
  });
  const from = performance.now();
  const engine = await engineOn(path);
  await engine.resume(loop, run, { ceilings: { iterations: iterations + 1 } });
  await engine.close();
  if (begun === undefined) throw new Error("the run did not go on");
  return begun - from;
}

/** The same for killed runs in turn, each time with the files as the killed process left them. */
async function resumeKilled(killed: readonly Standing[], samples: number): Promise<number[]> {
  const times: number[] = [];
  for (let count = 0; count < samples; count++) {
    const standing = killed[count % killed.length]!;
    const path = `${standing.path}-again`;
    copyDatabase(standing.path, path);
    times.push(await resumeOnce({ ...standing, path }));
  }
  return times;
}

/** Fails unless the run is the same with its kept fold and without. */
async function checkFold(path: string): Promise<void> {
  const { run } = await standingOf(path);
  const looks = [];
  for (const isKept of [true, false]) {
    if (!isKept) dropFold(path);
    const journal = await SqliteJournal.open(path);
    const record = await new Reader(portsOn(journal)).record(run);
    await journal.close();
    const engine = await engineOn(path);
    const { state } = await engine.resume(
      resumeLoop(() => {}),
      run,
    );
    await engine.close();
    looks.push({ record, state });
  }
  deepStrictEqual(looks[1], looks[0], "a run must be the same with its kept fold and without");
}

async function standingOf(path: string): Promise<Standing> {
  const journal = await SqliteJournal.open(path);
  const [run] = await journal.runs();
  const record = await new Reader(portsOn(journal)).record(run!);
  await journal.close();
  return { path, run: run!, iterations: record.iterations };
}

function dropFold(path: string): void {
  using db = new DatabaseSync(path);
  db.exec("DELETE FROM folds");
}

/** Copies a database that no one has open, with its log, and brings the copy to disk. */
function copyDatabase(from: string, to: string): void {
  for (const part of ["", "-wal", "-shm"]) rmSync(to + part, { force: true });
  for (const part of ["", "-wal"]) {
    if (!existsSync(from + part)) continue;
    copyFileSync(from + part, to + part);
    const file = openSync(to + part, "r+");
    fsyncSync(file);
    closeSync(file);
  }
}

function spread(values: readonly number[]): string {
  const [low, middle, high] = [Math.min(...values), median(values), Math.max(...values)];
  return `${low.toFixed(1)} to ${high.toFixed(1)} ms, median ${middle.toFixed(1)}`;
}
