import { copyFile, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as wait } from "node:timers/promises";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { thisProcess } from "../../packages/core/src/journal/leases.ts";
import { journalSchema, SqliteJournal } from "../../packages/core/src/journal/sqlite.ts";
import type { Journal } from "../../packages/core/src/ports.ts";
import { brokenLink, linkOf } from "../../packages/core/src/record/chain.ts";
import type { ProcessId } from "../../packages/core/src/record/events.ts";
import { sha256 } from "../../packages/core/src/record/json.ts";
import { start } from "../faults/harness.ts";
import { journalContract } from "./journal/index.ts";

let root: string;
let dir: string;
let path: string;
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), "loopwright-journal-"));
});
beforeEach(async () => {
  ({ dir, path } = await place());
});
afterAll(() => rm(root, { recursive: true, force: true }));

/** A folder for one journal. */
async function place(): Promise<{ dir: string; path: string }> {
  const folder = await mkdtemp(join(root, "project-"));
  return { dir: folder, path: join(folder, ".loopwright", "journal.db") };
}

journalContract("on SQLite", async (options) => ({
  journal: await SqliteJournal.open(path, options),
  again: () => SqliteJournal.open(path, options),
}));

describe.concurrent("the journal on SQLite among processes", { timeout: 240_000 }, () => {
  it("has every row that was acknowledged, whole and in its chain, wherever its writer is killed", async () => {
    const { path, dir } = await place();
    let acknowledged = 0;
    for (let round = 0; round < 20; round++) {
      const writer = start("append-rows", [path, "run"]);
      await writer.line();
      await wait(Math.random() * 60);
      await writer.kill();
      const { lines } = await writer.ended;
      const last = Number(lines.at(-1));
      expect(last).toBeGreaterThanOrEqual(acknowledged);
      acknowledged = last;
      await expectWhole(path, round % 2 === 0 ? path : join(dir, "copy.db"), acknowledged);
    }
  });

  it("lets two processes write two runs at once, and each gets all its rows stored", async () => {
    const { path } = await place();
    const writers = ["one", "two"].map((run) => start("append-rows", [path, run, "150"]));
    const ends = await Promise.all(writers.map((writer) => writer.ended));
    expect(ends.map(({ code, stderr }) => ({ code, stderr }))).toEqual([
      { code: 0, stderr: "" },
      { code: 0, stderr: "" },
    ]);
    const journal = await SqliteJournal.open(path);
    for (const run of ["one", "two"]) {
      const rows = await journal.read(run);
      expect(rows).toHaveLength(151);
      expect(brokenLink(run, rows)).toBeUndefined();
    }
    await journal.close();
  });

  it("is made once where eight processes make it at the same moment", async () => {
    const { path, dir } = await place();
    const go = join(dir, "go");
    const programs = Array.from({ length: 8 }, (_, n) => start("open-journal", [path, `run-${n}`, go]));
    await Promise.all(programs.map((program) => program.line()));
    await writeFile(go, "");
    const ends = await Promise.all(programs.map((program) => program.ended));
    expect(ends.map(({ code, stderr }) => ({ code, stderr }))).toEqual(
      Array.from({ length: 8 }, () => ({ code: 0, stderr: "" })),
    );
    const journal = await SqliteJournal.open(path);
    expect((await journal.runs()).toSorted()).toEqual(Array.from({ length: 8 }, (_, n) => `run-${n}`));
    await journal.close();
  });

  it("takes over from a holder elsewhere within ten seconds of silence, and not within five", async () => {
    const { path } = await place();
    const elsewhere: ProcessId = { ...thisProcess(), boot: "another-boot", host: "far-away" };
    const journal = await SqliteJournal.open(path);
    await makeRun(journal, "run", elsewhere);
    const started = performance.now();
    await journal.acquire("run", thisProcess());
    const took = performance.now() - started;
    expect(took).toBeLessThan(10_000);
    expect(took).toBeGreaterThan(5_000);
    await journal.close();
  });

  it("leaves a run to a holder elsewhere whose sign of life comes after the last look at it", async () => {
    const { path } = await place();
    const elsewhere: ProcessId = { ...thisProcess(), boot: "another-boot", host: "far-away" };
    const journal = await SqliteJournal.open(path, { silence: 400 });
    await makeRun(journal, "run", elsewhere);
    const there = new DatabaseSync(path);
    there.exec("BEGIN IMMEDIATE");
    const acquired = journal.acquire("run", thisProcess());
    const refused = expect(acquired).rejects.toMatchObject({ code: "LEASE_HELD" });
    await wait(1_000);
    there.exec("UPDATE leases SET beat = beat + 1; COMMIT");
    await refused;
    there.close();
    await journal.close();
  });

  it("keeps the event loop free while another process writes, and goes on when that one is done", async () => {
    const { path } = await place();
    const journal = await SqliteJournal.open(path);
    const blocker = new DatabaseSync(path);
    blocker.exec("BEGIN IMMEDIATE");
    let ticks = 0;
    const ticking = setInterval(() => {
      ticks += 1;
      if (ticks === 20) blocker.exec("ROLLBACK");
    }, 10);
    await makeRun(journal, "run");
    clearInterval(ticking);
    expect(ticks).toBeGreaterThanOrEqual(20);
    expect(await journal.runs()).toEqual(["run"]);
    blocker.close();
    await journal.close();
  });
});

describe("the file of the journal on SQLite", () => {
  it("holds a blob once, however many runs and commits name it", async () => {
    const journal = await SqliteJournal.open(path);
    const text = "a text ".repeat(1000);
    const blobs = new Map([[sha256(text), text]]);
    for (const run of ["one", "two"]) await makeRun(journal, run, thisProcess(), blobs);
    await journal.close();
    const db = new DatabaseSync(path, { readOnly: true });
    expect(db.prepare("SELECT count(*) AS n FROM blobs").get()).toEqual({ n: 1 });
    db.close();
  });

  it("is in WAL mode", async () => {
    const journal = await SqliteJournal.open(path);
    await makeRun(journal, "run");
    expect((await readdir(join(dir, ".loopwright"))).toSorted()).toContain("journal.db-wal");
    await journal.close();
    expect((await readFile(path)).subarray(18, 20)).toEqual(Buffer.from([2, 2]));
  });

  it.each([
    [
      "an older one",
      `UPDATE made_by SET version = '0.1.0'; PRAGMA user_version = ${journalSchema.version - 1}`,
      /made by Loopwright 0\.1\.0 \(tables 6\)/,
    ],
    [
      "a newer one",
      `UPDATE made_by SET version = '9.1.0'; PRAGMA user_version = ${journalSchema.version + 1}`,
      /made by Loopwright 9\.1\.0 \(tables 8\)/,
    ],
    ["one that is not in WAL mode", "PRAGMA journal_mode = DELETE; PRAGMA user_version = 99", /tables 99/],
  ])(
    "refuses the journal of another version, changes nothing of it, and says which made it: %s",
    async (_, sql, said) => {
      await (await SqliteJournal.open(path)).close();
      const db = new DatabaseSync(path);
      db.exec(sql);
      db.close();
      const before = await snapshot();
      await expect(SqliteJournal.open(path)).rejects.toMatchObject({
        code: "JOURNAL_VERSION",
        message: expect.stringMatching(said),
      });
      expect(await snapshot()).toEqual(before);
    },
  );

  it("takes an empty file, left by a process that died as it made it, for a journal with no runs", async () => {
    await (await SqliteJournal.open(path)).close();
    await writeFile(path, "");
    const journal = await SqliteJournal.open(path);
    await makeRun(journal, "run");
    expect(await journal.runs()).toEqual(["run"]);
    await journal.close();
  });
});

/** Reads the journal after a kill: in place, or from a copy of its files, as a backup would. */
async function expectWhole(path: string, from: string, acknowledged: number): Promise<void> {
  if (from !== path) {
    await copyFile(path, from);
    await copyFile(`${path}-wal`, `${from}-wal`);
  }
  const journal = await SqliteJournal.open(from);
  const rows = await journal.read("run");
  expect(rows.length).toBeGreaterThanOrEqual(acknowledged);
  expect(rows.length).toBeLessThanOrEqual(acknowledged + 1);
  expect(brokenLink("run", rows)).toBeUndefined();
  for (const { body, seq } of rows) {
    const event = JSON.parse(body) as { seq: number; blob: string };
    expect(event.seq).toBe(seq);
    const blob = await journal.blob(event.blob);
    expect(blob.state === "here" && sha256(blob.text)).toBe(event.blob);
  }
  await journal.close();
  const db = new DatabaseSync(from);
  expect(db.prepare("PRAGMA integrity_check").all()).toEqual([{ integrity_check: "ok" }]);
  db.close();
  if (from !== path) for (const end of ["", "-wal", "-shm"]) await rm(from + end, { force: true });
}

async function snapshot(): Promise<Record<string, string>> {
  const files = await readdir(join(dir, ".loopwright"));
  const entries = files.map(async (file) => [file, sha256(await readFile(join(dir, ".loopwright", file)))] as const);
  return Object.fromEntries(await Promise.all(entries));
}

async function makeRun(
  journal: Journal,
  run: string,
  holder: ProcessId = thisProcess(),
  blobs: ReadonlyMap<string, string> = new Map(),
): Promise<void> {
  const body = JSON.stringify({ run });
  const lease = await journal.create(run, holder, { rows: [{ seq: 1, body, link: linkOf("", body) }], blobs });
  expect(lease).not.toBe(false);
}
