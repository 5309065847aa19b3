// The loop that is made to be looked at, in a real terminal, and the shapes that its lines may have.

import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, expect } from "vitest";
import { Pane, type PaneOptions } from "./tmux.ts";

/** The program as people start it. */
export const program = fileURLToPath(new URL("../../packages/loopwright/bin/loopwright.js", import.meta.url));
const loop = fileURLToPath(new URL("../e2e/programs/shown-loop.ts", import.meta.url));

const root = mkdtempSync(join(tmpdir(), "loopwright-terminal-"));
let count = 0;
afterAll(() => rmSync(root, { recursive: true, force: true, maxRetries: 5 }));

/** A project of its own, where the loop can be run. */
export function newProject(): string {
  const dir = join(root, String(++count));
  mkdirSync(dir);
  writeFileSync(join(dir, "loopwright.yaml"), `loops:\n  shown: ${relative(dir, loop)}\n`);
  return dir;
}

export interface Shown extends Partial<PaneOptions> {
  input?: Record<string, unknown>;
  /** What stands after the command, such as flags or a pipe. */
  more?: string;
}

/** Runs the loop in a terminal. */
export function show({ input = {}, more = "", cwd = newProject(), ...options }: Shown = {}): Pane {
  const command = `'${process.execPath}' '${program}' run shown --trust --input '${JSON.stringify(input)}' ${more}`;
  return new Pane({ columns: 80, rows: 24, cwd, command, ...options });
}

/** Lets a loop go on that holds. */
export const letGo = (cwd: string) => writeFileSync(join(cwd, "go"), "");

/** Waits for the end, which must be this one and leave the terminal as it was. */
export async function expectEnd(pane: Pane, exit: number, look?: (screen: string[]) => void): Promise<void> {
  const ended = await pane.untilEnded(look);
  expect(ended, pane.scrollback().join("\n")).toEqual({ exit, isSound: true });
}

/** Sends a signal to the process that runs the loop. */
export function kill(cwd: string, signal: NodeJS.Signals): void {
  process.kill(Number(readFileSync(join(cwd, "pid"), "utf8")), signal);
}

/** The verdict of an iteration. */
export const VERDICT = /^ {2}iteration \d+ +\d\.\d{3} [+−. \d]{7} (pass|fail) \S/;
const SPINNER = /^[⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏] /;
const LASTING = [/^shown {2}\d{8}-\d{6}_shown/, /^ceilings: 20 iterations, /, VERDICT];
const FRAME = [
  /^[⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏] (work|judge) · iteration \d+ of \d+( · step \d, (of \d|…|o…))?$/,
  /^ {2}score \d\.\d{3} {2}[▁▂▃▄▅▆▇█]+ {2}best \d\.\d{3}$/,
  /^ {2}[\d.]+ m?s of 720 min · [\d,]+ of 2,(000,000 tokens · \$0\.\d\d of \$5\.00|[^…]*…)$/,
];

/** Whether a line is whole, and printed for good. */
export const isForGood = (line: string) => LASTING.some((shape) => shape.test(line));

/** Whether a line is a whole one of the frame. */
export const isOfFrame = (line: string) => FRAME.some((shape) => shape.test(line));

/** Whether the frame is seen. */
export const hasFrame = (screen: readonly string[]) => screen.some((line) => SPINNER.test(line));

/** Whether the loop is seen to be held in a round. */
export const isHeldIn = (round: number) => (screen: readonly string[]) =>
  new RegExp(`· iteration ${round} of \\d+ · step 2, of 3$`, "m").test(screen.join("\n"));

/** The lines of a run under way that are neither for good nor a whole line of the frame. */
export const brokenLines = (lines: readonly string[]) => lines.filter((line) => !isForGood(line) && !isOfFrame(line));

/** What was printed up to the end of the run. */
export const untilEnd = (lines: readonly string[]) => lines.slice(0, lines.indexOf(""));

/** The numbers of the iterations whose verdicts are among the lines. */
export const iterationsIn = (lines: readonly string[]) =>
  lines.filter((line) => VERDICT.test(line)).map((line) => Number(/\d+/.exec(line)![0]));

/** The numbers from 1. */
export const upTo = (last: number) => Array.from({ length: last }, (_, index) => index + 1);

/** What every control sequence begins with. */
export const ESCAPE = "\u001B";

/** Whether colors were written. */
export const hasColors = (raw: string) => new RegExp(`${ESCAPE}\\[[\\d;]*m`).test(raw);
