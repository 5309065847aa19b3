// The machine's clock.

import { setTimeout } from "node:timers/promises";
import type { Clock } from "../ports.ts";

/** The machine's own clock. */
export const machineClock: Clock = {
  now: () => Date.now(),
  steady: () => performance.now(),
  wait: (ms, signal) => setTimeout(ms, undefined, { signal }),
};
