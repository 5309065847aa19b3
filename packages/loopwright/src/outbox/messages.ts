// What a person elsewhere is told of a run: that it has ended, or waits at a gate. Child runs speak through the run above.

import {
  type Draft,
  type DraftMessages,
  type GateRecord,
  type LoopEvent,
  lastScore,
  type RunRecord,
  type StampedEvent,
  waitingGateOf,
} from "@loopwright/core";
import { plainLine } from "@loopwright/terminal";
import { sealOf } from "./seal.ts";
import { type Standing, usualStandings } from "./standings.ts";

/** Whom to tell, and of what. */
export interface Notify {
  /** Run with one more argument: the message. */
  command?: string | undefined;
  /** Sent a POST with the message and how the run stands as JSON. */
  webhook?: string | undefined;
  /** The environment variable that holds the secret that posts are signed with, and what it holds. */
  secretEnv?: string | undefined;
  secret?: string | undefined;
  events?: readonly Standing[] | undefined;
}

/** Whether an event may be one that somebody is told of. */
export function isTold({ type }: LoopEvent): boolean {
  return type === "run-ended" || type === "gate-opened" || type === "child-waiting";
}

/** The messages of a run's events; a gate is passed over where someone at hand is asked, or the answer is known. */
export function draftMessages(notify: Notify, isAnswered: (gate: GateRecord) => boolean): DraftMessages {
  const { events = usualStandings } = notify;
  const ways = (["webhook", "command"] as const).filter((way) => notify[way] !== undefined);
  return (event, record) => {
    const news = newsOf(event, record, isAnswered);
    if (!news || !events.includes(news.outcome)) return [];
    const { run, loop } = record;
    const text = plainLine(`${news.outcome}: ${news.reason} (${run})`);
    const body = JSON.stringify({ text, run, loop, at: new Date(event.at).toISOString(), ...news });
    return ways.map((to): Draft => ({ to, body, seal: sealOf(run, to, body) }));
  };
}

interface News {
  outcome: Standing;
  reason: string;
  iterations: number;
  score: number | null;
  gate?: Pick<GateRecord, "name" | "question" | "choices" | "default">;
}

function newsOf(event: StampedEvent, record: RunRecord, isAnswered: (gate: GateRecord) => boolean): News | undefined {
  if (record.parent) return undefined;
  if (event.type === "run-ended") {
    const { outcome, reason, iterations, score } = event;
    const open = outcome === "escalated" ? waitingGateOf(record) : undefined;
    return { outcome, reason, iterations, score, ...(open && { gate: asked(open) }) };
  }
  // An ending's own gate is told of with the ending.
  const isAsked = event.type === "gate-opened" && !event.gate.leadsTo && !isAnswered(event.gate);
  if (!isAsked && event.type !== "child-waiting") return undefined;
  const gate = asked(event.gate);
  return { outcome: "waiting", reason: gate.question, iterations: record.iterations, score: lastScore(record), gate };
}

function asked({ name, question, choices, default: usual }: GateRecord): NonNullable<News["gate"]> {
  return { name, question, choices, default: usual };
}
