// A run that spends is killed, interrupted, answered and in the end let through or cancelled; what it was charged with is
// compared with what the server sent: equal, or above by at most the estimates of the calls whose answer is not on record.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openProject, type Project, type RecordedEvent, randomStream } from "@loopwright/core";
import { startCountingServer } from "./counting-server.ts";

const program = join(import.meta.dirname, "spending-program.ts");

export interface Spent {
  outcome: string;
  sent: number;
  recorded: number;
  /** The estimates of all calls whose answer is not on record. */
  inFlight: number;
  killed: number;
  interrupted: number;
  faults: string[];
}

/** Drives one run to its end, with so many stops on the way at moments that follow from the seed; with none, the server has no
 * faults either. */
export async function spend(seed: number, stops: number): Promise<Spent> {
  const random = randomStream("spending", seed);
  const dir = mkdtempSync(join(tmpdir(), "loopwright-spending-"));
  await using server = await startCountingServer(seed, stops === 0);
  const count = { killed: 0, interrupted: 0 };
  const isCancelled = stops > 0 && random() < 0.3;
  try {
    for (let round = 1; ; round++) {
      if (round > 60) throw new Error(`seed ${seed} does not come to an end`);
      const child = spawn(process.execPath, ["--conditions=loopwright-source", program, dir, server.url], {
        stdio: ["ignore", "pipe", "inherit"],
        env: { ...process.env, NODE_COMPILE_CACHE: join(tmpdir(), "loopwright-compile-cache") },
      });
      const signal = random() < 0.6 ? "SIGKILL" : "SIGTERM";
      const tokens = 1 + Math.floor(random() * 250);
      if (round <= stops) server.after(tokens, () => child.kill(signal));
      let outcome = "";
      child.stdout.on("data", (data) => (outcome += data));
      const [code, killedBy] = await once(child, "close");
      server.after(Number.POSITIVE_INFINITY, () => {});
      if (code !== 0 && killedBy !== "SIGKILL") throw new Error(`seed ${seed}: the program ended with ${code}`);
      outcome = outcome.trim();
      if (killedBy) count.killed += 1;
      if (outcome === "interrupted") count.interrupted += 1;
      const project = await openProject({ dir });
      try {
        const found = await inspect(project, server.sent, killedBy !== null);
        const isOver = outcome === "done" || outcome === "cancelled";
        if (isOver || found.faults.length > 0) return { outcome, ...count, ...found };
        const run = await rootOf(project);
        if (outcome === "waiting") await project.answer(run, "yes");
        if (isCancelled && round === stops) await project.cancel(run);
      } finally {
        await project.close();
      }
    }
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

async function rootOf(project: Project): Promise<string> {
  return (await project.ports.journal.runs()).find((run) => !run.includes("."))!;
}

/** What the runs were charged with. After a kill a part of it is only known once the run is taken up again. */
async function inspect(project: Project, sent: number, isKilled: boolean) {
  const faults: string[] = [];
  const runs = await project.ports.journal.runs();
  let [recorded, inFlight] = [0, 0];
  for (const run of runs) {
    const { usage, ended } = await project.record(run);
    const events = await Array.fromAsync(project.events(run, { outlined: true }));
    inFlight += estimatesInFlight(events);
    if (!run.includes(".")) recorded = usage.tokens;
    const own = runs.filter((id) => id.startsWith(`${run}.`) && !id.includes(".", run.length + 1));
    const children = await Promise.all(own.map(async (id) => (await project.record(id)).usage.tokens));
    const below = children.reduce((sum, tokens) => sum + tokens, 0);
    // One that was killed, and whose parent was cancelled before it was taken up again, is charged for in the parent alone.
    if (ended && usage.tokens < below) faults.push(`${run} has ${usage.tokens} tokens, its children ${below}`);
    for (const event of events) {
      const numbers = "usage" in event && event.usage ? Object.values(event.usage) : [];
      if (!numbers.every((number) => Number.isFinite(number) && number >= 0))
        faults.push(`${run} event ${event.seq}: ${JSON.stringify(numbers)}`);
    }
  }
  if (recorded > sent + inFlight) faults.push(`${recorded} recorded, ${sent} sent and ${inFlight} in flight`);
  if (!isKilled && recorded < sent) faults.push(`${recorded} recorded, ${sent} sent`);
  return { sent, recorded, inFlight, faults };
}

/** The estimates of the calls of a run that were begun, less those of the calls whose answer is on record. */
function estimatesInFlight(events: readonly RecordedEvent[]): number {
  const begun = new Map<string, number[]>();
  for (const event of events) {
    if (!("visit" in event && "key" in event)) continue;
    const place = `${event.visit}/${event.key}`;
    const estimates = begun.get(place) ?? [];
    begun.set(place, estimates);
    if ("estimate" in event && event.estimate) estimates.push(event.estimate.tokens);
    if (event.type === "effect-finished") estimates.pop();
  }
  return [...begun.values()].flat().reduce((sum, tokens) => sum + tokens, 0);
}
