// LOOPWRIGHT_JOURNAL_KEY: what only who has it can make, what is found with it, and what each wrong use of it says.

import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { zstdCompressSync, zstdDecompressSync } from "node:zlib";
import { verifyRun } from "@loopwright/core";
import type { Project } from "loopwright";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { linkOf, newChain } from "../../packages/core/src/record/links.ts";
import { failure, journalOf, openTemp, tempFolder } from "./harness.ts";
import { fill, roomy } from "./programs/loops.ts";

const KEY = "b3c1f0-a-key-of-the-tests";
const keyed = () => vi.stubEnv("LOOPWRIGHT_JOURNAL_KEY", KEY);
const wrong = () => vi.stubEnv("LOOPWRIGHT_JOURNAL_KEY", `${KEY}!`);
const none = () => vi.stubEnv("LOOPWRIGHT_JOURNAL_KEY", "");

let dir: string;
beforeEach(async () => {
  dir = await tempFolder();
});
afterEach(() => vi.unstubAllEnvs());

/** A run that stands at a ceiling, begun with a key or without. */
async function stoppedRun(set: () => void): Promise<string> {
  set();
  const project = await openTemp({ dir });
  const { run } = await project.start(fill, { rounds: 6, bytes: 10 }, { ceilings: { iterations: 3 }, seed: 1 });
  await project.close();
  return run;
}

const uses: [string, (project: Project, run: string) => Promise<unknown>][] = [
  ["verify", (project, run) => project.verify(run)],
  ["resume", (project, run) => project.resume(fill, run, { ceilings: roomy })],
  ["fork", (project, run) => project.fork(run, 2)],
];

describe("a run that was begun with a key", () => {
  it("is verified, read, resumed and forked with it, from its fold and from its events alone", async () => {
    const run = await stoppedRun(keyed);
    const project = await openTemp({ dir });
    expect(await project.verify(run)).toMatchObject({ ok: true });
    const fork = await project.fork(run, 2);
    for (const [id, iterations] of [
      [run, 4],
      [run, 5],
      [fork, 4],
    ] as const) {
      expect(await project.resume(fill, id, { ceilings: { iterations } })).toMatchObject({
        iterations,
        advanced: true,
      });
      expect(await project.verify(id)).toMatchObject({ ok: true });
      const kept = await project.state(id);
      await project.ports.journal.dropFold(id);
      expect(await project.state(id)).toEqual(kept);
    }
  });

  it.each(uses)(
    "says to %s in one sentence that the key is missing, or another one, and nothing is written",
    async (_, use) => {
      const run = await stoppedRun(keyed);
      for (const [set, code, words] of [
        [none, "JOURNAL_KEY_MISSING", /^run \S+ was begun with a key; set LOOPWRIGHT_JOURNAL_KEY to that key$/],
        [wrong, "JOURNAL_KEY_WRONG", /^run \S+ was begun with another key than the one in LOOPWRIGHT_JOURNAL_KEY; .*$/],
      ] as const) {
        set();
        for (const isKept of [true, false]) {
          const project = await openTemp({ dir });
          const before = await project.ports.journal.read(run);
          if (!isKept) await project.ports.journal.dropFold(run);
          expect(await failure(use(project, run))).toMatchObject({ code, message: expect.stringMatching(words) });
          expect(await project.ports.journal.read(run)).toEqual(before);
          expect(await project.ports.journal.runs()).toEqual([run]);
        }
      }
    },
  );

  it("is not shown without the key, but can be listed", async () => {
    const run = await stoppedRun(keyed);
    none();
    const project = await openTemp({ dir });
    expect(await project.list()).toMatchObject([{ run, status: "ceiling" }]);
    expect(await failure(project.state(run))).toMatchObject({ code: "JOURNAL_KEY_MISSING" });
    expect(await failure(project.release([run]))).toMatchObject({ code: "JOURNAL_KEY_MISSING" });
    await project.ports.journal.dropFold(run);
    expect(await project.list()).toEqual([{ run, isHeld: false, fault: expect.stringContaining("with a key") }]);
  });

  it("has no byte of the key in the project", async () => {
    await stoppedRun(keyed);
    for (const file of readdirSync(dir, { recursive: true }) as string[]) {
      const path = join(dir, file);
      if (statSync(path).isFile()) expect(readFileSync(path).includes(KEY), file).toBe(false);
    }
  });
});

describe("a run that was begun without a key", () => {
  it.each(uses)("says so to %s in one sentence where there is one, and nothing is written", async (_, use) => {
    const run = await stoppedRun(none);
    keyed();
    const project = await openTemp({ dir });
    const before = await project.ports.journal.read(run);
    expect(await failure(use(project, run))).toMatchObject({
      code: "JOURNAL_KEY_UNUSED",
      message: `run ${run} was begun without a key, so LOOPWRIGHT_JOURNAL_KEY cannot vouch for it; unset it to use the run all the same`,
    });
    expect(await project.ports.journal.read(run)).toEqual(before);
    expect(await project.ports.journal.holder(run, project.ports.process)).toBeUndefined();
    expect(await project.state(run)).toMatchObject({ status: "ceiling" });
  });
});

describe("a journal that was written anew by someone without the key", () => {
  /** Another seed, every link made anew as anyone can, the folds gone, and run.json to match. */
  async function forge(run: string, form?: (first: string) => string): Promise<void> {
    const db = new DatabaseSync(journalOf(dir));
    let { link } = newChain(run, fill.name);
    const rows = db.prepare("SELECT id, body FROM events ORDER BY id").all();
    for (const [index, { id, body: old }] of rows.entries()) {
      const changed = (old as string).replace('"seed":1', '"seed":2');
      const body = index === 0 && form ? form(changed) : changed;
      link = linkOf(link, body);
      db.prepare("UPDATE events SET body = ?, link = ? WHERE id = ?").run(body, Buffer.from(link, "hex"), id!);
    }
    db.exec("DELETE FROM folds");
    db.close();
    const file = join(dir, "runs", run, "run.json");
    writeFileSync(
      file,
      JSON.stringify({ ...JSON.parse(readFileSync(file, "utf8")), head: { seq: rows.length, link } }),
    );
  }

  it("is found with the key, by verify and by a resume", async () => {
    const run = await stoppedRun(keyed);
    await forge(run);
    const project = await openTemp({ dir });
    expect((await project.verify(run)).problems[0]).toBe("event 1 was changed, or does not belong here");
    expect(await failure(project.resume(fill, run, { ceilings: roomy }))).toMatchObject({ code: "JOURNAL_DAMAGED" });
  });

  it("is found with the key also where it says that it was begun without one", async () => {
    const run = await stoppedRun(keyed);
    await forge(run, (first) => JSON.stringify({ ...JSON.parse(first), chain: { form: 2 } }));
    const project = await openTemp({ dir });
    for (const [, use] of uses) expect(await failure(use(project, run))).toMatchObject({ code: "JOURNAL_KEY_UNUSED" });
  });

  it("is not found without one, as docs/journal.md says", async () => {
    const run = await stoppedRun(none);
    await forge(run);
    expect(await (await openTemp({ dir })).verify(run)).toMatchObject({ ok: true });
  });

  it.each(["with the old seal", "with no seal", "with a seal of its own"])(
    "cannot have a resume go on from a fold that was changed, %s",
    async (how) => {
      const run = await stoppedRun(keyed);
      const db = new DatabaseSync(journalOf(dir));
      const [text, seal] = zstdDecompressSync(db.prepare("SELECT body FROM folds").get()!.body as Uint8Array)
        .toString()
        .split("\n");
      const changed = text!
        .replace('"iterations":3,"minutes"', '"iterations":9,"minutes"')
        .replace('"seed":1', '"seed":7');
      expect(changed).not.toBe(text);
      const sealed =
        { "with the old seal": `${changed}\n${seal}`, "with no seal": changed }[how] ??
        `${changed}\n${linkOf("", changed)}`;
      db.prepare("UPDATE folds SET body = ?").run(zstdCompressSync(sealed));
      db.close();
      const project = await openTemp({ dir });
      expect(await project.record(run)).toMatchObject({ seed: 1, ceilings: { iterations: 3 } });
      expect((await project.verify(run)).problems).toEqual(["the kept fold is not what the events amount to"]);
      expect(await project.resume(fill, run)).toMatchObject({ outcome: "ceiling", advanced: false });
    },
  );

  it("has its cut end found by run.json alone, key or no key", async () => {
    const run = await stoppedRun(keyed);
    const db = new DatabaseSync(journalOf(dir));
    db.exec("DELETE FROM events WHERE id = (SELECT max(id) FROM events); DELETE FROM folds");
    db.close();
    const project = await openTemp({ dir });
    expect(await verifyRun(project.ports.journal, project.ports.store, run)).toMatchObject({ ok: true });
    expect((await project.verify(run)).problems[0]).toContain("its end was cut off");
  });
});
