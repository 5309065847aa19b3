// Where a command prints: what was asked for on stdout, diagnostics on stderr, with or without colors.

import type { Readable } from "node:stream";
import { styleText } from "node:util";
import type { FirstPrompt, Screen, Style, Terminal as TerminalPort } from "@loopwright/core/look";
import { plainLine, plainText } from "./text.ts";

/** The version of every line and document. It changes when a field goes or changes its meaning, not when one comes. */
export const JSON_VERSION = 1;

/** A JSON document of a command that only looks. */
export function toDocument(type: string, fields: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return { v: JSON_VERSION, type, ...fields };
}

export type { Screen } from "@loopwright/core/look";

/** How a terminal is written to. */
export interface TerminalOptions {
  isQuiet: boolean;
  isJson: boolean;
  hasColor: boolean;
}

/** The terminal of this process: its streams, columns and colors. */
export class Terminal implements TerminalPort {
  readonly stdin: Readable & { isTTY?: boolean };
  readonly stdout: Screen;
  readonly stderr: Screen;
  readonly isQuiet: boolean;
  readonly isJson: boolean;
  readonly #hasColor: boolean;
  /** Why stdout could not be written. */
  fault: Error | undefined;

  constructor({ isQuiet, isJson, hasColor }: TerminalOptions) {
    this.stdin = process.stdin;
    this.stdout = process.stdout;
    this.stderr = process.stderr;
    this.isQuiet = isQuiet;
    this.isJson = isJson;
    this.#hasColor = hasColor;
    // A reader that went away (`| head`) is no fault of ours: what is under way goes on.
    this.stdout.on("error", (error: NodeJS.ErrnoException) => {
      // A terminal that was closed has sent a hangup too, and that ends the command in order.
      if (error.code === "EPIPE" || (error.code === "EIO" && this.stdout.isTTY)) return;
      if (!this.fault) this.warn(`loopwright: stdout cannot be written (${error.code})`);
      this.fault = error;
    });
  }

  get columns(): number {
    return sizeOf(this.stdout).columns;
  }

  /** A line of what was asked for. */
  print(line = ""): void {
    this.stdout.write(`${line}\n`);
  }

  /** A line that --quiet and --json leave out. */
  say(line = ""): void {
    if (!this.isQuiet && !this.isJson) this.print(line);
  }

  /** A line for whoever looks after the program. */
  warn(line: string): void {
    this.stderr.write(`${line}\n`);
  }

  /** One JSON document. */
  document(type: string, fields: Readonly<Record<string, unknown>>): void {
    this.print(JSON.stringify(toDocument(type, fields), null, 2));
  }

  style(style: Style, text: string): string {
    return this.#hasColor ? styleText(style as Parameters<typeof styleText>[0], text, { validateStream: false }) : text;
  }
}

/** How large a screen is. A terminal is asked each time: when it was resized, word of it comes late. */
export function sizeOf(screen: Screen): { columns: number; rows: number } {
  const [columns, rows] = (screen.isTTY && screen.getWindowSize?.()) || [screen.columns, screen.rows];
  return { columns: columns || 100, rows: rows || 24 };
}

/** Whether colors are wanted: neither --no-color nor NO_COLOR, on a terminal that knows them. */
export function wantsColor(noColor: boolean, screen: Screen, env = process.env): boolean {
  if (noColor || (env.NO_COLOR ?? "") !== "") return false;
  if ((env.FORCE_COLOR ?? "") !== "") return env.FORCE_COLOR !== "0";
  return screen.isTTY === true && env.TERM !== "dumb";
}

/** Who would be asked, and how much of it there is. */
export function promptHead({ role, model, id, tokens, images }: FirstPrompt): string {
  const pictures = images === 0 ? [] : [images === 1 ? "1 picture" : `${images} pictures`];
  const parts = [`${role} (${model ?? "no model is configured"})`, ...(id ? [id] : []), `about ${tokens} tokens`];
  return plainLine([...parts, ...pictures].join(" · "));
}

/** Prints the texts of a prompt whole, and what was done to reach it. */
export function printPrompt(
  terminal: Pick<TerminalPort, "print" | "style">,
  { system, user, does }: FirstPrompt,
): void {
  for (const [name, text] of Object.entries({ system, user }))
    if (text !== undefined) terminal.print(`\n${terminal.style("bold", `── ${name}`)}\n${plainText(text)}`);
  terminal.print();
  if (does !== undefined) terminal.print(`To reach the prompt, it ${does}.`);
}
