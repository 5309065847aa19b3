// Every loop's recorded sessions come to what they came to before: `expected.json` says what that was. It was written by the program
// as it was before it was made small, and is written anew (FROZEN=write, FROZEN_BIN for another program) only where a decision says why.

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { hasBlender } from "../fakes/blender.ts";
import { recordings } from "./again.ts";
import { type Frozen, observe, sessions } from "./sessions.ts";

const file = join(import.meta.dirname, "expected.json");
if (process.env.FROZEN === "again")
  describe("again", () => {
    for (const [name, record] of Object.entries(recordings)) it(name, { timeout: 600_000 }, record);
  });

const isWriting = process.env.FROZEN === "write";
const expected: Record<string, Frozen> = JSON.parse(readFileSync(file, "utf8"));
const options = process.env.FROZEN_BIN ? { bin: process.env.FROZEN_BIN } : {};

describe.concurrent("a recorded session", () => {
  for (const [name, session] of Object.entries(sessions))
    it.skipIf(session.needsBlender && !hasBlender)(name, { timeout: 300_000 }, async () => {
      const { ended, ...frozen } = await observe(session, options);
      if (isWriting) expected[name] = frozen;
      else expect(frozen, ended.stdout.slice(-2_000) + ended.stderr).toEqual(expected[name]);
    });
});

afterAll(() => {
  if (!isWriting) return;
  const inOrder = Object.fromEntries(Object.keys(sessions).map((name) => [name, expected[name]]));
  writeFileSync(file, `${JSON.stringify(inOrder, undefined, 2)}\n`);
});
