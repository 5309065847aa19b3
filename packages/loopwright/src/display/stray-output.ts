// What a loop's own code writes to the terminal while something is shown there: a console.log, a warning of Node's.

import { StringDecoder } from "node:string_decoder";
import type { Screen } from "@loopwright/terminal";

/** Hands on what anyone writes to a stream, whole lines at a time, until it is disposed of. */
export function catchOutput(screen: Screen, take: (lines: string[]) => void): Disposable {
  const decoder = new StringDecoder();
  let begun = "";
  const taking = (chunk: string | Uint8Array, ...rest: unknown[]): boolean => {
    const lines = (begun + (typeof chunk === "string" ? chunk : decoder.write(chunk))).split("\n");
    begun = lines.pop() ?? "";
    if (lines.length > 0) take(lines);
    const done = rest.find((argument) => typeof argument === "function");
    if (done) process.nextTick(done as () => void);
    return true;
  };
  const own = Object.getOwnPropertyDescriptor(screen, "write");
  screen.write = taking;
  return {
    [Symbol.dispose]() {
      Reflect.deleteProperty(screen, "write");
      if (own) Object.defineProperty(screen, "write", own);
      if (begun !== "") take([begun]);
    },
  };
}
