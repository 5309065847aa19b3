// Effects: calls to the outside, made once.
//
// L1: the intent is journaled before the body starts, the result before anything can see it.
// L2: a recorded result is given back without a call; one in flight at a crash runs again with the same key and is
//     told so; a failure is journaled and thrown again on replay.
// L8: a key occurs once per visit, and the input of one that has a result may not change; one that was only in flight is made
//     again with what its input is now, and the journal says so.

import type { EffectContext, EffectSpec } from "../context.ts";
import { errorToRecord, LoopwrightError, recordToError } from "../errors.ts";
import { inline } from "../record/chain.ts";
import type { DurableEvent, ErrorRecord, Usage } from "../record/events.ts";
import { type EffectRecord, slot } from "../record/fold.ts";
import { digestOf, type Json, plainJson, sha256 } from "../record/json.ts";
import { redactEvent, redactTexts } from "../record/redact.ts";
import { addUsage, checkUsage, isUsed, noUsage } from "../rules/ceilings.ts";
import { Halt, interruption, type Visit } from "./visit.ts";

/** Runs an effect of a visit, or gives back what is recorded of it. `seen` is told the time of the result. */
export async function runEffect<Result>(
  visit: Visit,
  key: string,
  spec: EffectSpec<Result>,
  seen: (at: number) => void,
  together: readonly DurableEvent[] = [],
): Promise<Result> {
  await visit.guard();
  claimKey(visit, key);
  const input = plainJson(spec.input ?? null, `the input of effect '${key}'`);
  const digest = digestOf(input);
  const known = visit.effects[slot(key)];
  const isChanged = known !== undefined && known.digest !== digest;
  if (isChanged && known.status !== "started")
    throw visit.halt({ kind: "fault", error: changed(key, "its input is not what it was") });
  try {
    if (known && known.status !== "started") return (await replay(visit, key, known)) as Result;
    const given = (typeof spec.estimate === "function" ? spec.estimate() : spec.estimate) ?? {};
    const estimate = addUsage(noUsage, checkUsage(given));
    visit.checkAct(estimate);
    const tries = (known?.tries ?? 0) + 1;
    const started: DurableEvent = {
      ...{ type: "effect-started", visit: visit.entry.visit, key, tries, input, digest },
      ...(isUsed(estimate) && { estimate }),
      ...(isChanged && { inputChanged: true }),
    };
    return (await visit.during(async () => {
      await reserve(visit, estimate, known ? [started] : [...together, started]);
      return carryOut(visit, key, digest, spec, estimate, tries, known !== undefined);
    })) as Result;
  } finally {
    const settled = visit.effects[slot(key)];
    if (settled && settled.status !== "started") seen(settled.at);
  }
}

/** What every try of an effect has in common, and no other effect has. */
export function idempotencyKeyOf(
  run: string,
  { visit, key, digest }: { visit: number; key: string; digest: string },
): string {
  return sha256(`${run}\n${visit}\n${key}\n${digest}`).slice(0, 32);
}

/** Records a note of the loop's own at once; one that an earlier try of the visit has told is not told again. */
export async function tellNow(visit: Visit, key: string, name: string, data: Json): Promise<void> {
  await visit.guard();
  const note: DurableEvent = { type: "loop-noted", key, name, data: plainJson(data, `the note '${name}'`) };
  if (visit.run.record.told?.[slot(key)]) return;
  await visit.during(() => write(visit, [note]));
}

/** Marks a key as asked for; a second time in one visit is a fault of the loop. */
export function claimKey(visit: Visit, key: string): void {
  if (visit.asked.has(key)) {
    const error = new LoopwrightError(
      "KEY_REUSED",
      `the key '${key}' is used twice in one visit of phase '${visit.entry.phase}'`,
    );
    throw visit.halt({ kind: "fault", error });
  }
  visit.asked.add(key);
}

/** A recorded key that the phase no longer asks for means that its code has changed in the middle of a visit. */
export function checkAsked(visit: Visit): void {
  const { effects, gates } = visit.run.record;
  const left = [...Object.keys(effects), ...Object.keys(gates)].find((place) => !visit.asked.has(place.slice(1)));
  if (left !== undefined) throw changed(left.slice(1), "it is recorded, and the phase no longer asks for it");
}

async function carryOut(
  visit: Visit,
  key: string,
  digest: string,
  spec: EffectSpec<unknown>,
  estimate: Usage,
  tries: number,
  mayHaveRun: boolean,
): Promise<Json> {
  const { run, entry } = visit;
  const saved: DurableEvent[] = [];
  const account = openAccount(visit, key, estimate);
  const context: EffectContext = {
    idempotencyKey: idempotencyKeyOf(run.record.run, { visit: entry.visit, key, digest }),
    mayHaveRun,
    tries,
    get signal() {
      return visit.signal;
    },
    save: async (name, bytes, place = "iteration") => {
      const artifact = await run.save(name, bytes, place, entry.iteration);
      saved.push({ type: "artifact-saved", artifact });
      return artifact;
    },
    progress: (data) => run.show({ type: "progress", key, data }),
    charge: account.charge,
    again: account.again,
  };
  const { redact } = run.ports;
  const body = settle(async () => {
    const result = plainJson((await spec.run(context)) ?? null, `the result of effect '${key}'`);
    return redactTexts(result, redact);
  });
  const end = await Promise.race([body, visit.halting.then(() => "halted" as const)]);
  const usage = account.close();
  const common = { visit: entry.visit, key, ...(usage && { usage }) };
  if (end === "halted" || visit.closed || ("error" in end && (visit.aborted || end.error instanceof Halt))) {
    if (usage && !visit.closed) await write(visit, [{ type: "effect-charged", ...common, usage }]);
    throw visit.halt(visit.halted ?? interruption("its visit is over"));
  }
  try {
    if ("error" in end) throw end.error;
    await write(visit, [...saved, { type: "effect-finished", ...common, result: end.value }]);
    return end.value;
  } catch (error) {
    if (error instanceof Halt) throw error;
    const { error: failure } = redactEvent({ error: errorToRecord(error) }, redact);
    await write(visit, [...saved, { type: "effect-failed", ...common, error: failure }]);
    throw thrown(visit, key, failure);
  }
}

/** What an effect charges while it is under way, and what its child run has used (L5). */
function openAccount(visit: Visit, key: string, estimate: Usage) {
  const { run, entry } = visit;
  let usage: Usage | undefined;
  let isOpen = true;
  let hasCharged = false;
  const add = (more: Partial<Usage>) => {
    usage = addUsage(usage ?? noUsage, more);
    hasCharged = true;
  };
  const take = () => {
    const taken = usage;
    usage = undefined;
    return taken;
  };
  const charged = () => ({ type: "effect-charged", visit: entry.visit, key, usage: take() ?? noUsage }) as const;
  return {
    charge: (more: Partial<Usage>) => {
      if (!isOpen) return;
      try {
        add(checkUsage(more));
      } catch (error) {
        add(estimate);
        throw error;
      }
      // An effect that ends at once has its charge beside its result; one that goes on must not lose it.
      setImmediate(() => {
        if (usage && !visit.closed) write(visit, [charged()]).catch(() => {});
      });
    },
    again: async () => {
      await visit.guard();
      if (!hasCharged) return;
      visit.checkAct(estimate);
      hasCharged = false;
      await reserve(visit, estimate, [{ ...charged(), estimate }]);
    },
    /** What is not on record yet. */
    close: () => {
      isOpen = false;
      if (isUsed(run.owed(key))) add(run.owed(key));
      return take();
    },
  };
}

async function settle(body: () => Promise<Json>): Promise<{ value: Json } | { error: unknown }> {
  try {
    return { value: await body() };
  } catch (error) {
    return { error };
  }
}

async function replay(
  visit: Visit,
  key: string,
  known: EffectRecord & { status: "finished" | "failed" },
): Promise<Json> {
  if (known.status === "failed") throw thrown(visit, key, known.error);
  return inline(known.result, visit.run.ports.journal);
}

/** A failure as the phase gets it: the same the first time and on every replay. */
function thrown(visit: Visit, key: string, failure: ErrorRecord): Error {
  const error = recordToError(failure);
  visit.thrownBy.set(error, key);
  return error;
}

/** Commits what says that so much may be used; it counts from now on. */
async function reserve(visit: Visit, estimate: Usage, events: readonly DurableEvent[]): Promise<void> {
  visit.run.reserved.add(estimate);
  try {
    await write(visit, events);
  } finally {
    visit.run.reserved.delete(estimate);
  }
}

/** Commits; a commit that fails ends the visit, since nothing more can be recorded. */
async function write(visit: Visit, events: readonly DurableEvent[]): Promise<void> {
  try {
    await visit.run.commit(events);
  } catch (error) {
    if (error instanceof LoopwrightError && (error.code === "VALUE_TOO_LARGE" || error.code === "NOT_PLAIN_JSON"))
      throw error;
    throw visit.halt({ kind: "fault", error });
  }
}

function changed(key: string, how: string): LoopwrightError {
  const message = `effect '${key}' has changed under a visit that is half done: ${how}. Run it with the loop as it was, or fork the run at an earlier iteration.`;
  return new LoopwrightError("EFFECT_CHANGED", message);
}
