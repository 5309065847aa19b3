import { setTimeout as pause } from "node:timers/promises";
import { expect, test } from "vitest";
import { watchLife } from "./life.ts";

const nobody = new AbortController().signal;

test("A life without a beat ends, and has stalled.", async () => {
  const life = watchLife(30, nobody);
  await expect.poll(() => life.signal.aborted).toBe(true);
  expect(life.hasStalled).toBe(true);
});

test("Beats keep it for as long as they come.", async () => {
  const life = watchLife(150, nobody);
  for (let n = 0; n < 6; n++) {
    await pause(50);
    life.beat();
  }
  expect(life.signal.aborted).toBe(false);
  life.end();
});

test("Its caller's abort ends it, and is no stall.", () => {
  const controller = new AbortController();
  const life = watchLife(1_000, controller.signal);
  controller.abort(new Error("why"));
  expect(life.signal.reason).toEqual(new Error("why"));
  expect(life.hasStalled).toBe(false);
  life.end();
});

test("Its end aborts what still hangs on it, and a late beat does not start it again.", async () => {
  const life = watchLife(40, nobody);
  life.end();
  life.beat();
  expect(life.signal.aborted).toBe(true);
  await pause(80);
  expect(life.hasStalled).toBe(false);
});

test("A timeout of a year does not fire at once.", async () => {
  const life = watchLife(365 * 24 * 3600 * 1000, nobody);
  await pause(30);
  expect(life.signal.aborted).toBe(false);
  life.end();
});
