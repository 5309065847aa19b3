// What is printed for good as a run goes: what a person would want to read later, and what to type next.

import { type LoopEvent, type NextStep, outcomes } from "@loopwright/core/look";
import { cut, pad, plainLine, plainText, showScore, type Terminal, widthOf } from "@loopwright/terminal";
import { shownChange } from "../report/story.ts";
import { takesOver, type Watch } from "./watch.ts";
import { ceilingWords, eventToMoment, type Notes, textRows } from "./words.ts";

type Page = Pick<Terminal, "columns" | "style">;
type EventOf<Type extends LoopEvent["type"]> = Extract<LoopEvent, { type: Type }>;

/** What whoever drives a run sees by other means: its gates are asked there, and its end is the end of the command. */
const toldElsewhere = new Set<LoopEvent["type"]>([
  "gate-opened",
  "child-waiting",
  "visit-failed",
  "ceiling-reached",
  "run-forked",
  "run-migrated",
  "run-ended",
]);

/** The lines of an event; none for most. The watch stands as it was before the event. Whoever only follows the run is told all. */
export function eventLines(
  event: LoopEvent,
  watch: Watch,
  terminal: Page,
  notes: Notes = {},
  isFollowed = false,
): string[] {
  const columns = Math.max(20, terminal.columns - 1);
  if (event.type === "run-started" && watch.run === undefined) return headLines(event, terminal, columns);
  if (toldElsewhere.has(event.type) && !isFollowed) return [];
  const whose =
    event.run === watch.run || event.type === "run-started" ? "" : `  [${plainLine(childName(event.run, watch.run))}]`;
  const room = Math.max(20, columns - whose.length);
  if (event.type === "verdict-recorded") return [`${whose}${verdictLine(event, watch, terminal, room)}`];
  if (event.type === "run-started") {
    const does = takesOver(event, watch) ? "goes on" : `starts ${plainLine(event.loop)}`;
    return [terminal.style("dim", `  ${does} as ${plainLine(event.run)}`)];
  }
  if (event.type === "run-ended" && event.run === watch.run) {
    const color = outcomes[event.outcome].exit === 0 ? "green" : "yellow";
    return [`${terminal.style(["bold", color], event.outcome)}  ${plainLine(event.reason)}`];
  }
  // After an answer that was given in place it goes without saying.
  if (event.type === "run-resumed" && !event.given && watch.phase !== "") return [];
  const moment = eventToMoment(event, notes);
  if (!moment || moment.isRaw) return [];
  const rows = textRows(moment.text, room).map((row) => `${whose}${terminal.style("dim", row)}`);
  return moment.diff === undefined ? rows : [...rows, ...diffLines(moment.diff, terminal)];
}

/** A child run by what its parent calls it; others by their id. */
function childName(run: string, parent = ""): string {
  return run.startsWith(`${parent}.`) ? run.slice(parent.length + 1).replace(/^\d+-/, "") : run;
}

const DIFF_LINES = 60;

/** A diff, colored; of a long one the beginning. */
function diffLines(diff: string, terminal: Page): string[] {
  const lines = diff.trimEnd().split("\n");
  const color = { "+": "green", "-": "red", "@": "cyan" } as Record<string, "green" | "red" | "cyan">;
  const shown = lines.slice(0, DIFF_LINES).map((line) => {
    const spaced = line.replaceAll("\t", "    ");
    const style = /^(\+\+\+|---) /.test(line) ? "bold" : color[line[0] ?? ""];
    return `  ${style ? terminal.style(style, plainText(spaced)) : plainText(spaced)}`;
  });
  const left = lines.length - shown.length;
  return ["", ...shown, ...(left > 0 ? [terminal.style("dim", `  … ${left} lines more`)] : []), ""];
}

/** The loop and its run, and its ceilings; an id is there to be copied and never cut. */
function headLines({ loop, run, seed, ceilings }: EventOf<"run-started">, terminal: Page, room: number): string[] {
  const tail = `seed ${seed}`;
  const fits = loop.length + run.length + tail.length + 4 <= room;
  return [
    `${terminal.style("bold", loop)}  ${run}${fits ? `  ${terminal.style("dim", tail)}` : ""}`,
    terminal.style("dim", cut(`ceilings: ${ceilingWords(ceilings)}`, room)),
  ];
}

function verdictLine(
  { run, iteration, verdict }: EventOf<"verdict-recorded">,
  watch: Watch,
  terminal: Page,
  room: number,
): string {
  const before = run === watch.run ? watch.scores.at(-1)?.score : undefined;
  const change = before === undefined ? "" : signed(shownChange(before, verdict.score));
  const label = pad(iteration === 0 ? "start" : `iteration ${iteration}`, 13);
  const mark = { pass: "pass", fail: "fail", escalate: "look" }[verdict.verdict];
  const color = { pass: "green", fail: "yellow", escalate: "magenta" } as const;
  const head = `  ${label} ${showScore(verdict.score)} ${pad(change, 7)}`;
  const reason = cut(plainLine(verdict.reason), Math.max(1, room - head.length - mark.length - 2));
  return `${head} ${terminal.style(color[verdict.verdict], mark)} ${terminal.style("dim", reason)}`;
}

/** A change of a score with its sign. */
export function signed(change: number): string {
  return `${change < 0 ? "−" : "+"}${Math.abs(change).toFixed(3)}`;
}

/** What to type next, each as this command line was typed: a command stays whole, and what it does beside it where there is room. */
export function stepLines(
  steps: readonly NextStep[],
  { terminal, typed }: { terminal: Terminal; typed: (command: string) => string },
): string[] {
  return steps.flatMap(({ command: plain, does }) => {
    const command = typed(plain);
    const remark = `# ${plainLine(does)}`;
    const fits = widthOf(command) + widthOf(remark) + 4 < terminal.columns;
    return fits
      ? [`  ${command}  ${terminal.style("dim", remark)}`]
      : [`  ${terminal.style("dim", remark)}`, `  ${command}`];
  });
}
