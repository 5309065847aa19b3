// A project that 0.1 left behind: what it did can still be listed, shown and verified, and its runs go on or say why not.
// test/fixtures/journals/0.1 was made by that version's own binary.

import { cpSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { Folder, lastLine } from "../fakes/cli.ts";

const old = join(import.meta.dirname, "../fixtures/journals/0.1");
const runs = {
  tidy: "20261116-022524_tidy",
  hull: "20261116-022526_hull-demo",
  code: "20261116-022532_code",
  search: "20261116-022542_code",
};

function leftBehind(): Folder {
  const folder = new Folder();
  cpSync(old, join(folder.dir, ".loopwright"), { recursive: true });
  return folder;
}

describe("a project of 0.1", { timeout: 60_000 }, () => {
  it("lists its runs, each with its loop and how it stands", async () => {
    using at = leftBehind();
    const { runs: listed } = (await at.document("runs")) as unknown as { runs: { run: string; loop: string }[] };
    expect(listed.map(({ run, loop }) => [run, loop]).sort()).toEqual([
      [runs.tidy, "tidy"],
      [runs.hull, "hull"],
      [runs.code, "code"],
      [runs.search, "code"],
    ]);
  });

  it.each(Object.entries(runs))("shows, explains, verifies and rebuilds its run of %s", async (_, run) => {
    using at = leftBehind();
    expect((await at.cli(`verify ${run}`)).code).toBe(0);
    const shown = await at.cli(`show ${run} --rebuild`);
    expect(shown.code, shown.stderr).toBe(0);
    expect(shown.stdout).toContain(run);
    expect((await at.cli(`explain ${run}`)).code).toBe(0);
    expect(at.has(`runs/${run}/report.html`)).toBe(true);
  });

  it("shows what its models were asked", async () => {
    using at = leftBehind();
    const { calls } = await at.document(`show ${runs.code} --calls`);
    expect(calls).toHaveLength(5);
  });

  it("goes on with a run that stopped at a ceiling", async () => {
    using at = leftBehind();
    const ended = await at.cli(`resume ${runs.hull} --max-iterations 3 --json`);
    expect(ended.code, ended.stderr).toBe(3);
    expect(lastLine(ended)).toMatchObject({ type: "run-ended", outcome: "ceiling", iterations: 3 });
    expect((await at.cli(`verify ${runs.hull}`)).code).toBe(0);
  });

  it("says in one sentence that a search is another loop now", async () => {
    using at = leftBehind();
    const ended = await at.cli(`resume ${runs.search} --max-iterations 3`);
    expect(ended.code).toBe(2);
    expect(ended.stderr).toContain("loopwright repair --workspace . --tests PATH");
    expect(ended.stderr).not.toContain("loopwright resume");
    expect((await at.cli(`verify ${runs.search}`)).code).toBe(0);
  });
});
