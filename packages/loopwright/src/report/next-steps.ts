// What to type next: for every way that a run can stand, the commands that take it further. Pure: the report and the
// command line say the same.

import {
  type CeilingHit,
  type CeilingName,
  type GateRecord,
  type LoopPackage,
  type NextStep,
  type Outcome,
  type RunRecord,
  waitingGateOf,
} from "@loopwright/core/look";
import { showCount, showScore } from "@loopwright/terminal";
import { bestOf } from "./scores.ts";
import { commandLine } from "./shell-word.ts";
import type { Known } from "./why-it-stopped.ts";

export { whyItStopped } from "./why-it-stopped.ts";

/** What is known beside the run: the steps that its loop adds, too. */
export interface StepsContext extends Known {
  steps?: LoopPackage["steps"];
  /** Whether what it had made is gone. */
  isPruned?: boolean;
}

/** What to type next for a run as it stands, the likeliest first; then what its loop adds. */
export function nextSteps(record: RunRecord, { steps, isPruned, ...known }: StepsContext = {}): NextStep[] {
  if (isPruned) return [{ command: commandLine(["verify", record.run]), does: "says what is left of it" }];
  return [...commonSteps(record, known), ...(steps?.(record) ?? [])];
}

function commonSteps(record: RunRecord, { isHeld, answer }: Known): NextStep[] {
  const { ended } = record;
  const gate = waitingGateOf(record);
  if (gate && (!ended || ended.outcome === "escalated"))
    return [...(answer === undefined ? answers(record, gate) : []), resume(record, "goes on with the answer")];
  if (record.forked) return [resume(record, `begins iteration ${record.forked.iteration} again`)];
  const unless = isHeld === false ? "" : ", if no process is at work on it";
  if (!ended) return [resume(record, `goes on from its last checkpoint${unless}`)];
  return stepsAfter[ended.outcome](record);
}

const stepsAfter: Record<Outcome, (record: RunRecord) => NextStep[]> = {
  done: (record) => [show(record), verify(record)],
  ceiling: (record) => (isChild(record) ? [lookAbove(record), ...again(record)] : [...raise(record), ...again(record)]),
  stagnant: (record) => [...retry(record, "goes on where it stopped, for another try"), ...again(record)],
  escalated: (record) => [...retry(record, "goes on where it stopped"), ...again(record)],
  failed: (record) => [...retry(record, "tries again what failed, once its cause is fixed"), ...again(record)],
  declined: (record) => [...again(record), show(record)],
  superseded: (record) => [
    record.ended?.by
      ? resume(record, `goes on with ${record.ended.by.run}, which took over`)
      : { command: commandLine(["runs"]), does: "lists every run, the one that took over too" },
    show(record),
  ],
  interrupted: (record) => (hasHitAbove(record) ? raise(record) : [resume(record, "goes on from its last checkpoint")]),
  cancelled: (record) => [...again(record), show(record)],
};

function answers(record: RunRecord, { choices, default: fallback, accepting, leadsTo }: GateRecord): NextStep[] {
  return choices.map((choice) => {
    const remarks = [
      ...(accepting.includes(choice) ? ["accepts the result"] : []),
      ...(leadsTo && Object.hasOwn(leadsTo, choice)
        ? [leadsTo[choice] ? `leads to '${leadsTo[choice]}'` : "leaves the run as it is"]
        : []),
      ...(choice === fallback ? ["the default"] : []),
    ];
    const does = remarks.length > 0 ? `answers '${choice}': ${remarks.join(", ")}` : `answers '${choice}'`;
    return { command: commandLine(["answer", record.run], choice), does };
  });
}

/** The run that a person resumes: a child run goes on with the run that started it. */
function driverOf({ run, parent }: RunRecord): string {
  return parent && run.startsWith(`${parent.run}.`) ? run.slice(0, run.indexOf(".")) : run;
}

function isChild(record: RunRecord): boolean {
  return driverOf(record) !== record.run;
}

function resume(record: RunRecord, does: string): NextStep {
  return { command: commandLine(["resume", driverOf(record)]), does };
}

/** A child that ended has given its result to the run that started it, so that resuming it alone changes nothing. */
function retry(record: RunRecord, does: string): NextStep[] {
  return [isChild(record) ? lookAbove(record) : resume(record, does)];
}

function lookAbove(record: RunRecord): NextStep {
  return { command: commandLine(["explain", driverOf(record)]), does: "says how the run that started this one stands" };
}

function hasHitAbove({ run, ended }: RunRecord): boolean {
  return ended?.hit !== undefined && ended.hit.run !== run;
}

/** Resuming with the ceiling that was hit raised: that of a run above where it was that run's. */
function raise(record: RunRecord): NextStep[] {
  const hit = record.ended?.hit;
  if (!hit) return [resume(record, "goes on, once the ceiling is raised")];
  const limit = higherLimit(hit);
  const given =
    hit.ceiling === "phaseMinutes" ? ["-c", `ceilings.phaseMinutes=${limit}`] : [flags[hit.ceiling], String(limit)];
  return [
    { command: commandLine(["resume", hit.run, ...given]), does: `goes on with ${meanings[hit.ceiling](limit)}` },
  ];
}

const flags: Record<Exclude<CeilingName, "phaseMinutes">, string> = {
  iterations: "--max-iterations",
  minutes: "--max-minutes",
  tokens: "--max-tokens",
  usd: "--max-usd",
};

const meanings: Record<CeilingName, (limit: number) => string> = {
  iterations: (limit) => `up to ${showCount(limit, "iteration")} in all`,
  minutes: (limit) => `up to ${showCount(limit, "active minute")} in all`,
  tokens: (limit) => `up to ${showCount(limit, "token")} in all`,
  usd: (limit) => `up to $${limit} in all`,
  phaseMinutes: (limit) => `up to ${showCount(limit, "minute")} for one phase`,
};

/** Half as much again, and room beyond what the next act needs, as a round number. */
export function higherLimit({ ceiling, limit, used }: CeilingHit): number {
  const wanted = Math.max(limit * 1.5, used * 1.2);
  if (!(wanted > 0)) return 1;
  const isCounted = ceiling === "iterations" || ceiling === "tokens";
  const step = 10 ** (Math.floor(Math.log10(wanted)) - 1);
  const rounded = Number((Math.ceil(wanted / step - 1e-9) * step).toPrecision(2));
  return isCounted ? Math.ceil(rounded) : rounded;
}

/** A fork at the best iteration; nothing where no iteration was begun. */
function again(record: RunRecord): NextStep[] {
  if (record.iterations < 1) return [];
  const best = bestOf(record);
  const at = Math.min(Math.max(best?.iteration ?? 1, 1), record.iterations);
  const which = best && best.iteration === at ? `, the best so far (${showScore(best.score)})` : "";
  return [
    {
      command: commandLine(["fork", record.run, "--at", String(at)]),
      does: `a new run that begins iteration ${at} again${which}`,
    },
  ];
}

function show({ run }: RunRecord): NextStep {
  return { command: commandLine(["show", run]), does: "shows it, iteration by iteration" };
}

function verify({ run }: RunRecord): NextStep {
  return { command: commandLine(["verify", run]), does: "checks its journal and every file that it made" };
}
