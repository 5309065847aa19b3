// Where the REPL's lines come from: a terminal with line editing, or a pipe.

import type { Terminal } from "@loopwright/core";
import { PipeInput } from "./pipe-input.ts";
import { TerminalInput } from "./terminal-input.ts";

/** What is asked for. */
export interface Asked {
  /** What stands before the cursor. */
  prompt: string;
  /** An answer to a question: it is not kept among the lines that can be called back. */
  isAnswer?: boolean;
  /** What can be said here, for completion; without, the commands. */
  words?: readonly string[];
  /** What Ctrl-C at an empty line says; the second time it leaves. */
  leaving?: string;
}

/** What completes a line: the ways it could go on, and the part of it that they replace. */
export type Completer = (line: string) => readonly [readonly string[], string];

export interface Input extends Disposable {
  /** Whether a person is there, who sees what happens and types accordingly. */
  readonly isInteractive: boolean;
  /** Whether nothing more will come. */
  readonly isOver: boolean;
  /** A line; undefined at the end of input, or where the person leaves. It may hold line breaks. */
  read(asked: Asked): Promise<string | undefined>;
  /** The lines that can be called back, and where new ones are kept. */
  remember(file: string): Promise<void>;
  close(): void;
}

export interface InputOptions {
  complete: Completer;
}

/** The input that fits. */
export function openInput(terminal: Terminal, options: InputOptions): Input {
  const { stdin, stdout } = terminal;
  const isTerminal = stdin.isTTY && stdout.isTTY && !terminal.isJson && process.env.TERM !== "dumb";
  return isTerminal ? new TerminalInput(terminal, options) : new PipeInput(terminal);
}
