// No program that is wrong is taken for done because of what it does to the judge in its own process. Real sandbox, real
// runners, as root and as an ordinary user; through the real binary for what a model could answer.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { bwrap } from "../sandbox/bwrap-works.ts";
import { judgeProgram } from "./judge-trial.ts";
import { stages } from "./judge-tricks.ts";

const mayChangeUser = process.getuid?.() === 0;

describe.skipIf(!bwrap).each(stages)("A wrong program under $name (skipped where bwrap does not work)", (stage) => {
  it("is taken for done once it is right", async () => {
    expect(await judgeProgram(stage, stage.right)).toMatchObject({ isGreen: true, isDone: true, findings: [] });
  });

  it.each(stage.tricks)("is not taken for done by $title", async ({ source }) => {
    const { isDone, ...rest } = await judgeProgram(stage, source);
    expect(isDone, JSON.stringify(rest)).toBe(false);
  });
});

describe.skipIf(!bwrap || !mayChangeUser)(
  "An ordinary user (skipped where bwrap does not work, or root does not run this)",
  () => {
    it("has the same judges: no trick gets by them there either", { timeout: 600_000 }, async () => {
      const program = fileURLToPath(new URL("programs/all-tricks.ts", import.meta.url));
      const child = spawn(process.execPath, ["--conditions=loopwright-source", program], {
        stdio: ["ignore", "pipe", "inherit"],
        env: { PATH: process.env.PATH, TMPDIR: process.env.TMPDIR },
        uid: 65534,
        gid: 65534,
      });
      let output = "";
      child.stdout.on("data", (chunk) => {
        output += chunk;
      });
      await once(child, "close");
      expect(output).toMatch(/^[1-9]\d* tricks, 0 got by; 3 of 3 right programs are done\n$/);
    });
  },
);
