// Workcells of one process: a warm one that is idle is used again by its run, restored where it stands elsewhere. Work side by
// side gets one each, and no two runs ever share one.
//
// An E0 inside a workcell's effect is not the loop's business: the workcell is restarted from the snapshot and the
// effect made again under the next key; after too many restarts in one run the error goes up, and the run fails.

import { rmSync } from "node:fs";
import { join } from "node:path";
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

/** The workcells that are alive: lent to one run each, stopped with it. */
export class WorkcellPool {
  readonly #kinds: Readonly<Record<string, WorkcellStart>>;
  readonly #idle = new Map<string, Workcell[]>();
  readonly #lent = new Set<Workcell>();
  readonly #folders = new WeakMap<Workcell, string>();
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
    const place = placeOf(run, kind);
    const idle = this.#takeIdle(place, snapshot);
    const warm = snapshot === undefined ? undefined : idle;
    if (idle && !warm) await this.#stop(idle);
    const cell = warm ?? (await this.#start(run, kind, snapshot, signal));
    this.#lent.add(cell);
    let isUsable = false;
    try {
      await warm?.check(signal);
      if (snapshot !== undefined && cell.at !== snapshot) await cell.restore(snapshot);
      const result = await work(cell);
      isUsable = !signal.aborted;
      return result;
    } catch (error) {
      isUsable = !signal.aborted && !(error instanceof InfrastructureError);
      throw error;
    } finally {
      this.#lent.delete(cell);
      if (isUsable) this.#idle.set(place, [...(this.#idle.get(place) ?? []), cell]);
      else await this.#stop(cell);
    }
  }

  /** One that stands there already, else any. */
  #takeIdle(place: string, snapshot: string | undefined): Workcell | undefined {
    const idle = this.#idle.get(place) ?? [];
    const cell = idle.find(({ at }) => at === snapshot) ?? idle[0];
    this.#idle.set(
      place,
      idle.filter((other) => other !== cell),
    );
    return cell;
  }

  async #start(
    { record, input, config: configuration, ports }: WorkcellUser,
    kind: string,
    snapshot: string | undefined,
    signal: AbortSignal,
  ): Promise<Workcell> {
    const start = Object.hasOwn(this.#kinds, kind) ? this.#kinds[kind] : undefined;
    if (!start) throw new UsageError("WORKCELL_UNKNOWN", `no workcell of kind '${kind}' is configured`);
    const { run, attempt } = record;
    const folder =
      ports.project && join(workcellFolders(ports.project, run), `${kind}-${process.pid}-${++this.#count}`);
    // A process that was killed may have left one of that name.
    if (folder) rmSync(folder, { recursive: true, force: true });
    const cell = await start({ snapshot, signal, run, attempt, input, configuration, folder });
    if (folder) this.#folders.set(cell, folder);
    return cell;
  }

  /** Stops a workcell; what is left of its folder goes. */
  async #stop(cell: Workcell): Promise<void> {
    await stop(cell);
    const folder = this.#folders.get(cell);
    if (folder) rmSync(folder, { recursive: true, force: true });
  }

  async release(run: WorkcellUser): Promise<void> {
    const places = [...this.#idle.keys()].filter((place) => place.startsWith(placeOf(run, "")));
    const cells = places.flatMap((place) => this.#idle.get(place) ?? []);
    for (const place of places) this.#idle.delete(place);
    await Promise.all(cells.map((cell) => this.#stop(cell)));
    const { record, ports } = run;
    if (ports.project) rmSync(workcellFolders(ports.project, record.run), { recursive: true, force: true });
  }

  async close(): Promise<void> {
    const all = [...this.#idle.values(), ...this.#lent].flat();
    this.#idle.clear();
    await Promise.all(all.map((cell) => this.#stop(cell)));
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

function placeOf({ record }: WorkcellUser, kind: string): string {
  return `${record.run}\n${kind}`;
}

/** Stops a workcell, whether or not it still answers. */
async function stop(cell: Workcell): Promise<void> {
  const late = AbortSignal.timeout(STOP_LIMIT_MS);
  const gone = new Promise<void>((resolve) => late.addEventListener("abort", () => resolve()));
  await Promise.race([cell.stop().catch(() => {}), gone]);
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
