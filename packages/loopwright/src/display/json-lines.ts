// A run with `--json`: one event per line, and its end or its gate as the last.

import type { LoopEvent, RunResult } from "@loopwright/core";
import type { Terminal } from "@loopwright/terminal";
import { eventToLine, resultToLine } from "./json-events.ts";

export class JsonLines {
  readonly #terminal: Terminal;
  readonly #root: string;
  /** The run that the command drives: the first that is heard of. */
  #run: string | undefined;

  constructor(terminal: Terminal, root: string) {
    this.#terminal = terminal;
    this.#root = root;
  }

  take(event: LoopEvent): void {
    this.#run ??= event.run;
    if (event.type === "run-ended" && event.run === this.#run) {
      // Its end is told once, by `finish`, with all that the last line must carry; unless another run takes over.
      if (!event.by) return;
      this.#run = event.by.run;
    }
    this.#terminal.print(JSON.stringify(eventToLine(event, this.#root)));
  }

  finish(result: RunResult): void {
    this.#terminal.print(JSON.stringify(resultToLine(result, this.#root, Date.now())));
  }
}
