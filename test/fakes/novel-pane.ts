// A writer at a real terminal: types, pastes, and sees one thing after another.

import { mkdirSync, readFileSync } from "node:fs";
import { setTimeout as wait } from "node:timers/promises";
import { BIN } from "./cli.ts";
import { Pane } from "./tmux.ts";

const PATIENCE_MS = 15_000;

export class WriterPane extends Pane {
  /** How far everything that stands in the terminal has been looked at. */
  #seen = 0;
  readonly #pidFile: string;

  constructor(
    cwd: string,
    args = "",
    env: Readonly<Record<string, string>> = {},
    // High enough that nothing ever leaves the screen, so that what was seen stays where it was.
    size: { columns: number; rows: number } = { columns: 100, rows: 400 },
  ) {
    const home = `${cwd}/no-home`;
    mkdirSync(home, { recursive: true });
    const program = `${process.execPath} ${BIN} novel ${args}`;
    const command = `sh -c 'echo $$ > ${cwd}/pid; exec ${program}'`;
    super({ ...size, cwd, command, env: { HOME: home, TERM: "xterm-256color", ...env } });
    this.#pidFile = `${cwd}/pid`;
  }

  /** Whether the program is still there. */
  isAlive(): boolean {
    try {
      process.kill(Number(readFileSync(this.#pidFile, "utf8")), 0);
      return true;
    } catch {
      return false;
    }
  }

  /** Types a text, letter by letter. */
  type(text: string): void {
    this.press("-l", text);
  }

  /** Types a line and submits it. */
  say(text: string): void {
    this.type(text);
    this.press("Enter");
  }

  /** Pastes a text, marked as such where the program has asked for that. */
  paste(text: string): void {
    this.tmux("set-buffer", "--", text);
    this.tmux("paste-buffer", "-p");
  }

  /** Waits until these texts stand below what was seen before, one after the other. */
  async sees(...texts: string[]): Promise<void> {
    for (const text of texts) {
      const deadline = performance.now() + PATIENCE_MS;
      for (;;) {
        const shown = this.screen().join("\n");
        const at = shown.indexOf(text.trimEnd(), this.#seen);
        if (at >= 0) {
          this.#seen = at + text.trimEnd().length;
          break;
        }
        if (performance.now() > deadline)
          throw new Error(`'${text}' never came; since then there is:\n${shown.slice(this.#seen)}\n\nall:\n${shown}`);
        await wait(20);
      }
    }
  }

  /** Every line that was written, as the terminal broke it, what has left the screen too. */
  written(): string[] {
    return this.tmux("capture-pane", "-p", "-S", "-").split("\n");
  }

  /** What stands below what was seen. */
  rest(): string {
    return this.screen().join("\n").slice(this.#seen);
  }

  /** Sees a question, and answers it. */
  async answers(question: string, answer: string): Promise<void> {
    await this.sees(question);
    this.say(answer);
  }
}
