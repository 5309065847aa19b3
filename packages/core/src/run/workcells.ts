// Workcells of one process: a warm one that is idle is used again by its run, restored where it stands elsewhere. Work side by
// side gets one each, and no two runs ever share one.
//
// An E0 inside a workcell's effect is not the loop's business: the workcell is restarted from the snapshot and the
// effect made again under the next key; after too many restarts in one run the error goes up, and the run fails.

import { rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import type { EffectContext, EffectSpec, WorkcellHandle } from "../context.ts";
import { InfrastructureError, UsageError } from "../errors.ts";
import type { Workcell, WorkcellStart } from "../ports.ts";
import type { DurableEvent } from "../record/events.ts";
import type { RunRecord } from "../record/fold.ts";
import type { ActiveRun, Ports } from "./active-run.ts";

const MAX_RESTARTS = 3;
const STOP_LIMIT_MS = 5_000;

/** Runs an effect of a visit, and records something together with its beginning. */
export type RunEffect = <Result>(
  key: string,
  spec: EffectSpec<Result>,
  together?: readonly DurableEvent[],
) => Promise<Result>;

/** A workcell that is alive, and what it is there for. */
interface Kept {
  readonly run: string;
  readonly kind: string;
  readonly cell: Workcell;
  readonly folder: string | undefined;
  isLent: boolean;
}

/** The workcells that are alive: lent to one run each, stopped with it. */
export class WorkcellPool {
  readonly #kinds: Readonly<Record<string, WorkcellStart>>;
  readonly #kept = new Set<Kept>();
  #count = 0;

  constructor(kinds: Readonly<Record<string, WorkcellStart>> = {}) {
    this.#kinds = kinds;
  }

  /** Lends a run a workcell that stands at the snapshot (at its own beginning where there is none) while the work lasts. */
  async lend<T>(
    run: WorkcellUser,
    kind: string,
    snapshot: string | undefined,
    signal: AbortSignal,
    work: (cell: Workcell) => Promise<T>,
  ): Promise<T> {
    const idle = this.#idle(run).filter((kept) => kept.kind === kind);
    const found = idle.find(({ cell }) => cell.at === snapshot) ?? idle[0];
    if (found) found.isLent = true;
    const warm = snapshot === undefined ? undefined : found;
    if (found && !warm) await this.#stop(found);
    const kept = warm ?? (await this.#start(run, kind, snapshot, signal));
    const { cell } = kept;
    let isUsable = false;
    try {
      await warm?.cell.check(signal);
      if (snapshot !== undefined && cell.at !== snapshot) await cell.restore(snapshot);
      const result = await work(cell);
      isUsable = !signal.aborted;
      return result;
    } catch (error) {
      isUsable = !signal.aborted && !(error instanceof InfrastructureError);
      throw error;
    } finally {
      kept.isLent = false;
      if (!isUsable) await this.#stop(kept);
    }
  }

  #idle({ record }: WorkcellUser): Kept[] {
    return [...this.#kept].filter(({ run, isLent }) => run === record.run && !isLent);
  }

  async #start(
    { record, input, config: configuration, ports }: WorkcellUser,
    kind: string,
    snapshot: string | undefined,
    signal: AbortSignal,
  ): Promise<Kept> {
    const start = Object.hasOwn(this.#kinds, kind) ? this.#kinds[kind] : undefined;
    if (!start) throw new UsageError("WORKCELL_UNKNOWN", `no workcell of kind '${kind}' is configured`);
    const { run, attempt } = record;
    const folder =
      ports.project && join(workcellFolders(ports.project, run), `${kind}-${process.pid}-${++this.#count}`);
    // A process that was killed may have left one of that name.
    if (folder) rmSync(folder, { recursive: true, force: true });
    const scenes = ports.project && sceneFolder(ports.project, run);
    const cell = await start({ snapshot, signal, run, attempt, input, configuration, folder, scenes });
    const kept = { run, kind, cell, folder, isLent: true };
    this.#kept.add(kept);
    return kept;
  }

  /** Stops a workcell; what is left of its folder goes. */
  async #stop(kept: Kept): Promise<void> {
    this.#kept.delete(kept);
    await stop(kept.cell);
    if (kept.folder) rmSync(kept.folder, { recursive: true, force: true });
  }

  async release(run: WorkcellUser): Promise<void> {
    await Promise.all(this.#idle(run).map((kept) => this.#stop(kept)));
    const { record, ports } = run;
    if (ports.project) rmSync(workcellFolders(ports.project, record.run), { recursive: true, force: true });
  }

  async close(): Promise<void> {
    await Promise.all([...this.#kept].map((kept) => this.#stop(kept)));
  }
}

/** What is known of the run that a workcell serves. */
type WorkcellUser = Pick<ActiveRun, "input" | "config"> & {
  record: Pick<RunRecord, "run" | "attempt">;
  ports: Pick<Ports, "project">;
};

/** Where the workcells of a run have their folders. */
export function workcellFolders(project: string, run: string): string {
  return join(project, ".loopwright", "workcells", run);
}

/** Where a run's workcells keep scenes that the run may come back to; they outlive the workcells. */
export function sceneFolder(project: string, run: string): string {
  return join(project, ".loopwright", "scenes", run);
}

/** Stops a workcell, whether or not it still answers. */
async function stop(cell: Workcell): Promise<void> {
  await Promise.race([cell.stop().catch(() => {}), setTimeout(STOP_LIMIT_MS, undefined, { ref: false })]);
}

/** The handle that a phase gets: effects in one kind of workcell, from one snapshot. */
export function workcellHandle<Cell extends Workcell>(
  pool: WorkcellPool,
  user: ActiveRun,
  kind: string,
  snapshot: string | undefined,
  runEffect: RunEffect,
  isKnown: (key: string) => boolean,
): WorkcellHandle<Cell> {
  return {
    async effect(key, spec) {
      const run = (effect: EffectContext) =>
        pool.lend(user, kind, snapshot, effect.signal, (cell) => spec.run(cell as Cell, effect));
      let together: DurableEvent[] = [];
      for (let round = 1, name = key; ; name = `${key}~${++round}`) {
        try {
          return await runEffect(name, { ...spec, run }, together);
        } catch (error) {
          if (!(error instanceof InfrastructureError)) throw error;
          if (user.record.restarts >= MAX_RESTARTS && !isKnown(`${key}~${round + 1}`)) throw error;
          together = [{ type: "workcell-restarted", kind, reason: error.message }];
        }
      }
    },
  };
}
