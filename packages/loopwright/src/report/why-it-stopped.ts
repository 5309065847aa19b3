// Why a run stopped, in whole sentences: what its outcome means, the reason, and where it stands.

import {
  type GateRecord,
  lastScore,
  type Outcome,
  outcomes,
  type RunRecord,
  summarize,
  waitingGateOf,
} from "@loopwright/core/look";
import { showCount, showScore, showTime } from "@loopwright/terminal";
import { headed } from "../display/words.ts";
import { bestOf, showPlace } from "./scores.ts";

const openings: Record<Outcome, string> = {
  done: "It is done",
  ceiling: "A ceiling ended it",
  stagnant: "It stopped improving",
  escalated: "It stopped so that a person can look",
  failed: "It failed",
  declined: "A person said no to the result",
  superseded: "Another run took over",
  interrupted: "It was interrupted, and can go on",
  cancelled: "It was ended for good by a person",
};

/** What is known of a run beside its record. */
export interface Known {
  /** Whether a process is at it. */
  isHeld?: boolean;
  /** What was answered to its gate, and waits for it to go on. */
  answer?: string | undefined;
}

/** Why a run stopped and where it stands; for one that has not ended, what it waits for or was doing. */
export function whyItStopped(record: RunRecord, known: Known = {}): string {
  return [...whyItStands(record, known), whereItStands(record)].join(" ");
}

/** The first sentences of it: the outcome and its reason, and what a gate asks. */
export function whyItStands(record: RunRecord, { isHeld, answer }: Known = {}): string[] {
  const gate = waitingGateOf(record);
  const { ended } = record;
  if (gate && answer !== undefined && (!ended || ended.outcome === "escalated"))
    return [`It was answered '${answer}', and goes on with that when it is resumed: ${asSentence(gate.question)}`];
  if (!ended)
    return gate ? [`It waits for a person: ${asSentence(gate.question)}`, ...aboutGate(gate)] : cutOff(record, isHeld);
  const opening =
    ended.outcome === "done" && !hasPassed(record) ? "It is done, accepted by a person" : openings[ended.outcome];
  const first = isWithoutReason(ended.outcome, ended.reason)
    ? `${opening}.`
    : `${opening}: ${asSentence(ended.reason)}`;
  if (ended.outcome !== "escalated" || !gate) return [first];
  return [first, `The question is: ${asSentence(gate.question)}`, ...aboutGate(gate)];
}

function aboutGate({ choices, default: fallback, expiresAt }: GateRecord): string[] {
  const offered = `It can be answered with ${choices.map((choice) => `'${choice}'`).join(", ")}.`;
  return expiresAt === undefined ? [offered] : [offered, `After ${showTime(expiresAt)} it takes '${fallback}'.`];
}

function cutOff(record: RunRecord, isHeld: boolean | undefined): string[] {
  const { error, entry, ending, forked } = record;
  const place = entry ? ` in the phase '${entry.phase}'` : "";
  if (forked) return [`It was forked from ${forked.run} at iteration ${forked.iteration}, and has not gone on yet.`];
  if (error) return [`It has not ended: a fault stopped it${place}, ${asSentence(headed(error.code, error.message))}`];
  if (ending) return [`It was about to end as ${ending.outcome} when it was cut off: ${asSentence(ending.reason)}`];
  if (isHeld === false)
    return [`It has not ended: its process was killed${place}, or could write no more there (a full disk).`];
  if (isHeld) return [`It has not ended: it is under way${place}.`];
  return [`It has not ended: it is under way${place}, or its process was killed there.`];
}

function whereItStands(record: RunRecord): string {
  const had = `It has had ${showCount(summarize(record).iterations, "iteration")}`;
  const last = lastScore(record);
  const best = bestOf(record);
  if (last === null || !best) return `${had} and no verdict yet.`;
  if (best.score === last) return `${had}; the last score, ${showScore(last)}, is its best.`;
  return `${had}; the last score is ${showScore(last)}, the best was ${showScore(best.score)} ${showPlace(best)}.`;
}

function hasPassed({ verdict }: RunRecord): boolean {
  return verdict?.verdict === "pass";
}

function isWithoutReason(outcome: Outcome, reason: string): boolean {
  const saysNothing = ["", outcomes[outcome].meaning, "it was interrupted", "a person cancelled it"];
  return saysNothing.includes(reason.trim());
}

function asSentence(text: string): string {
  const trimmed = text.trim();
  return /[.!?…]['")\]]?$/.test(trimmed) ? trimmed : `${trimmed}.`;
}

/** How a run stands, in one word or two. */
export function statusWords(record: RunRecord): string {
  const { status } = summarize(record);
  return status === "open" ? "not ended" : status;
}
