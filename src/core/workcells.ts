// Workcells of one process: a warm one is used again when it stands at the snapshot asked for, else restored.
//
// An E0 inside a workcell's effect is not the loop's business: the workcell is restarted from the snapshot and the
// effect made again under the next key; after too many restarts in one run the error goes up, and the run fails.

import type { EffectContext, EffectSpec, WorkcellHandle } from "./context.ts";
import { InfrastructureError, UsageError } from "./errors.ts";
import type { DurableEvent } from "./events.ts";
import type { Workcell, WorkcellStart } from "./ports.ts";

export const MAX_RESTARTS = 3;
const STOP_LIMIT_MS = 5_000;

type RunEffect = <Result>(key: string, spec: EffectSpec<Result>, together?: readonly DurableEvent[]) => Promise<Result>;

export class WorkcellPool {
  readonly #kinds: Readonly<Record<string, WorkcellStart>>;
  readonly #warm = new Map<string, Workcell>();

  constructor(kinds: Readonly<Record<string, WorkcellStart>> = {}) {
    this.#kinds = kinds;
  }

  /** A workcell that stands at the snapshot; at its own beginning where there is none. */
  async at(kind: string, snapshot: string | undefined, signal: AbortSignal): Promise<Workcell> {
    const start = this.#kinds[kind];
    if (!start) throw new UsageError("WORKCELL_UNKNOWN", `no workcell of kind '${kind}' is configured`);
    const warm = this.#warm.get(kind);
    if (warm && snapshot !== undefined) {
      await warm.check(signal);
      if (warm.at !== snapshot) await warm.restore(snapshot);
      return warm;
    }
    await this.drop(kind);
    const cell = await start({ snapshot, signal });
    this.#warm.set(kind, cell);
    return cell;
  }

  /** Stops the workcell of a kind, whether or not it still answers. */
  async drop(kind: string): Promise<void> {
    const cell = this.#warm.get(kind);
    this.#warm.delete(kind);
    if (!cell) return;
    const limit = AbortSignal.timeout(STOP_LIMIT_MS);
    const late = new Promise<void>((resolve) => limit.addEventListener("abort", () => resolve()));
    await Promise.race([cell.stop().catch(() => {}), late]);
  }

  async close(): Promise<void> {
    await Promise.all([...this.#warm.keys()].map((kind) => this.drop(kind)));
  }
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
      const run = async (effect: EffectContext) =>
        spec.run((await pool.at(kind, snapshot, effect.signal)) as Cell, effect);
      let together: DurableEvent[] = [];
      for (let round = 1, name = key; ; name = `${key}~${++round}`) {
        try {
          return await runEffect(name, { ...spec, run }, together);
        } catch (error) {
          if (!(error instanceof InfrastructureError)) throw error;
          await pool.drop(kind);
          if (!canRestart(`${key}~${round + 1}`)) throw error;
          together = [{ type: "workcell-restarted", kind, reason: error.message }];
        }
      }
    },
  };
}
