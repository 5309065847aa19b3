// A terminal in memory: what is printed is kept, what is typed comes from a stream.

import { PassThrough, Writable } from "node:stream";
import type { Terminal } from "@loopwright/core";
import type { Asked, Input } from "../../packages/novel/src/repl/input/input.ts";

export interface FakeTerminal {
  terminal: Terminal;
  /** What was printed so far. */
  printed(): string;
  stdin: PassThrough & { isTTY: boolean; isRaw: boolean };
}

/** A terminal that is none of this machine's. */
export function fakeTerminal(options: { isJson?: boolean; isTTY?: boolean; isColored?: boolean } = {}): FakeTerminal {
  let printed = "";
  const stdout = Object.assign(
    new Writable({
      write(chunk, _encoding, done) {
        printed += chunk;
        done();
      },
    }),
    { isTTY: options.isTTY ?? false, columns: 80, rows: 24 },
  );
  const stdin = Object.assign(new PassThrough(), {
    isTTY: options.isTTY ?? false,
    isRaw: false,
    setRawMode(isRaw: boolean) {
      stdin.isRaw = isRaw;
      return stdin;
    },
  });
  const print = (line = "") => void stdout.write(`${line}\n`);
  const terminal = {
    ...{
      stdin,
      stdout,
      stderr: stdout,
      columns: 80,
      isQuiet: false,
      isJson: options.isJson ?? false,
      fault: undefined,
    },
    ...{ print, say: print, warn: print, document: (value: unknown) => print(JSON.stringify(value)) },
    style: (style: unknown, text: string) => (options.isColored ? `<${style}>${text}</>` : text),
  };
  return { terminal: terminal as unknown as Terminal, printed: () => printed, stdin };
}

/** An input that holds these lines; what was asked is kept. */
export function scriptedInput(...lines: string[]): Input & { asked: Asked[] } {
  const asked: Asked[] = [];
  return {
    asked,
    isInteractive: false,
    get isOver() {
      return lines.length === 0;
    },
    read: async (what) => {
      asked.push(what);
      return lines.shift();
    },
    remember: async () => {},
    close: () => {},
    [Symbol.dispose]: () => {},
  };
}
