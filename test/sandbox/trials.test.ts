// Versions that do harm: each costs itself alone, the next one is tried as if it had never been, and the workspace is
// untouched. Both for root and for an ordinary user.

import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { mayChangeUser, runAsOrdinaryUser } from "./as-ordinary-user.ts";
import { bwrap } from "./bwrap-works.ts";
import { type HostileTrials, languages, openHostile } from "./hostile-trials.ts";

// Much of it is waiting for what has been stopped: the ordinary user's trials run beside root's.
const ofOrdinaryUser = bwrap && mayChangeUser && runAsOrdinaryUser(new URL("programs/all-hostile.ts", import.meta.url));

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

describe.skipIf(!ofOrdinaryUser)(
  "An ordinary user (skipped where bwrap does not work, or root does not run this)",
  () => {
    it("has the same trials: no hostile version is felt there either", { timeout: 600_000 }, async () => {
      expect(await ofOrdinaryUser).toMatch(/^[1-9]\d* versions, 0 were felt\n$/);
    });
  },
);
