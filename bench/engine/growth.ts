// How many bytes an iteration leaves in the database, and whether that or its time grows with the history.
//
// Bytes are pages of the file, the log written back: what a closed database holds. Windows are counted in iterations.
// The late window of the bytes is wide, because a fold is kept only now and then and must be in it.

import { statSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { SqliteJournal } from "@loopwright/core";
import type { Figures } from "../run.ts";
import { gaps, median, rounded, say } from "./figures.ts";
import { draftLoop, emptyFeed, historyLoop } from "./loops.ts";
import { ceilings, engineOn } from "./ports.ts";
import { proseWriter } from "./prose.ts";
import { sizeOf, TASK_SIZE, textsOf } from "./texts.ts";

const ITERATIONS = 400;
const TIME_WINDOWS = { early: [5, 25], late: [980, 1_020] } as const;
const BYTE_WINDOWS = { early: [5, 25], late: [900, 1_100] } as const;
const task = proseWriter("task")(TASK_SIZE);

/** The growth of the file over many iterations of the loop whose texts are replaced. */
export async function measureBytes(folder: string): Promise<Figures> {
  const path = join(folder, "bytes.db");
  await (await SqliteJournal.open(path)).close();
  const before = statSync(path).size;
  const feed = { ...emptyFeed(), texts: textsOf("bytes", ITERATIONS) };
  const engine = await engineOn(path);
  await engine.start(draftLoop(feed), { task }, { ceilings: ceilings(ITERATIONS) });
  await engine.close();
  const written = (statSync(path).size - before) / ITERATIONS;
  const payload = feed.texts.reduce((sum, texts) => sum + sizeOf(texts), 0) / ITERATIONS;
  return { bytes_per_iteration: rounded(written), bytes_ratio_to_payload: rounded(written / payload, 3) };
}

/** Bytes and time of an iteration around the 1,000th against one around the 10th, with a history without bound. */
export async function measureGrowth(folder: string, runs: number): Promise<Figures> {
  const bytes = await bytesGrowth(join(folder, "growth-bytes.db"));
  const times: number[] = [];
  for (let run = 1; run <= runs; run++) times.push(await timeGrowth(join(folder, `growth-${run}.db`)));
  say(`time growth of each run: ${times.map((time) => time.toFixed(2)).join(" ")}`);
  return { bytes_growth_10_to_1000: rounded(bytes, 3), time_growth_10_to_1000: rounded(median(times), 3) };
}

async function bytesGrowth(path: string): Promise<number> {
  const engine = await engineOn(path);
  const watch = new DatabaseSync(path, { readOnly: true });
  const { page_size: pageSize } = watch.prepare("PRAGMA page_size").get() as { page_size: number };
  const sizes: number[] = [];
  const feed = { ...emptyFeed(), texts: textsOf("growth", BYTE_WINDOWS.late[1]) };
  const loop = historyLoop(feed, (iteration) => {
    const { page_count: pages } = watch.prepare("PRAGMA page_count").get() as { page_count: number };
    sizes[iteration] = pages * pageSize;
  });
  await engine.start(loop, { task }, { ceilings: ceilings(feed.texts.length) });
  watch.close();
  await engine.close();
  const perIteration = ([from, to]: readonly [number, number]) => (sizes[to]! - sizes[from]!) / (to - from);
  const [early, late] = [perIteration(BYTE_WINDOWS.early), perIteration(BYTE_WINDOWS.late)];
  say(`bytes of an iteration with a growing history: ${Math.round(early)} early, ${Math.round(late)} late`);
  return late / early;
}

/** One run in a file that another run has brought to its steady state; early and late are compared inside the run. */
async function timeGrowth(path: string): Promise<number> {
  const engine = await engineOn(path);
  const feed = { ...emptyFeed(), texts: textsOf("warm-up", 300) };
  const loop = historyLoop(feed);
  await engine.start(loop, { task }, { ceilings: ceilings(feed.texts.length) });
  Object.assign(feed, { texts: textsOf(path, TIME_WINDOWS.late[1] + 1), marks: [] });
  await engine.start(loop, { task }, { ceilings: ceilings(feed.texts.length) });
  await engine.close();
  const times = gaps(feed.marks);
  const middle = ([from, to]: readonly [number, number]) => median(times.slice(from - 1, to));
  return middle(TIME_WINDOWS.late) / middle(TIME_WINDOWS.early);
}
