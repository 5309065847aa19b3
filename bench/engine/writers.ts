// Sixteen processes, each with a run of its own, all writing to one journal.

import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { SqliteJournal } from "@loopwright/core";
import type { Figures } from "../run.ts";
import { rounded, say } from "./figures.ts";
import type { WriterReport } from "./writer-child.ts";

const WRITERS = 16;

/** How many phases they get done, how many of them fail, and how long the longest append takes. */
export async function measureWriters(folder: string, seconds: number): Promise<Figures> {
  const path = join(folder, "writers.db");
  await (await SqliteJournal.open(path)).close();
  const program = join(import.meta.dirname, "writer-child.ts");
  const children = Array.from({ length: WRITERS }, (_, index) =>
    fork(program, [path, `writer-${index}`, String(seconds)], { execArgv: ["--conditions=loopwright-source"] }),
  );
  await Promise.all(children.map((child) => once(child, "message")));
  const reports = await Promise.all(children.map(letGo));
  for (const { error } of reports) if (error) say(`a writer failed: ${error}`);
  const phases = reports.map((report) => report.phases);
  say(`a writer finished from ${Math.min(...phases)} to ${Math.max(...phases)} phases`);
  return {
    writers_16_phases_per_s: rounded(phases.reduce((sum, count) => sum + count, 0) / seconds),
    writers_16_errors: reports.filter(({ error }) => error).length,
    writers_16_worst_ms: rounded(Math.max(...reports.map(({ worstMs }) => worstMs)), 1),
  };
}

/** Lets a writer begin and waits for its report; one that dies without is an error too. */
async function letGo(child: ChildProcess): Promise<WriterReport> {
  const died = once(child, "exit").then(([code]) => ({ phases: 0, worstMs: 0, error: `it exited with ${code}` }));
  const reported = once(child, "message").then(([report]) => report as WriterReport);
  child.send("go");
  return Promise.race([reported, died]);
}
