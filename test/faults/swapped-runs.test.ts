// Rows, folds, summaries and folders of one run put in the place of another's: verify names each, and a resume goes on with none.

import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { zstdCompressSync, zstdDecompressSync } from "node:zlib";
import { openProject } from "loopwright";
import { beforeEach, describe, expect, it } from "vitest";
import { ROW_SPAN } from "../../packages/core/src/journal/sqlite/schema.ts";
import { failure, journalOf, openTemp, tempFolder } from "./harness.ts";
import { fill, roomy } from "./programs/loops.ts";

let dir: string;
let one: string;
let two: string;
beforeEach(async () => {
  dir = await tempFolder();
  const project = await openProject({ dir });
  const ceilings = { iterations: 3 };
  one = (await project.start(fill, { rounds: 6, bytes: 10 }, { ceilings, slug: "one", seed: 1 })).run;
  two = (await project.start(fill, { rounds: 9, bytes: 10 }, { ceilings, slug: "two", seed: 2 })).run;
  await project.close();
});

function change(sql: string): void {
  const db = new DatabaseSync(journalOf(dir));
  db.exec(sql);
  db.close();
}

const span = ROW_SPAN;
const swapRows = `UPDATE events SET id = id + ${span * 10} WHERE id < ${span * 2};
  UPDATE events SET id = id - ${span} WHERE id < ${span * 3};
  UPDATE events SET id = id - ${span * 9} WHERE id > ${span * 10}`;
const swapFolds =
  "UPDATE folds SET run = -1 WHERE run = 1; UPDATE folds SET run = 1 WHERE run = 2; UPDATE folds SET run = 2 WHERE run = -1";

describe("two runs in each other's place", () => {
  it.each([
    ["their rows", () => swapRows],
    ["their rows and folds", () => `${swapRows}; ${swapFolds}`],
    [
      "their names",
      () => `UPDATE runs SET name = 'x' WHERE number = 1; UPDATE runs SET name = '${one}' WHERE number = 2;
        UPDATE runs SET name = '${two}' WHERE number = 1`,
    ],
  ])("are found by %s, also where nothing is left of their folders", async (_what, sql) => {
    change(sql());
    await rm(join(dir, "runs"), { recursive: true });
    const project = await openTemp({ dir });
    for (const run of [one, two]) {
      const { ok, problems } = await project.verify(run);
      expect({ ok, problem: problems[0] }).toEqual({ ok: false, problem: expect.stringContaining("event 1 ") });
      expect(await failure(project.resume(fill, run, { ceilings: roomy }))).toMatchObject({ code: "JOURNAL_DAMAGED" });
      expect(await failure(project.fork(run, 1))).toMatchObject({ code: "JOURNAL_DAMAGED" });
    }
  });
});

describe("what is kept of a run beside its events", () => {
  it.each([
    [
      "its summary was changed",
      `UPDATE folds SET summary = replace(summary, '"ceiling","iterations":3', '"done","iterations":3')`,
    ],
    ["its summary is no summary", "UPDATE folds SET summary = 'null'"],
    ["its summary is another run's", "UPDATE folds SET summary = (SELECT summary FROM folds WHERE run = 2)"],
    ["its fold cannot be read", "UPDATE folds SET body = x'00ff', summary = '{}'"],
    ["its fold is said to be of another event", "UPDATE folds SET seq = seq - 1"],
    ["its fold is said to end in another link", "UPDATE folds SET link = randomblob(32)"],
    ["its fold is another run's", "DELETE FROM folds WHERE run = 1; UPDATE folds SET run = 1"],
  ])("is held against them by verify: %s", async (_what, sql) => {
    change(sql);
    const { ok, problems } = await (await openTemp({ dir })).verify(one);
    expect({ ok, problems }).toEqual({ ok: false, problems: [expect.stringMatching(/^the kept (fold|summary)/)] });
  });

  it.each(["truncated {", "null", "5", '"words"', "[]", "{}"])(
    "is passed over by a list where it is no summary: %s",
    async (text) => {
      const before = await (await openTemp({ dir })).list();
      const db = new DatabaseSync(journalOf(dir));
      db.prepare("UPDATE folds SET summary = ?").run(text);
      db.close();
      expect(await (await openTemp({ dir })).list()).toEqual(before);
    },
  );

  it("cannot have a list show one run as another", async () => {
    change(`UPDATE folds SET summary = json_set(summary, '$.run', '${two}', '$.isHeld', json('true')) WHERE run = 1`);
    const listed = await (await openTemp({ dir })).list();
    expect(listed.map(({ run, isHeld }) => [run, isHeld])).toEqual([
      [one, false],
      [two, false],
    ]);
  });
});

describe("a folder that belongs to another run", () => {
  const at = (run: string, ...rest: string[]) => join(dir, "runs", run, ...rest);

  it.each([
    ["was put in its place", () => renameSync(at(one), at("aside"))],
    ["was copied over it", () => {}],
  ])("is named by verify where it %s, and is not written over", async (_how, before) => {
    before();
    cpSync(at(two), at(one), { recursive: true });
    const project = await openTemp({ dir });
    const { ok, problems } = await project.verify(one);
    expect({ ok, problems }).toEqual({ ok: false, problems: [`the folder runs/${one} belongs to run ${two}`] });
    expect(await project.verify(two)).toMatchObject({ ok: true });
    const error = await failure(project.rebuild(one));
    expect(error.message).toContain(`belongs to run ${two}`);
    expect(JSON.parse(readFileSync(at(one, "run.json"), "utf8")).run).toBe(two);
  });

  it("is named by verify where only its summary is another run's", async () => {
    cpSync(at(two, "summary.json"), at(one, "summary.json"));
    const { problems } = await (await openTemp({ dir })).verify(one);
    expect(problems).toEqual([`the folder runs/${one} belongs to run ${two}`]);
  });

  it("is not deleted with the run whose place it has", async () => {
    cpSync(at(two), at(one), { recursive: true });
    const project = await openTemp({ dir });
    await project.removeFolder(one);
    expect(existsSync(at(one, "run.json"))).toBe(true);
    await project.removeFolder(two);
    expect(existsSync(at(two))).toBe(false);
  });

  it.each(["../precious", "..", ".", "", "/tmp"])(
    "is none outside of runs/: %j is not written to or deleted",
    async (folder) => {
      const precious = join(dir, "precious", "file.txt");
      mkdirSync(join(dir, "precious"));
      writeFileSync(precious, "words");
      const db = new DatabaseSync(journalOf(dir));
      const body = zstdDecompressSync(db.prepare("SELECT body FROM folds WHERE run = 1").get()!.body as Uint8Array);
      const changed = body.toString().replace(`"folder":"${one}"`, `"folder":${JSON.stringify(folder)}`);
      db.prepare("UPDATE folds SET body = ? WHERE run = 1").run(zstdCompressSync(changed));
      db.close();
      const project = await openTemp({ dir });
      for (const act of [project.record(one), project.removeFolder(one), project.rebuild(one)])
        expect(await failure(act)).toMatchObject({ code: "JOURNAL_DAMAGED" });
      expect(readdirSync(dir).toSorted()).toEqual([".loopwright", "precious", "runs"]);
      expect(readdirSync(join(dir, "precious"))).toEqual(["file.txt"]);
      expect(existsSync(at(one, "run.json"))).toBe(true);
    },
  );

  it("is not one that says nothing of a run", async () => {
    for (const text of ["", "null", "[]", "{}", '{"run":5}', '"run"']) {
      writeFileSync(at(one, "run.json"), text);
      expect(await (await openTemp({ dir })).verify(one)).toMatchObject({ ok: true });
    }
  });
});
