// Every attempt is made for real, and what it did is looked for from outside.

import { openSandbox } from "@loopwright/sandbox";
import { describe, expect, it } from "vitest";
import { getsThrough, makeAttempt } from "./attempt.ts";
import { attempts } from "./attempts/index.ts";
import { bwrap } from "./bwrap-works.ts";

describe.skipIf(!bwrap)(
  `None of ${attempts.length} attempts gets out of the sandbox (skipped where bwrap does not work)`,
  {
    concurrent: true,
  },
  () => {
    for (const attempt of attempts)
      it(`holds against ${attempt.title}`, { timeout: 60_000 }, async () => {
        await expect(makeAttempt(attempt, bwrap!)).resolves.toBeUndefined();
      });
  },
);

describe.skipIf(!bwrap)("An attempt is a real one (skipped where bwrap does not work)", { concurrent: true }, () => {
  for (const attempt of attempts.filter(({ worksOutside }) => worksOutside))
    it(`gets through where nothing holds it: ${attempt.title}`, async () => {
      await expect(getsThrough(attempt, await openSandbox("none"))).resolves.toBe(true);
    });

  it("has a title of its own", () => {
    expect(new Set(attempts.map(({ title }) => title)).size).toBe(attempts.length);
    expect(attempts.length).toBeGreaterThanOrEqual(40);
  });
});
