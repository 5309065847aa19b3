// What a display prints for good as a run goes: one line for what a person would want to read later.

import type { Ceilings, LoopEvent } from "@loopwright/core";
import {
  cut,
  pad,
  plainLine,
  plainText,
  showCount,
  showDollars,
  showNumber,
  showScore,
  type Terminal,
  wrap,
} from "@loopwright/terminal";
import { type Notes, noteToWords, type Told } from "../loops/notes.ts";
import { errorWords } from "../report/error-words.ts";
import { shownChange } from "../report/scores.ts";
import { takesOver, type Watch } from "./watch.ts";

/** The lines of an event; none for most. The watch stands as it was before the event. */
export function eventLines(event: LoopEvent, watch: Watch, terminal: Page, notes: Notes = {}): string[] {
  const columns = Math.max(20, terminal.columns - 1);
  if (event.type === "run-started" && watch.run === undefined) {
    const ceilings = cut(`ceilings: ${ceilingWords(event.ceilings)}`, columns);
    return [headLine(event, terminal, columns), terminal.style("dim", ceilings)];
  }
  const whose = event.run === watch.run || event.type === "run-started" ? "" : `  [${plainLine(event.run)}]`;
  if (event.type === "loop-noted") {
    const told = noteToWords(event.name, event.data, notes);
    return told ? noteLines(told, whose, terminal, columns) : [];
  }
  const line = lineOf(event, watch, terminal, Math.max(20, columns - whose.length));
  return line === undefined ? [] : [`${whose}${line}`];
}

const DIFF_LINES = 60;

const NOTE_ROWS = 8;

/** A note's words in as many rows as they take, those after the first set in. */
export function noteRows(words: string, room: number): string[] {
  const width = Math.max(16, room - 4);
  return wrap(plainLine(words), width, NOTE_ROWS).map((row, at) => (at === 0 ? `  ${row}` : `    ${row}`));
}

/** A note's words, with its diff below, colored; of a long one the beginning. */
function noteLines({ words, diff }: Told, whose: string, terminal: Page, columns: number): string[] {
  const room = Math.max(20, columns - whose.length);
  const head = noteRows(words, room).map((row) => `${whose}${terminal.style("dim", row)}`);
  if (diff === undefined) return head;
  const lines = diff.trimEnd().split("\n");
  const color = { "+": "green", "-": "red", "@": "cyan" } as Record<string, "green" | "red" | "cyan">;
  const shown = lines.slice(0, DIFF_LINES).map((line) => {
    const spaced = line.replaceAll("\t", "    ");
    const style = /^(\+\+\+|---) /.test(line) ? "bold" : color[line[0] ?? ""];
    return `  ${style ? terminal.style(style, plainText(spaced)) : plainText(spaced)}`;
  });
  const left = lines.length - shown.length;
  return [...head, "", ...shown, ...(left > 0 ? [terminal.style("dim", `  … ${left} lines more`)] : []), ""];
}

type Page = Pick<Terminal, "columns" | "style">;

function lineOf(event: LoopEvent, watch: Watch, terminal: Page, room: number): string | undefined {
  const note = (words: string) => terminal.style("dim", cut(`  ${plainLine(words)}`, room));
  switch (event.type) {
    case "run-started":
      return terminal.style(
        "dim",
        `  ${takesOver(event, watch) ? "goes on" : `starts ${plainLine(event.loop)}`} as ${plainLine(event.run)}`,
      );
    case "verdict-recorded":
      return verdictLine(event, watch, terminal, room);
    case "workcell-restarted":
      return note(`the workcell '${event.kind}' was restarted: ${event.reason}`);
    case "effect-failed":
      return note(`'${event.key}' failed: ${errorWords(event.error)}`);
    case "gate-answered":
      return note(`answered '${event.answer.choice}'${event.answer.by === "person" ? "" : ` (by ${event.answer.by})`}`);
    case "answer-refused":
      return note(`the answer '${event.choice}' was refused: ${event.reason}`);
    case "ceilings-changed":
      return note(`ceilings changed: ${ceilingWords(event.ceilings)}`);
    case "run-resumed":
      // After an answer given in place it goes without saying.
      if (event.given) return note(`resumed with what you made: ${event.given.path}`);
      return watch.phase === "" ? note("resumed") : undefined;
    default:
      return undefined;
  }
}

/** The loop and its run; an id is there to be copied and never cut. */
function headLine(
  { loop, run, seed }: Extract<LoopEvent, { type: "run-started" }>,
  terminal: Page,
  room: number,
): string {
  const tail = `seed ${seed}`;
  const fits = loop.length + run.length + tail.length + 4 <= room;
  return `${terminal.style("bold", loop)}  ${run}${fits ? `  ${terminal.style("dim", tail)}` : ""}`;
}

function verdictLine(
  { run, iteration, verdict }: Extract<LoopEvent, { type: "verdict-recorded" }>,
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

function signed(change: number): string {
  return `${change < 0 ? "−" : "+"}${Math.abs(change).toFixed(3)}`;
}

/** Ceilings in words. */
export function ceilingWords(ceilings: Partial<Ceilings>): string {
  const words = {
    iterations: (n: number) => showCount(n, "iteration"),
    minutes: (n: number) => `${showNumber(n)} min`,
    tokens: (n: number) => showCount(n, "token"),
    usd: (n: number) => showDollars(n),
    phaseMinutes: (n: number) => `${showNumber(n)} min a phase`,
  };
  const given = Object.entries(ceilings) as [keyof Ceilings, number][];
  return given.map(([name, limit]) => words[name]?.(limit) ?? name).join(", ");
}
