// Child runs: started once, gone on with after a crash, and never run again once they have ended.
//
// L5: what a child uses counts against its parents' ceilings, from its first effect on, and is charged to them however it stops.

import type { ChildResult, SpawnOptions } from "../context.ts";
import type { Loop } from "../define.ts";
import { randomStream } from "../random.ts";
import type { Ending } from "../record/events.ts";
import { sha256 } from "../record/json.ts";
import type { State } from "../record/patch.ts";
import type { ActiveRun } from "./active-run.ts";
import type { RunResult } from "./runner.ts";
import { haltAt, type Visit } from "./visit.ts";
import type { RunEffect } from "./workcells.ts";

/** Drives a child run until it stops; the ceiling that stopped it, if one did. */
export type DriveChild = (
  loop: Loop,
  id: string,
  input: unknown,
  options: ChildOptions,
) => Promise<{ result: RunResult; hit: Ending["hit"] }>;

export interface ChildOptions {
  parent: ActiveRun;
  key: string;
  folder: string;
  seed: number;
  signal: AbortSignal;
}

/** A child run as an effect of its parent's visit. Its id follows from the parent's, the visit and the key. */
export async function spawnChild(
  visit: Visit,
  drive: DriveChild,
  effect: RunEffect,
  prefix: string,
  key: string,
  loop: Loop,
  input: unknown,
  { attempt }: SpawnOptions,
): Promise<ChildResult<State>> {
  const { run, entry } = visit;
  const full = prefix + key;
  const place = `${entry.visit}-${fileName(full)}`;
  const folder = attempt === undefined ? `children/${place}` : `attempt-${String(attempt).padStart(3, "0")}`;
  const options: ChildOptions = {
    parent: run,
    key: full,
    folder: `${run.record.folder}/${folder}`,
    seed: Math.floor(randomStream(run.record.seed, "child", entry.visit, prefix, key)() * 2 ** 31),
    signal: visit.signal,
  };
  const id = `${run.record.run}.${place}`;
  return effect(key, {
    input: { loop: loop.name, input },
    run: async () => {
      const { result, hit } = await drive(loop, id, input, options);
      const { outcome, reason, iterations, score, state, gate } = result;
      if (outcome === "waiting") {
        await run.commit([{ type: "child-waiting", key: full, child: gate!.run, gate: gate! }]);
        throw visit.halt({ kind: "waiting", gate: gate!, child: gate!.run });
      }
      if (outcome === "interrupted") throw visit.halt(haltAt(run, { outcome, reason, ...(hit && { hit }) }));
      return { run: id, outcome, reason, iterations, score, state };
    },
  }).finally(() => run.children.delete(full));
}

/** A key as part of a file name and of a run's id: readable, and hardly ever the same for two keys. */
function fileName(key: string): string {
  const plain = key.replace(/[^A-Za-z0-9_-]+/g, "-");
  const isPlain = plain === key && !/-[0-9a-f]{6}$/.test(key);
  return isPlain ? plain : `${plain}-${sha256(key).slice(0, 6)}`;
}
