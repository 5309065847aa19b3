// Gates: durable questions to a person. A run can wait at one for days with no process alive.
//
// An answer names its gate's id, so that it counts once and never for another question. A gate remembers the digest
// of what it was about; the resumed phase recomputes it, and a gate about something else is a new gate.

import { UsageError } from "./errors.ts";
import type { GateRecord } from "./record/events.ts";
import { digestOf, type Json, plainJson } from "./record/json.ts";

/** A question to a person. */
export interface GateSpec<Choice extends string = string> {
  /** What people call it by; once per visit. */
  name: string;
  question: string;
  choices: readonly Choice[];
  /** The choice that loses nothing: taken at expiry, and by a policy that takes defaults. */
  default: NoInfer<Choice>;
  /** The choices that accept the result, so that the run may end as done. */
  accepting?: readonly NoInfer<Choice>[];
  /** What is being asked about. A function is called again when an answer comes, to see whether it still holds. */
  about?: Json | (() => Json | Promise<Json>);
  /** Seconds after which the default is taken; without it, never. */
  expiresIn?: number;
}

/** What a phase gets for its question. */
export interface Answer<Choice extends string = string> {
  choice: Choice;
  note?: string;
}

/** What a policy says at once to a gate that is about to wait. */
export type AnswerPolicy = (gate: GateRecord) => (Answer & { by: "flag" | "default" }) | undefined;

/** The digest of what a gate is about. */
export async function digestAbout(about: GateSpec["about"]): Promise<string> {
  const value = typeof about === "function" ? await about() : about;
  return digestOf(plainJson(value ?? null, "about"));
}

/** A new gate from its specification. */
export function openGate(spec: GateSpec, id: string, about: string, at: number): GateRecord {
  const { name, question, choices, accepting = [], expiresIn } = spec;
  const asked = { name, question, choices: [...choices], default: spec.default, accepting: [...accepting] };
  const gate: GateRecord = { id, ...asked, about, openedAt: at };
  for (const choice of [gate.default, ...gate.accepting]) checkChoice(gate, choice);
  if (expiresIn !== undefined && Number.isFinite(expiresIn)) gate.expiresAt = at + expiresIn * 1000;
  return gate;
}

/** Refuses a choice that the gate does not offer. */
export function checkChoice(gate: GateRecord, choice: string): void {
  if (gate.choices.includes(choice)) return;
  const known = gate.choices.map((c) => `'${c}'`).join(", ");
  throw new UsageError("CHOICE_UNKNOWN", `the gate '${gate.name}' does not offer '${choice}'; it offers ${known}`);
}

/** Whether a gate's time is over. */
export function isExpired(gate: GateRecord, now: number): boolean {
  return gate.expiresAt !== undefined && now >= gate.expiresAt;
}

/** The id of the signal that answers a gate: one row per gate, so the first answer wins. */
export function answerSignalId(gate: GateRecord): string {
  return `answer:${gate.id}`;
}
