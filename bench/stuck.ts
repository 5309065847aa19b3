// The one stuck call, with its default rules, against the labeled traces: the confusion matrix, and how late an alarm comes.

import { detectStuck } from "@loopwright/core";
import { judge, traces } from "../test/traces/traces.ts";

/** Judges every trace; counts are of traces. */
export async function run() {
  const judged = traces.map((trace) => judge(trace, (history) => detectStuck(history)));
  const ofStuck = judged.filter(({ trace }) => trace.stuck);
  const ofFine = judged.filter(({ trace }) => !trace.stuck);
  const caught = ofStuck.filter((result) => result.caught);
  const early = ofStuck.filter((result) => result.falseAlarm);
  const falseAlarms = ofFine.filter((result) => result.falseAlarm);
  const delays = caught.map((result) => result.caught!.at - result.trace.onset!).sort((a, b) => a - b);
  for (const { trace, falseAlarm } of [...falseAlarms, ...early]) {
    console.error(`false alarm: ${trace.name} at ${falseAlarm!.at}: ${falseAlarm!.stuck.reason}`);
  }
  for (const { trace } of ofStuck.filter((result) => !result.caught)) console.error(`missed: ${trace.name}`);
  return {
    traces: traces.length,
    true_positive: caught.length,
    false_negative: ofStuck.length - caught.length,
    true_negative: ofFine.length - falseAlarms.length,
    false_positive: falseAlarms.length,
    alarms_before_onset: early.length,
    recall: caught.length / ofStuck.length,
    false_alarm_rate: falseAlarms.length / ofFine.length,
    median_delay: delays[Math.floor(delays.length / 2)] ?? null,
    longest_delay: delays.at(-1) ?? null,
  };
}
