// The context of one visit, as phases see it. Bodies side by side get one each, whose keys begin with their own.

import type { ChildResult, Context, EndDetails, SpawnOptions } from "../context.ts";
import type { End, EndGate, Loop } from "../define.ts";
import { InfrastructureError } from "../errors.ts";
import { readVerdict } from "../judging/critics.ts";
import type { Model } from "../ports.ts";
import type { Ceilings, Ending } from "../record/events.ts";
import { slot } from "../record/fold.ts";
import { type Json, randomStream, sha256 } from "../record/json.ts";
import type { State } from "../record/patch.ts";
import { redactTexts } from "../record/redact.ts";
import type { ActiveRun } from "./active-run.ts";
import { runEffect, tellNow } from "./effects.ts";
import { askGate } from "./gate-calls.ts";
import type { RunResult } from "./runner.ts";
import { Halt, haltAt, type Notes, type Visit } from "./visit.ts";
import { type RunEffect, type WorkcellPool, workcellHandle } from "./workcells.ts";

/** What a context needs of the engine beside its visit. */
export interface Surroundings {
  workcells: WorkcellPool;
  child: DriveChild;
}

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
  const attempt = attemptOf(run);
  let time = start;
  let judged = 0;
  const told = new Map<string, number>();
  const see = (at: number) => {
    time = Math.max(time, at);
  };
  const effect: RunEffect = (key, spec, together) => quietly(runEffect(visit, prefix + key, spec, see, together));
  const isKnown = (key: string) => slot(prefix + key) in visit.effects;

  return {
    input,
    run: run.record.run,
    iteration: entry.iteration,
    given: run.record.given,
    answer: run.record.answer,
    reseeded: run.record.reseeded === true,
    project: run.ports.project,
    get ceilings() {
      return run.record.ceilings;
    },
    get signal() {
      return visit.signal;
    },
    clock: { now: () => time },
    to: (name, patch = {}) => ({ kind: "goto", to: name, patch }),
    end: (
      outcome: End["outcome"],
      details: EndDetails<Readonly<Record<string, Json>>> & { next?: string; gate?: EndGate; by?: unknown } = {},
    ) => {
      const { reason, patch = {}, ...more } = details;
      return { kind: "end", outcome, reason, patch, ...more } as End<never>;
    },
    verdict: (answer) => {
      const verdict = readVerdict(answer);
      judged += 1;
      const key = `${prefix}verdict ${judged}`;
      // A gate that came after it may have had it recorded, before the answer for which the visit is run again.
      if (!run.record.told?.[slot(key)])
        notes.noted.push({ type: "verdict-recorded", iteration: entry.iteration, verdict, key });
      takeVerdict(notes, verdict.verdict === "pass");
      return verdict;
    },
    effect: (key, spec) => effect(key, spec),
    all: async (bodies, { limit = Number.POSITIVE_INFINITY } = {}) => {
      await visit.guard();
      const scope = (key: string, own: Notes) => phaseContext(visit, around, input, `${prefix}${key}/`, time, own);
      const done = await sideBySide(bodies, limit, scope, () => visit.guard());
      for (const { at, own } of done) {
        see(at);
        notes.noted.push(...own.noted);
        if (own.allPass !== undefined) takeVerdict(notes, own.allPass);
        if (own.isAnswered) Object.assign(notes, { mayBeDone: own.mayBeDone, isAnswered: true });
      }
      return Object.fromEntries(done.map(({ key, value }) => [key, value])) as never;
    },
    model: (role) => ({
      call: (key, given) => {
        const request = redactTexts(given, run.ports.redact);
        return effect(key, {
          input: { role, request },
          estimate: () => modelFor(run, role, attempt).estimate(request),
          run: async (call) => {
            const answer = await modelFor(run, role, attempt).call(request, {
              ...call,
              ordinal: [...(attempt === undefined ? [] : [`attempt-${attempt}`]), entry.iteration, prefix + key].join(
                "/",
              ),
              load: (artifact) => run.ports.store.get(artifact.digest),
              wait: (ms) => run.ports.clock.wait(ms, call.signal),
              tellReplaced: (note) => tellNow(visit, `${prefix}${key} asks ${note.by}`, "model-replaced", note),
            });
            call.charge(answer.usage);
            return answer;
          },
        });
      },
    }),
    ask: (gate) => askGate(visit, prefix + gate.name, gate, notes, see) as never,
    spawn: (key, loop, childInput, options = {}) =>
      quietly(
        spawnChild(visit, around.child, effect, prefix, key, loop as unknown as Loop, childInput, options),
      ) as never,
    workcell: (kind, snapshot) => workcellHandle(around.workcells, run, kind, snapshot, effect, isKnown),
    save: async (name, bytes, place = "iteration") => {
      await visit.guard();
      const artifact = await run.save(name, bytes, place, entry.iteration);
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
    tell: (name, data) => {
      const nth = (told.get(name) ?? 0) + 1;
      told.set(name, nth);
      return tellNow(visit, `${prefix}${name}#${nth}`, name, data);
    },
  };
}

/** A promise that the phase need not await: it does not end the process when it rejects. */
function quietly<Result>(promise: Promise<Result>): Promise<Result> {
  promise.catch(() => {});
  return promise;
}

/** The worst verdict of a visit holds, in whatever order they come; what a person accepts after them still counts (L6). */
function takeVerdict(notes: Notes, isPass: boolean): void {
  notes.allPass = notes.allPass !== false && isPass;
  notes.mayBeDone = notes.allPass;
  notes.isAnswered = false;
}

/** Which of several attempts a run is, or belongs to. */
function attemptOf({ record, parent }: ActiveRun): number | undefined {
  const own = parent && /\/attempt-(\d+)$/.exec(record.folder)?.[1];
  return own === undefined ? parent && attemptOf(parent) : Number(own);
}

function modelFor(run: ActiveRun, role: string, attempt: number | undefined): Model {
  const model = run.ports.models?.(role, attempt);
  if (!model) throw new InfrastructureError("MODEL_UNKNOWN", `no model is configured for the role '${role}'`);
  return model;
}

interface Done {
  key: string;
  value: unknown;
  at: number;
  own: Notes;
}

/** Runs bodies with at most `limit` under way, each in a scope of its own, and waits for all of them, whatever becomes of each; the
 * first failure by key is thrown. */
async function sideBySide(
  bodies: Readonly<Record<string, (ctx: AnyContext) => Promise<unknown>>>,
  limit: number,
  scopeOf: (key: string, own: Notes) => AnyContext,
  guard: () => Promise<void>,
): Promise<Done[]> {
  const all = Object.entries(bodies);
  const results = new Array<PromiseSettledResult<Done>>(all.length);
  const queue = all.entries();
  const worker = async () => {
    for (const [index, [key, body]] of queue) {
      const own: Notes = { noted: [], mayBeDone: undefined };
      const scope = scopeOf(key, own);
      const run = async () => ({ key, value: await body(scope), at: scope.clock.now(), own });
      [results[index]] = await Promise.allSettled([run()]);
    }
  };
  await Promise.all(Array.from({ length: Math.min(limit >= 1 ? limit : 1, all.length) }, worker));
  await guard();
  return results.map((result) => {
    if (result.status === "rejected") throw result.reason;
    return result.value;
  });
}

// Child runs: started once, gone on with after a crash, and never run again once they have ended.
//
// L5: what a child uses counts against its parents' ceilings, from its first effect on, and is charged to them however it stops.

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
  ceilings?: Partial<Ceilings>;
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
  { attempt, ceilings, cancel }: SpawnOptions,
): Promise<ChildResult<State>> {
  const { run, entry } = visit;
  const full = prefix + key;
  const place = `${entry.visit}-${attempt === undefined ? fileName(full) : `attempt-${attempt}`}`;
  const folder = attempt === undefined ? `children/${place}` : `attempt-${String(attempt).padStart(3, "0")}`;
  const options: ChildOptions = {
    parent: run,
    key: full,
    folder: `${run.record.folder}/${folder}`,
    seed: Math.floor(randomStream(run.record.seed, "child", entry.visit, prefix, key)() * 2 ** 31),
    ...(ceilings && { ceilings }),
    signal: cancel ? AbortSignal.any([visit.signal, cancelling(cancel)]) : visit.signal,
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

/** The same signal, as a run that it is for reads it. */
function cancelling(cancel: AbortSignal): AbortSignal {
  const controller = new AbortController();
  const ending = { outcome: "cancelled", reason: "it could not win any more" } as const;
  const abort = () => controller.abort(new Halt({ kind: "ending", ending }));
  if (cancel.aborted) abort();
  else cancel.addEventListener("abort", abort, { once: true });
  return controller.signal;
}

/** A key as part of a file name and of a run's id: readable, and hardly ever the same for two keys. */
function fileName(key: string): string {
  const plain = key.replace(/[^A-Za-z0-9_-]+/g, "-");
  const isPlain = plain === key && !/-[0-9a-f]{6}$/.test(key);
  return isPlain ? plain : `${plain}-${sha256(key).slice(0, 6)}`;
}
