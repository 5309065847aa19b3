// Ctrl-C: once finishes the current write and stops cleanly, twice stops at once. SIGTERM and SIGHUP count as once.

/** The exit code of a command that was stopped by hand. */
export const INTERRUPTED_EXIT = 130;

/** The signal that a run is driven with; `notice` is called at the first interrupt. */
export function watchInterrupts(notice: () => void): AbortSignal & Disposable {
  const controller = new AbortController();
  const stop = (name: NodeJS.Signals) => {
    if (controller.signal.aborted && name === "SIGINT") process.exit(INTERRUPTED_EXIT);
    if (controller.signal.aborted) return;
    controller.abort();
    notice();
  };
  const names: NodeJS.Signals[] = ["SIGINT", "SIGTERM", "SIGHUP"];
  for (const name of names) process.on(name, stop);
  const dispose = () => {
    for (const name of names) process.off(name, stop);
  };
  return Object.assign(controller.signal, { [Symbol.dispose]: dispose });
}
