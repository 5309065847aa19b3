// How a run stands, in whole sentences, and what to type next: for every way that it can stand, the commands that take it
// further. Pure: the report and the command line say the same.

import {
  type CeilingHit,
  type CeilingName,
  type GateRecord,
  type LoopPackage,
  lastScore,
  type NextStep,
  type Outcome,
  outcomes,
  type RunRecord,
  summarize,
  waitingGateOf,
} from "@loopwright/core/look";
import { showCount, showScore, showTime } from "@loopwright/terminal";
import { commandLine } from "../arguments/read-arguments.ts";
import { headed } from "../display/words.ts";
import { bestOf, showPlace } from "./story.ts";

/** What is known of a run beside its record; also the steps that its loop adds, and how it asks. */
interface Known extends Partial<Pick<LoopPackage, "steps" | "gates">> {
  /** Whether a process is at it. */
  isHeld?: boolean;
  /** What was answered to its gate, and waits for it to go on. */
  answer?: string | undefined;
  /** Whether what it had made is gone. */
  isPruned?: boolean;
}

/** How a run stands, in one word or two. */
export function statusWords(record: RunRecord): string {
  const { status } = summarize(record);
  return status === "open" ? "not ended" : status;
}

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

/** Why a run stopped and where it stands; for one that has not ended, what it waits for or was doing. */
export function whyItStopped(record: RunRecord, known: Known = {}): string {
  const best = bestOf(record);
  const last = lastScore(record);
  const had = `It has had ${showCount(summarize(record).iterations, "iteration")}`;
  let scores = " and no verdict yet.";
  if (last !== null && best?.score === last) scores = `; the last score, ${showScore(last)}, is its best.`;
  else if (last !== null && best)
    scores = `; the last score is ${showScore(last)}, the best was ${showScore(best.score)} ${showPlace(best)}.`;
  return [...whyItStands(record, known), `${had}${scores}`].join(" ");
}

/** The outcome and its reason, and what a gate asks. */
function whyItStands(record: RunRecord, { isHeld, answer, gates }: Known): string[] {
  const { ended } = record;
  const gate = askingGate(record);
  if (gate && answer !== undefined)
    return [`It was answered '${answer}', and goes on with that when it is resumed: ${asSentence(gate.question)}`];
  const about = gate ? aboutGate(gate, gates) : [];
  if (!ended) return gate ? [`It waits for a person: ${asSentence(gate.question)}`, ...about] : cutOff(record, isHeld);
  const isAccepted = ended.outcome === "done" && record.verdict?.verdict !== "pass";
  const opening = isAccepted ? "It is done, accepted by a person" : openings[ended.outcome];
  const reason = ended.reason.trim();
  const plain = ["", outcomes[ended.outcome].meaning, "it was interrupted", "a person cancelled it"];
  const first = plain.includes(reason) ? `${opening}.` : `${opening}: ${asSentence(reason)}`;
  return gate ? [first, `The question is: ${asSentence(gate.question)}`, ...about] : [first];
}

/** The gate that a run waits at, or has stopped at. */
function askingGate(record: RunRecord): GateRecord | undefined {
  return !record.ended || record.ended.outcome === "escalated" ? waitingGateOf(record) : undefined;
}

function listedOf({ name, choices }: Pick<GateRecord, "name" | "choices">, gates: Known["gates"]): readonly string[] {
  return choices.filter((choice) => !gates?.[name]?.unlisted?.includes(choice));
}

function aboutGate({ default: fallback, expiresAt, ...gate }: GateRecord, gates: Known["gates"]): string[] {
  const offered = `It can be answered with '${listedOf(gate, gates).join("', '")}'.`;
  return expiresAt === undefined ? [offered] : [offered, `After ${showTime(expiresAt)} it takes '${fallback}'.`];
}

function cutOff({ error, entry, ending, forked }: RunRecord, isHeld: boolean | undefined): string[] {
  const place = entry ? ` in the phase '${entry.phase}'` : "";
  if (forked) return [`It was forked from ${forked.run} at iteration ${forked.iteration}, and has not gone on yet.`];
  if (error) return [`It has not ended: a fault stopped it${place}, ${asSentence(headed(error.code, error.message))}`];
  if (ending) return [`It was about to end as ${ending.outcome} when it was cut off: ${asSentence(ending.reason)}`];
  if (isHeld === false)
    return [`It has not ended: its process was killed${place}, or could write no more there (a full disk).`];
  return [`It has not ended: it is under way${place}${isHeld ? "" : ", or its process was killed there"}.`];
}

function asSentence(text: string): string {
  const trimmed = text.trim();
  return /[.!?…]['")\]]?$/.test(trimmed) ? trimmed : `${trimmed}.`;
}

/** What to type next for a run as it stands, the likeliest first; then what its loop adds. */
export function nextSteps(record: RunRecord, { steps, isPruned, ...known }: Known = {}): NextStep[] {
  if (isPruned) return [step("says what is left of it", "verify", record.run)];
  return [...commonSteps(record, known), ...(steps?.(record) ?? [])];
}

function commonSteps(record: RunRecord, { isHeld, answer, gates }: Known): NextStep[] {
  const gate = askingGate(record);
  if (gate) {
    const open = answer === undefined ? listedOf(gate, gates) : [];
    return [...open.map((choice) => answerStep(record, gate, choice)), resume(record, "goes on with the answer")];
  }
  if (record.forked) return [resume(record, `begins iteration ${record.forked.iteration} again`)];
  const unless = isHeld === false ? "" : ", if no process is at work on it";
  if (!record.ended) return [resume(record, `goes on from its last checkpoint${unless}`)];
  return stepsAfter[record.ended.outcome](record);
}

const stepsAfter: Record<Outcome, (record: RunRecord) => NextStep[]> = {
  done: (record) => [show(record), step("checks its journal and every file that it made", "verify", record.run)],
  ceiling: (record) => [isChild(record) ? lookAbove(record) : raise(record), ...again(record)],
  stagnant: (record) => [retry(record, "goes on where it stopped, for another try"), ...again(record)],
  escalated: (record) => [retry(record, "goes on where it stopped"), ...again(record)],
  failed: (record) => [retry(record, "tries again what failed, once its cause is fixed"), ...again(record)],
  declined: (record) => [...again(record), show(record)],
  superseded: (record) => [
    record.ended?.by
      ? resume(record, `goes on with ${record.ended.by.run}, which took over`)
      : step("lists every run, the one that took over too", "runs"),
    show(record),
  ],
  interrupted: (record) => {
    const { hit } = record.ended!;
    return [hit && hit.run !== record.run ? raise(record) : resume(record, "goes on from its last checkpoint")];
  },
  cancelled: (record) => [...again(record), show(record)],
};

function step(does: string, ...words: string[]): NextStep {
  return { command: commandLine(words), does };
}

function answerStep({ run }: RunRecord, gate: GateRecord, choice: string): NextStep {
  const remarks: string[] = [];
  if (gate.accepting.includes(choice)) remarks.push("accepts the result");
  if (gate.leadsTo && Object.hasOwn(gate.leadsTo, choice)) {
    const phase = gate.leadsTo[choice];
    remarks.push(phase ? `leads to '${phase}'` : "leaves the run as it is");
  }
  if (choice === gate.default) remarks.push("the default");
  const about = remarks.length > 0 ? `: ${remarks.join(", ")}` : "";
  return { command: commandLine(["answer", run], choice), does: `answers '${choice}'${about}` };
}

/** The run that a person resumes: a child run goes on with the run that started it. */
function driverOf({ run, parent }: RunRecord): string {
  return parent && run.startsWith(`${parent.run}.`) ? run.slice(0, run.indexOf(".")) : run;
}

function isChild(record: RunRecord): boolean {
  return driverOf(record) !== record.run;
}

function resume(record: RunRecord, does: string): NextStep {
  return step(does, "resume", driverOf(record));
}

/** A child that ended has given its result to the run that started it, so that resuming it alone changes nothing. */
function retry(record: RunRecord, does: string): NextStep {
  return isChild(record) ? lookAbove(record) : resume(record, does);
}

function lookAbove(record: RunRecord): NextStep {
  return step("says how the run that started this one stands", "explain", driverOf(record));
}

function show({ run }: RunRecord): NextStep {
  return step("shows it, iteration by iteration", "show", run);
}

/** What a limit of each ceiling means. */
const meanings: Record<CeilingName, (limit: number) => string> = {
  iterations: (limit) => `${showCount(limit, "iteration")} in all`,
  minutes: (limit) => `${showCount(limit, "active minute")} in all`,
  tokens: (limit) => `${showCount(limit, "token")} in all`,
  usd: (limit) => `$${limit} in all`,
  phaseMinutes: (limit) => `${showCount(limit, "minute")} for one phase`,
};

/** Resuming with the ceiling that was hit raised: that of a run above where it was that run's. */
function raise(record: RunRecord): NextStep {
  const hit = record.ended?.hit;
  if (!hit) return resume(record, "goes on, once the ceiling is raised");
  const limit = higherLimit(hit);
  const flag =
    hit.ceiling === "phaseMinutes" ? ["-c", `ceilings.phaseMinutes=${limit}`] : [`--max-${hit.ceiling}`, `${limit}`];
  return step(`goes on with up to ${meanings[hit.ceiling](limit)}`, "resume", hit.run, ...flag);
}

/** Half as much again, and room beyond what the next act needs, as a round number. */
export function higherLimit({ ceiling, limit, used }: CeilingHit): number {
  const wanted = Math.max(limit * 1.5, used * 1.2);
  if (!(wanted > 0)) return 1;
  const unit = 10 ** (Math.floor(Math.log10(wanted)) - 1);
  const rounded = Number((Math.ceil(wanted / unit - 1e-9) * unit).toPrecision(2));
  return ceiling === "iterations" || ceiling === "tokens" ? Math.ceil(rounded) : rounded;
}

/** A fork at the best iteration; nothing where no iteration was begun. */
function again(record: RunRecord): NextStep[] {
  if (record.iterations < 1) return [];
  const best = bestOf(record);
  const at = Math.min(Math.max(best?.iteration ?? 1, 1), record.iterations);
  const which = best && best.iteration === at ? `, the best so far (${showScore(best.score)})` : "";
  return [step(`a new run that begins iteration ${at} again${which}`, "fork", record.run, "--at", String(at))];
}
