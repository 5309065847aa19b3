// Versions that do harm: each costs itself alone, the next one is tried as if it had never been, and the workspace is
// untouched. Both for root and for an ordinary user.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { bwrap } from "./bwrap-works.ts";
import { type HostileTrials, languages, openHostile } from "./hostile-trials.ts";

const mayChangeUser = process.getuid?.() === 0;

describe.skipIf(!bwrap).each(languages)(
  "A hostile version in $name (skipped where bwrap does not work)",
  (language) => {
    let trials: HostileTrials;
    beforeAll(async () => {
      trials = await openHostile(language, bwrap!);
    }, 120_000);
    afterAll(() => trials?.[Symbol.asyncDispose](), 60_000);

    it.each(language.versions)("that $title costs itself alone", { timeout: 120_000 }, (version) =>
      trials.tryBetween(version),
    );
  },
);

describe.skipIf(!bwrap || !mayChangeUser)(
  "An ordinary user (skipped where bwrap does not work, or root does not run this)",
  () => {
    it("has the same trials: no hostile version is felt there either", { timeout: 600_000 }, async () => {
      const program = fileURLToPath(new URL("programs/all-hostile.ts", import.meta.url));
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
      expect(output).toMatch(/^[1-9]\d* versions, 0 were felt\n$/);
    });
  },
);
