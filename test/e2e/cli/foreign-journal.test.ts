// A journal that came with a folder: whatever it says of where its files are, looking at it and pruning it touch nothing
// outside of the run's own folder.

import { mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, expect, it } from "vitest";
import { linkOf, newChain } from "../../../packages/core/src/record/links.ts";
import { Folder, fixtureProject, runIn } from "../../fakes/cli.ts";

/** A project with a run that has saved files, beside a folder that it has no business in. */
async function withRun(): Promise<{ at: Folder; around: Folder; run: string }> {
  const [at, around] = [fixtureProject(), new Folder()];
  const run = runIn(await at.steer({ way: "done" }));
  await around.write("precious/kept.txt", "precious");
  return { at, around, run };
}

/** Has every event of the journal say something else, with links as they must be. */
function rewrite(at: Folder, change: (body: string) => string): void {
  using db = new DatabaseSync(join(at.dir, ".loopwright/journal.db"));
  const { name } = db.prepare("SELECT name FROM runs").get()!;
  const rows = db.prepare("SELECT id, body FROM events ORDER BY id").all();
  let { link } = newChain(String(name), JSON.parse(String(rows[0]!.body)).loop);
  for (const { id, body } of rows) {
    const changed = change(String(body));
    link = linkOf(link, changed);
    db.prepare("UPDATE events SET body = ?, link = ? WHERE id = ?").run(changed, Buffer.from(link, "hex"), id!);
  }
  db.exec("DELETE FROM folds");
}

describe.concurrent("a journal that came with a folder", { timeout: 120_000 }, () => {
  it.each(["show --rebuild", "resume", "prune --older-than 0h", "prune --older-than 0h --stopped", "verify RUN"])(
    "says where its files are, and '%s' does not go there",
    async (words) => {
      const { at, around, run } = await withRun();
      using _at = at;
      using _around = around;
      const precious = relative(join(at.dir, "runs"), join(around.dir, "precious"));
      for (const place of [precious, `${run}/../${precious}`, "../loops", "..", "", "."]) {
        rewrite(at, (body) => body.replace(/"folder":"[^"]*"/, `"folder":"${place}"`));
        const before = [around.listing(), at.listing("loops"), at.listing("runs")];
        const ended = await at.cli(words.replace("RUN", run));
        expect([around.listing(), at.listing("loops"), at.listing("runs")], place).toEqual(before);
        const isTold = /damaged|names a folder that no run has|No run has ended/.test(ended.stdout + ended.stderr);
        expect(isTold, ended.stdout + ended.stderr).toBe(true);
      }
    },
  );

  it("says what its files are called, and none is written elsewhere", async () => {
    const { at, around, run } = await withRun();
    using _at = at;
    using _around = around;
    const out = relative(join(at.dir, "runs", run), join(around.dir, "escaped.txt"));
    for (const path of [out, "../../escaped.txt", "a/../../../escaped.txt"]) {
      rewrite(at, (body) => body.replace(/"artifact":\{"path":"[^"]*"/, `"artifact":{"path":"${path}"`));
      await at.cli(`show ${run} --rebuild`);
      expect(around.has("escaped.txt") || at.has("escaped.txt"), path).toBe(false);
    }
  });

  it("names a file by a digest that is a path, and neither reads nor deletes it", async () => {
    const { at, around, run } = await withRun();
    using _at = at;
    using _around = around;
    const digest = `xx/${relative(join(at.dir, ".loopwright/files/xx/x"), join(around.dir, "precious/kept.txt"))}`;
    mkdirSync(join(at.dir, ".loopwright/files/xx/x"), { recursive: true });
    rewrite(at, (body) => body.replace(/("artifact":\{"path":"[^"]*","digest":")[^"]*/, `$1${digest}`));
    await at.cli(`show ${run} --rebuild`);
    for (const name of readdirSync(join(at.dir, "runs"), { recursive: true, withFileTypes: true }))
      if (name.isFile()) expect(readFileSync(join(name.parentPath, name.name), "utf8")).not.toBe("precious");
    await at.cli("prune --older-than 0h");
    expect(around.read("precious/kept.txt")).toBe("precious");
  });

  it("has a link for a run's folder, and nothing is written through it", async () => {
    const { at, around, run } = await withRun();
    using _at = at;
    using _around = around;
    rmSync(join(at.dir, "runs", run), { recursive: true });
    symlinkSync(join(around.dir, "precious"), join(at.dir, "runs", run));
    const before = around.listing();
    await at.cli(`show ${run} --rebuild`);
    expect(around.listing()).toEqual(before);
    rmSync(join(at.dir, "runs", run));
    mkdirSync(join(at.dir, "runs", run));
    writeFileSync(join(at.dir, "runs", run, "x"), "");
    symlinkSync(join(around.dir, "precious"), join(at.dir, "runs", run, "attempt-000"));
    await at.cli(`show ${run} --rebuild`);
    expect(around.listing()).toEqual(before);
    await at.cli("prune --older-than 0h");
    expect(around.listing()).toEqual(before);
  });
});
