import { SimulatedClock } from "@loopwright/core/testing";

/** The machine's own clock, for what only real time can show. */
export class RealClock extends SimulatedClock {
  override now(): number {
    return Date.now();
  }

  override steady(): number {
    return performance.now();
  }
}
