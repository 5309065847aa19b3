// The journal's key at the command line: each wrong use of it is one sentence.

import { describe, expect, it } from "vitest";
import { type CliOptions, fixtureProject, runIn } from "../../fakes/cli.ts";

const key = (value: string): Partial<CliOptions> => ({ env: { LOOPWRIGHT_JOURNAL_KEY: value } });

describe("LOOPWRIGHT_JOURNAL_KEY", { timeout: 60_000 }, () => {
  it("is what a run is begun with, verified and resumed; without it, or with another, one sentence says so", async () => {
    using at = fixtureProject();
    const run = runIn(await at.steer({ way: "endless" }, "--max-iterations 2", key("one")));
    expect((await at.cli(`verify ${run}`, key("one"))).code).toBe(0);
    expect((await at.cli(`resume ${run} --max-iterations 3`, key("one"))).code).toBe(3);
    for (const [options, words] of [
      [{}, "was begun with a key; set LOOPWRIGHT_JOURNAL_KEY to that key"],
      [key("two"), "was begun with another key than the one in LOOPWRIGHT_JOURNAL_KEY; set it to that other one"],
    ] as const) {
      for (const command of [`verify ${run}`, `resume ${run} --max-iterations 4`, `show ${run}`]) {
        const { code, stdout, stderr } = await at.cli(command, options);
        expect({ command, code, stdout, stderr }).toEqual({
          ...{ command, code: 2, stdout: "" },
          stderr: `loopwright: run ${run} ${words}\n`,
        });
      }
    }
  });

  it("cannot vouch for a run that was begun without it", async () => {
    using at = fixtureProject();
    const run = runIn(await at.steer({ way: "endless" }, "--max-iterations 2"));
    for (const command of [`verify ${run}`, `resume ${run} --max-iterations 3`]) {
      const { code, stderr } = await at.cli(command, key("one"));
      expect(code).toBe(2);
      expect(stderr).toBe(
        `loopwright: run ${run} was begun without a key, so LOOPWRIGHT_JOURNAL_KEY cannot vouch for it; unset it to use the run all the same\n`,
      );
    }
    expect((await at.cli(`show ${run}`, key("one"))).code).toBe(0);
    expect((await at.cli(`resume ${run} --max-iterations 3`)).code).toBe(3);
  });
});
