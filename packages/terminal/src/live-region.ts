// The live region: the last lines of a terminal, drawn again and again, with what is printed for good above them.
//
// 1. The cursor rests below the region and is never hidden: whatever ends the process, the terminal is sound.
// 2. A change is one write, and it touches nothing above the region.
// 3. A line of the region takes one row, whatever width the terminal gives to its characters.
// 4. While the terminal is being resized the region rests: where its rows are is only known once that is over.

import { stripVTControlCharacters } from "node:util";
import { type Screen, sizeOf } from "./terminal.ts";
import { widthOf } from "./text.ts";

const ESCAPE = "\u001B[";
const ERASE_LINE_END = `${ESCAPE}K`;
const ERASE_BELOW = `${ESCAPE}J`;
const WRAP_OFF = `${ESCAPE}?7l`;
const WRAP_ON = `${ESCAPE}?7h`;

/** tmux tells of a resize up to 250 ms after it has moved the rows. */
const SETTLE_MS = 300;

/** Lines at the foot of a terminal that are drawn anew in place. */
export class LiveRegion {
  readonly #screen: Screen;
  readonly #write: (text: string) => void;
  readonly #canRewrap: boolean;
  /** What stands in the region, and how wide the terminal was then. */
  #lines: readonly string[] = [];
  #columns = 0;
  /** What is to be printed once the terminal has settled. */
  readonly #held: string[] = [];
  #size = { columns: 0, rows: 0 };
  #resizedAt = Number.NEGATIVE_INFINITY;

  constructor(screen: Screen, env = process.env) {
    this.#screen = screen;
    // Taken now, so that the region's own writes pass by whatever is put in the stream's way later.
    this.#write = screen.write.bind(screen);
    this.#canRewrap = rewrapsOnResize(env);
  }

  /** Shows these lines in place of those that stand there. */
  draw(lines: readonly string[]): void {
    if (this.#hasSettled()) this.#put(lines);
  }

  /** Prints lines for good, above the region; while the terminal is being resized, with the next drawing. */
  print(lines: readonly string[]): void {
    this.#held.push(...lines);
    if (this.#hasSettled()) this.#put(this.#lines);
  }

  /** Takes the region away. */
  clear(): void {
    this.#put([]);
  }

  #put(lines: readonly string[]): void {
    const { columns, rows } = sizeOf(this.#screen);
    const shown = lines.slice(0, Math.max(1, rows - 1));
    const printed = this.#held.splice(0).map((line) => `${line}\n`);
    const isStanding = this.#lines.length > 0;
    const isAnew = printed.length > 0 || (isStanding && columns !== this.#columns);
    if (!isAnew && shown.join("\n") === this.#lines.join("\n")) return;
    // Lines are written over the old ones and, where that will do, not erased first, so that nothing flickers.
    const drawn = shown.map((line) => `${line}${ERASE_LINE_END}\n`);
    const start = isStanding ? [this.#toTop(columns), isAnew ? ERASE_BELOW : ""] : [];
    const region = shown.length > 0 ? [WRAP_OFF, ...drawn, WRAP_ON] : [];
    const end = isStanding ? [ERASE_BELOW] : [];
    this.#write([...start, ...printed, ...region, ...end].join(""));
    this.#lines = shown;
    this.#columns = columns;
  }

  /** Whether the terminal's size has stood for a while; so it has where nothing is shown yet. */
  #hasSettled(): boolean {
    const { columns, rows } = sizeOf(this.#screen);
    if (this.#lines.length > 0 && (columns !== this.#size.columns || rows !== this.#size.rows))
      this.#resizedAt = performance.now();
    this.#size = { columns, rows };
    return this.#lines.length === 0 || performance.now() - this.#resizedAt >= SETTLE_MS;
  }

  /** The way from below the region to its first row. */
  #toTop(columns: number): string {
    const rowsOf = (line: string) => {
      const width = Math.min(widthOf(stripVTControlCharacters(line)), this.#columns);
      return this.#canRewrap ? Math.max(1, Math.ceil(width / columns)) : 1;
    };
    return `${ESCAPE}${this.#lines.reduce((sum, line) => sum + rowsOf(line), 0)}A\r`;
  }
}

/** Whether a terminal that is made narrower breaks the lines it shows anew: all do but a few, which cut them off. */
export function rewrapsOnResize(env: NodeJS.ProcessEnv): boolean {
  if (env.TMUX) return true;
  return !env.XTERM_VERSION && !env.STY && !/^(linux|rxvt)/.test(env.TERM ?? "");
}
