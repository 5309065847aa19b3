// No program that is wrong is taken for done by what is in no function, in no source, or in the place of something else. Real
// sandbox, real runners, as root and as an ordinary user.

import { describe, expect, it } from "vitest";
import { mayChangeUser, runAsOrdinaryUser } from "../sandbox/as-ordinary-user.ts";
import { bwrap } from "../sandbox/bwrap-works.ts";
import { judgeScene } from "./judge-again-trial.ts";
import {
  commandTricks,
  honestScenes,
  nodeTricks,
  openTricks,
  pythonTricks,
  vitestTricks,
} from "./judge-again-tricks.ts";

const kinds = [
  { name: "pytest", tricks: pythonTricks },
  { name: "a command", tricks: commandTricks },
  { name: "node", tricks: nodeTricks },
  { name: "vitest", tricks: vitestTricks },
];

describe.skipIf(!bwrap).each(kinds)("A wrong program under $name (skipped where bwrap does not work)", ({ tricks }) => {
  it.each(tricks)("is not taken for done by $title", { timeout: 120_000 }, async ({ scene }) => {
    const { isDone, ...rest } = await judgeScene(scene);
    expect(isDone, JSON.stringify(rest)).toBe(false);
  });
});

describe.skipIf(!bwrap)("A right program (skipped where bwrap does not work)", () => {
  it.each(honestScenes)("is done with $title", { timeout: 120_000 }, async ({ scene }) => {
    const { isDone, ...rest } = await judgeScene(scene);
    expect(isDone, JSON.stringify(rest)).toBe(true);
  });
});

describe.skipIf(!bwrap || !mayChangeUser)("What is known to get by as root (skipped where bwrap does not work)", () => {
  it.fails.each(openTricks)("$title", { timeout: 120_000 }, async ({ scene }) => {
    expect((await judgeScene(scene)).isDone).toBe(false);
  });
});

describe.skipIf(!bwrap || !mayChangeUser)(
  "An ordinary user (skipped where bwrap does not work, or root does not run this)",
  () => {
    it("has the same judges: no trick gets by them there either", { timeout: 600_000 }, async () => {
      const output = await runAsOrdinaryUser(new URL("programs/all-scenes.ts", import.meta.url));
      expect(output).toMatch(/^[1-9]\d* tricks, 0 got by\n$/);
    });
  },
);
