// What a command is: its words and flags as data, from which parsing, help, completion and docs/cli.md all come.

import type { Cli } from "../cli.ts";

export interface Flag {
  name: string;
  short?: string;
  /** What its value is called; a flag without one is a switch. */
  value?: string;
  /** What its value must be; any text where it is left out. */
  kind?: "count" | "amount" | "whole" | "days" | readonly string[];
  isRepeatable?: boolean;
  help: string;
  /** Values that it once took, and what to type now. */
  moved?: Readonly<Record<string, string>>;
}

export interface Word {
  name: string;
  isOptional?: boolean;
  help: string;
  /** What completion offers. */
  offers?: "runs" | "loops" | readonly string[];
  /** Words that it once offered, and what to type now. */
  moved?: Readonly<Record<string, string>>;
}

export interface Command {
  name: string;
  summary: string;
  details?: string;
  words: readonly Word[];
  flags: readonly Flag[];
  examples: readonly string[];
  /** Whether it drives a run, so that the flags for that are shown in its help. */
  drivesRuns?: boolean;
  /** Its code, loaded only when it is run; the number is the exit code. */
  load: () => Promise<{ run: (cli: Cli) => Promise<number> }>;
}

/** A command line that has been read. */
export interface Arguments {
  words: readonly string[];
  flags: Flags;
}

/** The values of flags by name. A switch is true, a repeatable flag a list. */
export type Flags = Readonly<Record<string, string | number | boolean | readonly string[]>>;
