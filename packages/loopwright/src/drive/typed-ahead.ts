// What was typed before a question was shown is no answer to it: the terminal is in raw mode for one moment, in which all that
// it holds, a half line too, is taken out.

import { setImmediate as turn } from "node:timers/promises";
import type { ReadStream } from "node:tty";

const TURNS = 4;
const CTRL_C = "\u0003";

/** Said where something was taken out. */
export const TYPED_AHEAD = "(what was typed before this question is not taken as its answer)";

/** Takes out what a terminal holds already; whether there was anything. */
export async function dropTypedAhead(stdin: ReadStream): Promise<boolean> {
  let dropped = "";
  const drop = (chunk: Buffer) => {
    dropped += chunk.toString("latin1");
  };
  stdin.setRawMode(true);
  stdin.on("data", drop).resume();
  // Whatever is there comes in the next turn of the event loop; the first one begins to read.
  for (let turns = 0; turns < TURNS; turns++) await turn();
  stdin.off("data", drop).pause();
  stdin.setRawMode(false);
  if (dropped.includes(CTRL_C)) process.kill(process.pid, "SIGINT");
  return dropped !== "";
}
