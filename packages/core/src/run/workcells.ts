// Workcells of one process: a warm one that is idle is used again, restored where it stands elsewhere. Work side by side
// gets one each.
//
// An E0 inside a workcell's effect is not the loop's business: the workcell is restarted from the snapshot and the
// effect made again under the next key; after too many restarts in one run the error goes up, and the run fails.

import type { EffectContext, EffectSpec, WorkcellHandle } from "../context.ts";
import { InfrastructureError, UsageError } from "../errors.ts";
import type { Workcell, WorkcellStart } from "../ports.ts";
import type { DurableEvent } from "../record/events.ts";

export const MAX_RESTARTS = 3;
const STOP_LIMIT_MS = 5_000;

type RunEffect = <Result>(key: string, spec: EffectSpec<Result>, together?: readonly DurableEvent[]) => Promise<Result>;

export class WorkcellPool {
  readonly #kinds: Readonly<Record<string, WorkcellStart>>;
  readonly #idle = new Map<string, Workcell[]>();
  readonly #lent = new Set<Workcell>();

  constructor(kinds: Readonly<Record<string, WorkcellStart>> = {}) {
    this.#kinds = kinds;
  }

  /** Lends a workcell that stands at the snapshot (at its own beginning where there is none) while the work lasts. */
  async lend<T>(
    kind: string,
    snapshot: string | undefined,
    signal: AbortSignal,
    work: (cell: Workcell) => Promise<T>,
  ): Promise<T> {
    const idle = this.#takeIdle(kind, snapshot);
    const warm = snapshot === undefined ? undefined : idle;
    if (idle && !warm) await stop(idle);
    const cell = warm ?? (await this.#start(kind, snapshot, signal));
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
      if (isUsable) this.#idle.set(kind, [...(this.#idle.get(kind) ?? []), cell]);
      else await stop(cell);
    }
  }

  /** One that stands there already, else any. */
  #takeIdle(kind: string, snapshot: string | undefined): Workcell | undefined {
    const idle = this.#idle.get(kind) ?? [];
    const cell = idle.find(({ at }) => at === snapshot) ?? idle[0];
    this.#idle.set(
      kind,
      idle.filter((other) => other !== cell),
    );
    return cell;
  }

  #start(kind: string, snapshot: string | undefined, signal: AbortSignal): Promise<Workcell> {
    const start = Object.hasOwn(this.#kinds, kind) ? this.#kinds[kind] : undefined;
    if (!start) throw new UsageError("WORKCELL_UNKNOWN", `no workcell of kind '${kind}' is configured`);
    return start({ snapshot, signal });
  }

  async close(): Promise<void> {
    const all = [...this.#idle.values(), ...this.#lent].flat();
    this.#idle.clear();
    await Promise.all(all.map(stop));
  }
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
  kind: string,
  snapshot: string | undefined,
  runEffect: RunEffect,
  canRestart: (nextKey: string) => boolean,
): WorkcellHandle<Cell> {
  return {
    async effect(key, spec) {
      const run = (effect: EffectContext) =>
        pool.lend(kind, snapshot, effect.signal, (cell) => spec.run(cell as Cell, effect));
      let together: DurableEvent[] = [];
      for (let round = 1, name = key; ; name = `${key}~${++round}`) {
        try {
          return await runEffect(name, { ...spec, run }, together);
        } catch (error) {
          if (!(error instanceof InfrastructureError)) throw error;
          if (!canRestart(`${key}~${round + 1}`)) throw error;
          together = [{ type: "workcell-restarted", kind, reason: error.message }];
        }
      }
    },
  };
}
