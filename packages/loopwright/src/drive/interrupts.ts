// Ctrl-C: once finishes the current write and stops cleanly, twice stops at once. SIGTERM and SIGHUP count as once.

import { outcomes, TERMINATED_EXIT } from "@loopwright/core";

/** Aborted at the first interrupt; `exit` is what a command that was stopped by it ends with. */
export type Interrupts = AbortSignal & Disposable & { exit(): number };

/** The signal that a run is driven with; `notice` is called at the first interrupt. */
export function watchInterrupts(notice: () => void): Interrupts {
  const controller = new AbortController();
  let exit: number = outcomes.interrupted.exit;
  const stop = (name: NodeJS.Signals) => {
    if (controller.signal.aborted && name === "SIGINT") process.exit(exit);
    if (controller.signal.aborted) return;
    if (name === "SIGTERM") exit = TERMINATED_EXIT;
    controller.abort();
    notice();
  };
  const names: NodeJS.Signals[] = ["SIGINT", "SIGTERM", "SIGHUP"];
  for (const name of names) process.on(name, stop);
  const dispose = () => {
    for (const name of names) process.off(name, stop);
  };
  return Object.assign(controller.signal, { exit: () => exit, [Symbol.dispose]: dispose });
}
