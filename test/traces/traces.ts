// The labeled traces, and how a detector is measured against them.

import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type History, signSet, signTests, type Stuck } from "@loopwright/core";

export interface Trace {
  name: string;
  kind: string;
  stuck: boolean;
  /** The first iteration of the stretch in which it goes nowhere. */
  onset?: number;
  why: string;
  history: History;
}

/** An iteration as the files have it: with the results themselves in place of their signs. */
interface Entry {
  iteration: number;
  score?: number;
  artifact?: string;
  tests?: Record<string, "passed" | "failed">;
  hardFails?: string[];
}

export const traces: readonly Trace[] = globSync(join(import.meta.dirname, "*.json"))
  .sort()
  .map((file) => {
    const { history, ...trace } = JSON.parse(readFileSync(file, "utf8")) as Omit<Trace, "history"> & { history: Entry[] };
    return { ...trace, history: history.map(observe) };
  });

/** The iteration as a loop would keep it. */
function observe({ tests = {}, hardFails = [], ...seen }: Entry): History[number] {
  return { ...seen, ...signTests(tests), findings: signSet(hardFails) };
}

/** What a detector said of a trace, looking at it after each iteration without knowing the next. */
export interface Judged {
  trace: Trace;
  /** The first alarm that was due: at or after the onset. */
  caught: { stuck: Stuck; at: number } | undefined;
  /** An alarm where none was due: in a trace that is not stuck, or before the onset. */
  falseAlarm: { stuck: Stuck; at: number } | undefined;
}

/** Judges a trace by all its beginnings. */
export function judge(trace: Trace, detect: (history: History) => Stuck | undefined): Judged {
  const alarms = trace.history.flatMap(({ iteration }, index) => {
    const stuck = detect(trace.history.slice(0, index + 1));
    return stuck ? [{ stuck, at: iteration }] : [];
  });
  const isDue = ({ at }: { at: number }) => trace.stuck && at >= trace.onset!;
  return { trace, caught: alarms.find(isDue), falseAlarm: alarms.find((alarm) => !isDue(alarm)) };
}
