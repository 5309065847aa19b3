// Which tests choose and which decide. Pure.
//
// Where no held-out tests are given, every third of those there are is held out. Failing tests are counted first, so that
// two of them always stay visible: without one there would be nothing to search by.

import type { Report } from "@loopwright/workspace";

const EVERY = 3;

export interface Split {
  failing: string[];
  passing: string[];
  held_out: string[];
}

/** Splits the tests of a report; with given held-out tests all of them choose. */
export function splitTests({ tests }: Report, { areGiven }: { areGiven: boolean }): Split {
  const named = (state: string) => tests.filter((test) => test.state === state).map(({ name }) => name);
  const [failing, passing] = [named("failed"), named("passed")];
  const inOrder = [...failing, ...passing];
  const isHeldOut = (name: string) => !areGiven && inOrder.indexOf(name) % EVERY === EVERY - 1;
  return {
    failing: failing.filter((name) => !isHeldOut(name)),
    passing: passing.filter((name) => !isHeldOut(name)),
    held_out: inOrder.filter(isHeldOut),
  };
}

/** The report of the tests that choose, and the results of the held-out ones among them, in their order. */
export function withoutHeldOut(report: Report, held_out: readonly string[]) {
  const hidden = new Set(held_out);
  const states = new Map(report.tests.map(({ name, state }) => [name, state]));
  const results = held_out.map((name) => (states.get(name) === "passed" ? ("passed" as const) : ("failed" as const)));
  return { visible: { ...report, tests: report.tests.filter(({ name }) => !hidden.has(name)) }, results };
}
