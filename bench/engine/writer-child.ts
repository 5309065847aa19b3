// One of many writers on one journal: writer-child.ts <journal> <name> <seconds>
//
// It drives a run of its own from the moment its parent says so, and reports how it went.

import { Engine, type Journal, SqliteJournal } from "@loopwright/core";
import { draftLoop, emptyFeed } from "./loops.ts";
import { ceilings, portsOn } from "./ports.ts";
import { proseWriter } from "./prose.ts";
import { TASK_SIZE, textsOf } from "./texts.ts";

/** What a writer has to say in the end. */
export interface WriterReport {
  phases: number;
  worstMs: number;
  error?: string;
}

const ITERATIONS = 600;
const [path, name, seconds] = process.argv.slice(2) as [string, string, string];
const report: WriterReport = { phases: 0, worstMs: 0 };

/** A journal whose longest append is noted. */
function timed(journal: Journal): Journal {
  return new Proxy(journal, {
    get: (target, property: keyof Journal) => {
      if (property === "outbox") return target[property];
      if (property !== "append") return target[property].bind(target);
      return async (...given: Parameters<Journal["append"]>) => {
        const from = performance.now();
        return await target.append(...given).finally(() => {
          report.worstMs = Math.max(report.worstMs, performance.now() - from);
        });
      };
    },
  });
}

const feed = { ...emptyFeed(), texts: textsOf(name, ITERATIONS) };
const task = proseWriter("task")(TASK_SIZE);
process.once("message", async () => {
  try {
    const engine = new Engine(portsOn(timed(await SqliteJournal.open(path))));
    const options = { slug: name, ceilings: ceilings(ITERATIONS), signal: AbortSignal.timeout(Number(seconds) * 1000) };
    const { outcome, reason } = await engine.start(draftLoop(feed), { task }, options);
    if (outcome !== "interrupted") report.error = `it stopped early: ${reason}`;
    await engine.close();
  } catch (error) {
    report.error = error instanceof Error ? error.message : String(error);
  }
  process.send!({ ...report, phases: feed.phases }, () => process.disconnect!());
});
process.send!("ready");
