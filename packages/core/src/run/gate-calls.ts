// Asking: how a phase comes to an answer, or waits for one.
//
// The answer is moved into the chain here, by the run's writer, after what it is about was looked at again (L4).

import { type Answer, answerSignalId, checkChoice, digestAbout, type GateSpec, isExpired, openGate } from "../gates.ts";
import type { AnswerRecord, DurableEvent, GateRecord } from "../record/events.ts";
import { mayBeDoneAfter, slot } from "../record/fold.ts";
import type { ActiveRun } from "./active-run.ts";
import { claimKey } from "./effects.ts";
import { worstLast } from "./transitions.ts";
import type { Notes, Visit } from "./visit.ts";

/** The answer to a gate of this visit; the visit is halted until there is one. */
export async function askGate(
  visit: Visit,
  key: string,
  spec: GateSpec,
  notes: Notes,
  seen: (at: number) => void,
): Promise<Answer> {
  await visit.guard();
  claimKey(visit, key);
  const { run } = visit;
  const known = run.record.gates[slot(key)];
  if (known?.answer) return give(notes, known, known.answer, seen);

  const gate = await gateFor(visit, key, spec, notes);
  const found = await findAnswer(run, gate);
  if (!found) throw visit.halt({ kind: "waiting", gate });
  await run.commit([{ type: "gate-answered", key, id: gate.id, name: gate.name, answer: found.answer }], found.taken);
  return give(notes, gate, found.answer, seen);
}

/** The gate as it is open, or a new one where it was never opened or is now about something else. */
async function gateFor(visit: Visit, key: string, spec: GateSpec, notes: Notes): Promise<GateRecord> {
  const { run, entry } = visit;
  const about = await digestAbout(spec.about);
  const open = run.record.gates[slot(key)];
  if (open?.about === about) return open;
  const count = open ? Number(open.id.slice(open.id.lastIndexOf("#") + 1)) + 1 : 1;
  const gate = openGate(spec, `${key}@${entry.visit}#${count}`, about, Math.max(run.ports.clock.now(), run.record.at));
  const stale =
    open && (await run.ports.journal.signals(run.record.run)).find((signal) => signal.id === answerSignalId(open));
  // Whoever is asked can look at what was saved and judged for it, while the phase still waits.
  const events: DurableEvent[] = [...worstLast(notes.noted.splice(0)), { type: "gate-opened", key, gate }];
  if (open && stale?.body.kind === "answer") {
    const reason = "what it was asked about has changed since";
    events.unshift({ type: "answer-refused", id: open.id, choice: stale.body.choice, reason });
  }
  await run.commit(events, stale ? [stale.id] : []);
  return gate;
}

/** A person's answer, else the policy's, else the default of a gate whose time is over. */
export async function findAnswer(
  { ports, record }: ActiveRun,
  gate: GateRecord,
  owner: string = record.run,
): Promise<{ answer: AnswerRecord; taken: string[] } | undefined> {
  const signal = (await ports.journal.signals(owner)).find(({ id }) => id === answerSignalId(gate));
  const now = Math.max(ports.clock.now(), record.at);
  if (signal?.body.kind === "answer") {
    const { choice, note } = signal.body;
    checkChoice(gate, choice);
    const answer = { choice, ...(note !== undefined && { note }), by: "person" as const, at: Math.min(signal.at, now) };
    return { answer, taken: [signal.id] };
  }
  if (isExpired(gate, now)) return { answer: { choice: gate.default, by: "expiry", at: now }, taken: [] };
  const policy = ports.answers?.(gate);
  if (policy) checkChoice(gate, policy.choice);
  return policy && { answer: { ...policy, at: now }, taken: [] };
}

function give(notes: Notes, gate: GateRecord, { choice, note, at }: AnswerRecord, seen: (at: number) => void): Answer {
  seen(at);
  notes.mayBeDone = mayBeDoneAfter(gate, choice, notes.mayBeDone);
  if (gate.accepting.length > 0) notes.isAnswered = true;
  return { choice, ...(note !== undefined && { note }) };
}
