// Long work on files, cut into slices: each yield is a place where the event loop may have its turn.

import { setImmediate } from "node:timers/promises";

const SLICE_MS = 15;

/** Work that stops at each yield, and goes on from there. */
export type Work<Result> = Generator<unknown, Result>;

/** Does work without keeping anyone waiting for long. */
export async function inSlices<Result>(work: Work<Result>, signal?: AbortSignal): Promise<Result> {
  try {
    for (;;) {
      for (const until = performance.now() + SLICE_MS; performance.now() < until; ) {
        const step = work.next();
        if (step.done) return step.value;
      }
      await setImmediate();
      signal?.throwIfAborted();
    }
  } finally {
    work.return(undefined as never);
  }
}

/** Does work at once, where nobody can wait for it. */
export function atOnce<Result>(work: Work<Result>): Result {
  for (;;) {
    const step = work.next();
    if (step.done) return step.value;
  }
}
