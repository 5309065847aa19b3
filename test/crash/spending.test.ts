// L5: what a run was charged with, children included, against what a server sent (`npm run soak -- spending` has more of it).

import { expect, it } from "vitest";
import { spend } from "./spending.ts";

it("A run that nothing disturbs is charged with what the server sent, to the token.", { timeout: 60_000 }, async () => {
  const { outcome, sent, recorded, inFlight } = await spend(1, 0);
  expect({ outcome, inFlight }).toEqual({ outcome: "done", inFlight: 0 });
  expect(recorded).toBe(sent);
});

it("A run that is killed and interrupted is charged with no less than that, and with at most its calls in flight more.", {
  timeout: 120_000,
}, async () => {
  const { faults, killed, interrupted, sent } = await spend(5, 3);
  expect(faults).toEqual([]);
  expect(killed + interrupted).toBeGreaterThan(1);
  expect(sent).toBeGreaterThan(0);
});
