// A real terminal: a pane of a tmux server of its own, with everything that was written to it.

import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";

/** Whether tmux is installed; where it is not, tests that need it are skipped. */
export const hasTmux = spawnSync("tmux", ["-V"]).status === 0;

export interface PaneOptions {
  columns: number;
  rows: number;
  cwd: string;
  /** What the pane runs, as a line for sh. */
  command: string;
  env?: Readonly<Record<string, string>>;
  /** How many milliseconds something that is waited for may take. */
  patience?: number;
}

const PATIENCE_MS = 20_000;

export class Pane implements Disposable {
  /** Short, since the path of a socket may not be long. */
  readonly #dir = mkdtempSync(join(tmpdir(), "lw-tmux-"));

  readonly #patience: number;

  constructor({ columns, rows, cwd, command, env = {}, patience = PATIENCE_MS }: PaneOptions) {
    this.#patience = patience;
    const [raw, script, begun] = ["raw", "script", "begun"].map((name) => join(this.#dir, name));
    writeFileSync(raw!, "");
    // Nothing runs before its output is kept; and what comes after the command outlives Ctrl-C.
    writeFileSync(
      script!,
      `until [ -e ${begun} ]; do sleep 0.01; done
${Object.entries(env)
  .map(([name, value]) => `export ${name}='${value}'`)
  .join("\n")}
trap : INT
${command}
echo "[exit $?]"
stty -a | tr -s ' ;\\n' '\\n' | grep -c -x -e icanon -e echo -e isig -e opost | sed 's/.*/[modes &]/'
exec cat > /dev/null\n`,
    );
    const size = ["-x", String(columns), "-y", String(rows)];
    this.tmux("-u", "-f", "/dev/null", "new-session", "-d", ...size, "-c", cwd, `sh ${script}`);
    this.tmux("pipe-pane", `cat >> ${raw}`);
    writeFileSync(begun!, "");
  }

  /** Any command of tmux, for this server alone. */
  tmux(...args: string[]): string {
    const { PATH = "" } = process.env;
    const env = { PATH, HOME: this.#dir, LANG: "C.UTF-8", SHELL: "/bin/sh" };
    return execFileSync("tmux", ["-S", join(this.#dir, "s"), ...args], { encoding: "utf8", env, stdio: "pipe" });
  }

  /** The lines that can be seen, without the blank ones at the end. */
  screen(): string[] {
    return toLines(this.tmux("capture-pane", "-p"));
  }

  /** Every line since the start; rows that belong to one line are joined. */
  scrollback(): string[] {
    return toLines(this.tmux("capture-pane", "-p", "-J", "-S", "-"));
  }

  /** What was written to the terminal, byte for byte. */
  raw(): string {
    return readFileSync(join(this.#dir, "raw"), "utf8");
  }

  /** Presses keys, by the names that tmux has for them. */
  press(...keys: string[]): void {
    this.tmux("send-keys", ...keys);
  }

  resize(columns: number, rows: number): void {
    this.tmux("resize-window", "-x", String(columns), "-y", String(rows));
  }

  #hasCursor(): boolean {
    return this.tmux("display-message", "-p", "#{cursor_flag}").trim() === "1";
  }

  /** Closes the terminal, as someone does who closes the window. */
  close(): void {
    this.tmux("kill-server");
  }

  /** Waits until what is seen is as wanted, and gives it back; each look is handed to `look`. */
  async until(wanted: (screen: string[]) => boolean, look: (screen: string[]) => void = () => {}): Promise<string[]> {
    const deadline = performance.now() + this.#patience;
    for (;;) {
      const screen = this.screen();
      look(screen);
      if (wanted(screen)) return screen;
      if (performance.now() > deadline) throw new Error(`it never came; the screen is:\n${screen.join("\n")}`);
      await wait(25);
    }
  }

  /** Waits until a line holds the text. */
  untilSeen(text: string | RegExp, look?: (screen: string[]) => void): Promise<string[]> {
    return this.until((screen) => screen.some((line) => line.search(text) >= 0), look);
  }

  /** Waits until the command has ended; says its exit code, and whether the terminal is as it was before. */
  async untilEnded(look?: (screen: string[]) => void): Promise<{ exit: number; isSound: boolean }> {
    const screen = (await this.untilSeen(/^\[modes \d\]/, look)).join("\n");
    const [, exit, modes] = /^\[exit (\d+)\]\n\[modes (\d)\]/m.exec(screen)!;
    return { exit: Number(exit), isSound: modes === "4" && this.#hasCursor() };
  }

  [Symbol.dispose](): void {
    try {
      this.close();
    } catch {
      // It is closed already.
    }
    rmSync(this.#dir, { recursive: true, force: true, maxRetries: 5 });
  }
}

function toLines(captured: string): string[] {
  const lines = captured.split("\n").map((line) => line.trimEnd());
  while (lines.at(-1) === "") lines.pop();
  return lines;
}

/** What a stream does to a terminal. */
export interface Replay {
  /** The lines as they stand at the end. */
  lines: string[];
  /** Lines for good that were written over or erased after they had been left behind. */
  damaged: string[];
  /** Control sequences that a sound display has no need of. */
  foreign: string[];
}

/** A control sequence without its beginning, the end of a line, or text. */
const TOKENS = /\r|\n|\p{Cc}\[?([0-9;?]*[^0-9;?])|\P{Cc}+/gu;

/** Follows a stream by the letter: `isForGood` says which lines must never be touched again. */
export function replay(raw: string, isForGood: (line: string) => boolean): Replay {
  const lines: string[] = [""];
  const damaged: string[] = [];
  const foreign: string[] = [];
  const leftBehind = new Set<number>();
  let [row, column] = [0, 0];
  const change = (at: number, text: string) => {
    const old = lines[at] ?? "";
    if (old !== text && leftBehind.delete(at) && isForGood(old)) damaged.push(old);
    lines[at] = text;
  };
  for (const [token, sequence] of raw.matchAll(TOKENS)) {
    if (token === "\r") column = 0;
    else if (token === "\n") {
      leftBehind.add(row++);
      lines[row] ??= "";
    } else if (sequence === undefined) {
      const old = lines[row]!.padEnd(column);
      change(row, old.slice(0, column) + token + old.slice(column + token.length));
      column += token.length;
    } else if (/^\d+A$/.test(sequence)) row -= Number.parseInt(sequence, 10);
    else if (/^[JK]$/.test(sequence)) {
      change(row, lines[row]!.slice(0, column));
      for (let at = row + 1; sequence === "J" && at < lines.length; at++) change(at, "");
    } else if (!/^(\?7[lh]|[\d;]*m)$/.test(sequence)) foreign.push(sequence);
  }
  return { lines: toLines(lines.join("\n")), damaged, foreign };
}
