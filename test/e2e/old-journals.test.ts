// Projects that older programs left behind: what they did can still be listed, shown and verified, and runs go on or say why
// not. test/fixtures/journals/0.1 was made by that version's own binary, 2fd1956 by the program as of that commit: the last
// one whose chain did not cover the run's id.

import { cpSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, expect, it } from "vitest";
import { Folder, lastLine } from "../fakes/cli.ts";
import { openTemp } from "../faults/harness.ts";
import { fill } from "../faults/programs/loops.ts";

const journals = join(import.meta.dirname, "../fixtures/journals");
const runs = {
  tidy: "20261116-022524_tidy",
  hull: "20261116-022526_hull-demo",
  code: "20261116-022532_code",
  search: "20261116-022542_code",
};

function leftBehind(by = "0.1"): Folder {
  const folder = new Folder();
  cpSync(join(journals, by), join(folder.dir, ".loopwright"), { recursive: true });
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

  it("says in one sentence that a search cannot go on", async () => {
    using at = leftBehind();
    const ended = await at.cli(`resume ${runs.search} --max-iterations 3`);
    expect(ended.code).toBe(2);
    expect(ended.stderr).toContain("repaired by search");
    expect(ended.stderr).not.toContain("loopwright resume");
    expect((await at.cli(`verify ${runs.search}`)).code).toBe(0);
  });
});

describe("a project of 2fd1956", { timeout: 60_000 }, () => {
  const stopped = "20261116-060347_stopped";
  const killed = "20261116-060348_fill";
  const all = [stopped, "20261116-060347_files", `${stopped}-fork`, killed];

  it.each(all)("lists, shows, verifies and rebuilds %s", async (run) => {
    using at = leftBehind("2fd1956");
    expect((await at.cli("runs")).stdout).toContain(run);
    expect((await at.cli(`verify ${run}`)).code).toBe(0);
    const shown = await at.cli(`show ${run} --rebuild`);
    expect(shown.code, shown.stderr).toBe(0);
    expect((await at.cli(`verify ${run}`)).code).toBe(0);
  });

  it.each([stopped, `${stopped}-fork`, killed])("goes on with %s, in the chain that it began with", async (run) => {
    using at = leftBehind("2fd1956");
    const project = await openTemp({ dir: at.dir });
    const before = await project.ports.journal.read(run);
    const { iterations } = await project.record(run);
    const ceilings = { iterations: iterations + 2 };
    expect(await project.resume(fill, run, { ceilings })).toMatchObject({ outcome: "ceiling", advanced: true });
    const rows = await project.ports.journal.read(run);
    expect(rows.slice(0, before.length)).toEqual(before);
    expect(rows.length).toBeGreaterThan(before.length);
    expect(await project.verify(run)).toMatchObject({ ok: true });
    await project.ports.journal.dropFold(run);
    expect(await project.state(run)).toMatchObject({ iterations: iterations + 2 });
  });

  it("forks a run into the chain of now", async () => {
    using at = leftBehind("2fd1956");
    const project = await openTemp({ dir: at.dir });
    const fork = await project.fork(stopped, 3);
    const [first] = await project.ports.journal.read(fork);
    expect(JSON.parse(first!.body).chain).toEqual({ form: 2 });
    expect(await project.resume(fill, fork, { ceilings: { iterations: 4 } })).toMatchObject({ outcome: "ceiling" });
    expect(await project.verify(fork)).toMatchObject({ ok: true });
  });

  it("says of two runs in each other's place whose events they are", async () => {
    using at = leftBehind("2fd1956");
    const db = new DatabaseSync(join(at.dir, ".loopwright/journal.db"));
    db.exec(`UPDATE runs SET name = 'x' WHERE name = '${stopped}'; UPDATE runs SET name = '${stopped}' WHERE name = '${killed}';
      UPDATE runs SET name = '${killed}' WHERE name = 'x'; DELETE FROM folds`);
    db.close();
    const project = await openTemp({ dir: at.dir });
    expect((await project.verify(stopped)).problems).toEqual([`its events are those of run ${killed}`]);
    expect((await project.verify(killed)).problems).toEqual([`its events are those of run ${stopped}`]);
  });
});
