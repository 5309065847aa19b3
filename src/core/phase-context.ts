// The context of one visit, as phases see it. Bodies side by side get one each, whose keys begin with their own.

import type { ActiveRun } from "./active-run.ts";
import { save } from "./artifacts.ts";
import type { CeilingHit, Usage } from "./ceilings.ts";
import type { ChildResult, Context, EffectSpec, EndDetails } from "./context.ts";
import type { End, EndGate, Loop } from "./define.ts";
import { runEffect } from "./effects.ts";
import { InfrastructureError } from "./errors.ts";
import type { DurableEvent } from "./events.ts";
import { slot } from "./fold.ts";
import { askGate } from "./gate-calls.ts";
import type { GateRecord } from "./gates.ts";
import type { Json } from "./json.ts";
import { plainJson, sha256 } from "./json.ts";
import type { Model } from "./ports.ts";
import { randomStream } from "./random.ts";
import { readVerdict } from "./verdicts.ts";
import { haltAt, type Notes, type Visit } from "./visit.ts";
import { MAX_RESTARTS, type WorkcellPool, workcellHandle } from "./workcells.ts";

/** What a context needs of the engine beside its visit. */
export interface Surroundings {
  workcells: WorkcellPool;
  /** Drives a child run until it stops. */
  child(loop: Loop, id: string, input: unknown, options: ChildOptions): Promise<ChildStop>;
}

export interface ChildOptions {
  parent: ActiveRun;
  key: string;
  folder: string;
  seed: number;
  signal: AbortSignal;
}

/** How a child run stopped; waiting is not an end. */
export type ChildStop =
  | { status: "waiting"; run: string; gate: GateRecord }
  | ({ status: "ended"; hit?: CeilingHit & { run: string }; usage: Usage } & ChildResult<Json>);

type AnyContext = Context<Json, Readonly<Record<string, Json>>>;

/** Makes the context of a visit, or of one body inside it. */
export function phaseContext(
  visit: Visit,
  around: Surroundings,
  input: Json,
  prefix = "",
  start = visit.run.record.entryAt,
  notes: Notes = visit,
): AnyContext {
  const { run, entry } = visit;
  let time = start;
  const see = (at: number) => {
    time = Math.max(time, at);
  };
  const effect = <Result>(key: string, spec: EffectSpec<Result>, together?: readonly DurableEvent[]) => {
    const result = runEffect(visit, prefix + key, spec, see, together);
    // One that the phase does not await must not end the process when it rejects.
    result.catch(() => {});
    return result;
  };
  const canRestart = (nextKey: string) =>
    run.record.restarts < MAX_RESTARTS || slot(prefix + nextKey) in run.record.effects;

  return {
    input,
    iteration: entry.iteration,
    get signal() {
      return visit.signal;
    },
    clock: { now: () => time },
    to: (name, patch = {}) => ({ kind: "goto", to: name, patch }),
    end: (
      outcome: End["outcome"],
      details: EndDetails<Readonly<Record<string, Json>>> & { next?: string; gate?: EndGate } = {},
    ) => {
      const { reason, patch = {}, next, gate } = details;
      return { kind: "end", outcome, reason, patch, ...(next && { next }), ...(gate && { gate }) } as End<never>;
    },
    verdict: (answer) => {
      const verdict = readVerdict(answer);
      notes.noted.push({ type: "verdict-recorded", iteration: entry.iteration, verdict });
      notes.mayBeDone = verdict.verdict === "pass";
      return verdict;
    },
    effect: (key, spec) => effect(key, spec),
    all: async (bodies, { limit = Number.POSITIVE_INFINITY } = {}) => {
      await visit.guard();
      const results = await inTurns(Object.entries(bodies), limit, async ([key, body]) => {
        const own: Notes = { noted: [], mayBeDone: undefined };
        const scope = phaseContext(visit, around, input, `${prefix}${key}/`, time, own);
        const value = await body(scope);
        return { key, value, at: scope.clock.now(), own };
      });
      if (visit.halted) await visit.guard();
      const done = results.map((result) => {
        if (result.status === "rejected") throw result.reason;
        return result.value;
      });
      for (const { at, own } of done) {
        see(at);
        notes.noted.push(...own.noted);
        notes.mayBeDone = own.mayBeDone ?? notes.mayBeDone;
      }
      return Object.fromEntries(done.map(({ key, value }) => [key, value])) as never;
    },
    model: (role) => ({
      call: (key, request) =>
        effect(key, {
          input: { role, request },
          estimate: () => modelFor(run, role).estimate(request),
          run: async (call) => {
            const answer = await modelFor(run, role).call(request, call);
            call.charge(answer.usage);
            return answer;
          },
        }),
    }),
    ask: (gate) => askGate(visit, prefix + gate.name, gate, notes, see) as never,
    spawn: (key, loop, childInput, options = {}) => {
      const name =
        options.attempt === undefined
          ? `children/${entry.visit}-${fileName(prefix + key)}`
          : `attempt-${String(options.attempt).padStart(3, "0")}`;
      const id = `${run.record.run}.${entry.visit}-${fileName(prefix + key)}`;
      const seed =
        options.seed ?? Math.floor(randomStream(run.record.seed, "child", entry.visit, prefix, key)() * 2 ** 31);
      const childOptions = {
        parent: run,
        key: prefix + key,
        folder: `${run.record.folder}/${name}`,
        seed,
        signal: visit.signal,
      };
      return effect(key, {
        input: { loop: loop.name, input: childInput },
        run: async (call) => {
          const stop = await around.child(loop as unknown as Loop, id, childInput, childOptions);
          if (stop.status === "waiting") {
            await run.commit([{ type: "child-waiting", key: prefix + key, child: stop.run, gate: stop.gate }]);
            throw visit.halt({ kind: "waiting", gate: stop.gate, child: stop.run });
          }
          const { status, hit, usage, ...result } = stop;
          if (stop.outcome === "interrupted") {
            throw visit.halt(haltAt(run, { outcome: "interrupted", reason: stop.reason, ...(hit && { hit }) }));
          }
          call.charge(usage);
          return result as never;
        },
      }).finally(() => run.children.delete(id));
    },
    workcell: (kind, snapshot) => workcellHandle(around.workcells, kind, snapshot, effect, canRestart),
    save: async (name, bytes) => {
      await visit.guard();
      const artifact = await save(run, name, bytes, entry.iteration);
      notes.noted.push({ type: "artifact-saved", artifact });
      return artifact;
    },
    load: async (artifact) => {
      await visit.guard();
      return run.ports.store.get(artifact.digest);
    },
    random: (name) => {
      const place = JSON.stringify([prefix, name]);
      const stream = visit.streams.get(place) ?? randomStream(run.record.seed, entry.visit, prefix, name);
      visit.streams.set(place, stream);
      return stream;
    },
    emit: (name, data) => {
      notes.noted.push({ type: "loop-noted", name, data: plainJson(data, `the note '${name}'`) });
    },
  };
}

function modelFor(run: ActiveRun, role: string): Model {
  const model = run.ports.models?.(role);
  if (!model) throw new InfrastructureError("MODEL_UNKNOWN", `no model is configured for the role '${role}'`);
  return model;
}

/** Runs tasks with at most `limit` under way, and waits for all of them, whatever becomes of each. */
async function inTurns<Item, Result>(
  items: readonly Item[],
  limit: number,
  task: (item: Item) => Promise<Result>,
): Promise<PromiseSettledResult<Result>[]> {
  const results = new Array<PromiseSettledResult<Result>>(items.length);
  const queue = items.entries();
  const worker = async () => {
    for (const [index, item] of queue) {
      const [result] = await Promise.allSettled([task(item)]);
      results[index] = result;
    }
  };
  await Promise.all(Array.from({ length: Math.min(limit >= 1 ? limit : 1, items.length) }, worker));
  return results;
}

/** A key as part of a file name and of a run's id: readable, and never the same for two keys. */
function fileName(key: string): string {
  const plain = key.replace(/[^A-Za-z0-9_-]+/g, "-");
  return plain === key ? plain : `${plain}-${sha256(key).slice(0, 6)}`;
}
