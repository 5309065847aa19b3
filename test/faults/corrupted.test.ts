// Corrupted journals: whatever has happened to one, verify names it, and a resume refuses it or goes on to the right end (L3, L10).

import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { zstdCompressSync, zstdDecompressSync } from "node:zlib";
import { LoopwrightError, openProject, type Project } from "loopwright";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ROW_SPAN } from "../../packages/core/src/journal/sqlite.ts";
import { firstLink, linkOf } from "../../packages/core/src/record/chain.ts";
import { failure, journalOf, lineThat, openTemp, start, tempFolder } from "./harness.ts";
import { fill, noise, roomy } from "./programs/loops.ts";

const PAGE = 4096;
const input = { rounds: 8, bytes: 3_000 };

/** Two runs that stand at a ceiling, and what becomes of the first where nothing is damaged. */
let sound: { dir: string; one: string; two: string; files: string; length: number; end: unknown };

beforeAll(async () => {
  const dir = mkdtempSync(join(tmpdir(), "loopwright-sound-"));
  const project = await openProject({ dir });
  const ceilings = { iterations: 3 };
  const { run: one } = await project.start(fill, input, { ceilings, seed: 1, slug: "one" });
  const { run: two } = await project.start(fill, { rounds: 9, bytes: 10 }, { ceilings, slug: "two" });
  const files = { rounds: 1, bytes: 5_000, files: true };
  const { run: third } = await project.start(fill, files, { slug: "files" });
  const { length } = await project.ports.journal.read(one);
  await project.close();
  sound = { dir, one, two, files: third, length, end: undefined };
  const copy = mkdtempSync(join(tmpdir(), "loopwright-whole-"));
  cpSync(dir, copy, { recursive: true });
  sound.end = (await opened(copy, (whole) => whole.resume(fill, one, { ceilings: roomy }))).state;
  rmSync(copy, { recursive: true });
});
afterAll(() => rmSync(sound.dir, { recursive: true, force: true }));

async function clone(from: string = sound.dir): Promise<string> {
  const dir = await tempFolder();
  cpSync(from, dir, { recursive: true });
  rmSync(`${journalOf(dir)}-shm`, { force: true });
  return dir;
}

/** What was done to a journal: as SQL, or by hand. */
type Change = string | ((db: DatabaseSync, dir: string) => void);

function change(dir: string, what: Change): void {
  using db = new DatabaseSync(journalOf(dir));
  if (typeof what === "string") db.exec(what);
  else what(db, dir);
}

const id = (seq: number) => ROW_SPAN + seq;
const swapNames: Change = (db) => {
  const rename = db.prepare("UPDATE runs SET name = ? WHERE name = ?");
  for (const [to, from] of [
    ["x", sound.one],
    [sound.one, sound.two],
    [sound.two, "x"],
  ])
    rename.run(to!, from!);
};

/** Writes the whole chain of the first run anew, as anyone can who knows how. */
function relinked(from: string, to: string): Change {
  return (db) => {
    let link = firstLink(sound.one);
    for (const { id: at, body } of db
      .prepare("SELECT id, body FROM events WHERE id < ? ORDER BY id")
      .all(2 * ROW_SPAN)) {
      const text = String(body).replace(from, to);
      link = linkOf(link, text);
      db.prepare("UPDATE events SET body = ?, link = ? WHERE id = ?").run(text, Buffer.from(link, "hex"), at!);
    }
    db.exec("DELETE FROM folds");
  };
}

const foldOf =
  (change: (body: string) => string): Change =>
  (db) => {
    const { body } = db.prepare("SELECT body FROM folds WHERE run = 1").get()!;
    const text = change(zstdDecompressSync(body as Uint8Array).toString());
    db.prepare("UPDATE folds SET body = ? WHERE run = 1").run(zstdCompressSync(text));
  };

/** What was done, what verify says of it, and what a resume that no kept fold helps does: refuse it, or go on to the right end. */
const changes: [string, Change, RegExp, "refuses" | "goes on"][] = [
  [
    "an event was changed",
    `UPDATE events SET body = replace(body, '"at":', '"at":1') WHERE id = ${id(5)}`,
    /^event 5 was changed/,
    "refuses",
  ],
  [
    "the first event was changed",
    `UPDATE events SET body = body || ' ' WHERE id = ${id(1)}`,
    /^event 1 was changed/,
    "refuses",
  ],
  [
    "an event was cut",
    `UPDATE events SET body = substr(body, 1, 20) WHERE id = ${id(4)}`,
    /^event 4 was changed/,
    "refuses",
  ],
  ["an event became bytes", `UPDATE events SET body = x'00ff' WHERE id = ${id(6)}`, /^event 6 was changed/, "refuses"],
  [
    "a link was changed",
    `UPDATE events SET link = randomblob(32) WHERE id = ${id(6)}`,
    /^event 6 was changed/,
    "refuses",
  ],
  ["a link became a number", `UPDATE events SET link = 5 WHERE id = ${id(6)}`, /^event 6 was changed/, "refuses"],
  ["an event was deleted", `DELETE FROM events WHERE id = ${id(7)}`, /^event 7 is missing/, "refuses"],
  ["the first event was deleted", `DELETE FROM events WHERE id = ${id(1)}`, /^event 1 is missing/, "refuses"],
  [
    "two events were exchanged",
    `UPDATE events SET id = -1 WHERE id = ${id(3)}; UPDATE events SET id = ${id(3)} WHERE id = ${id(4)}; UPDATE events SET id = ${id(4)} WHERE id = -1`,
    /^event 3 was changed/,
    "refuses",
  ],
  [
    "an event was copied over another",
    `UPDATE events SET (body, link) = (SELECT body, link FROM events WHERE id = ${id(5)}) WHERE id = ${id(6)}`,
    /^event 6 was changed/,
    "refuses",
  ],
  [
    "an event was added",
    (db) => db.exec(`INSERT INTO events SELECT ${id(sound.length + 1)}, body, link FROM events WHERE id = ${id(2)}`),
    /was changed, or does not belong here/,
    "refuses",
  ],
  [
    "an event was added far behind the end",
    (db) => db.exec(`INSERT INTO events SELECT ${id(sound.length + 9)}, body, link FROM events WHERE id = ${id(2)}`),
    /is missing/,
    "refuses",
  ],
  [
    "its end was cut off",
    (db) => db.exec(`DELETE FROM events WHERE id BETWEEN ${id(sound.length - 2)} AND ${id(1000)}`),
    /^the journal ends at event \d+, but the run had reached event \d+: its end was cut off$/,
    "goes on",
  ],
  [
    "its chain was written anew",
    relinked('"seed":1', '"seed":2'),
    /^event \d+ is not the one that run.json remembers$/,
    "goes on",
  ],
  [
    "its chain was written anew with an event that cannot have happened",
    relinked('"type":"effect-started"', '"type":"loop-noted"'),
    /is not the one that run.json remembers$|was changed/,
    "refuses",
  ],
  ["it has another run's name", swapNames, /^event 1 was changed, or does not belong here/, "refuses"],
  ["its kept fold is no packed text", "UPDATE folds SET body = randomblob(300)", /^the kept fold/, "goes on"],
  ["its kept fold is empty", "UPDATE folds SET body = x''", /^the kept fold/, "goes on"],
  [
    "its kept fold says something else",
    foldOf((body) => body.replace('"mayBeDone":false', '"mayBeDone":true')),
    /^the kept fold/,
    "goes on",
  ],
  ["its kept fold is said to be of another event", "UPDATE folds SET seq = seq - 1", /^the kept fold/, "goes on"],
  [
    "its kept fold is said to end in another link",
    "UPDATE folds SET link = randomblob(32)",
    /^the kept fold/,
    "goes on",
  ],
  [
    "its kept fold is another run's",
    "UPDATE folds SET (seq, link, body) = (SELECT seq, link, body FROM folds WHERE run = 2) WHERE run = 1",
    /^the kept fold/,
    "goes on",
  ],
  [
    "its summary was changed",
    `UPDATE folds SET summary = replace(summary, '"ceiling"', '"done"')`,
    /^the kept fold/,
    "goes on",
  ],
  ["its summary is none", "UPDATE folds SET summary = 'null'", /^the kept fold/, "goes on"],
  [
    "its values no longer unpack",
    "UPDATE blobs SET bytes = substr(bytes, 1, length(bytes) - 9)",
    /^value [0-9a-f]{12} is unreadable$/,
    "refuses",
  ],
  [
    "a value stands in another's place",
    "UPDATE blobs SET bytes = (SELECT bytes FROM blobs WHERE id = 1) WHERE id = 2",
    /^value [0-9a-f]{12} was changed$/,
    "refuses",
  ],
  ["its values are gone", "DELETE FROM blobs", /^value [0-9a-f]{12} is missing$/, "refuses"],
];

describe("a journal in which", () => {
  it.each(changes)("%s is told by verify, and no fold hides it from a resume", async (_what, how, said, then) => {
    const dir = await clone();
    change(dir, how);
    const project = await openTemp({ dir });
    const { ok, problems } = await project.verify(sound.one);
    expect(ok).toBe(false);
    expect(
      problems.filter((line) => said.test(line)),
      problems.join("\n"),
    ).not.toEqual([]);
    change(dir, "DELETE FROM folds");
    const before = stored(dir);
    const resumed = project.resume(fill, sound.one, { ceilings: roomy });
    if (then === "goes on") expect(await resumed).toMatchObject({ outcome: "done", state: sound.end });
    else {
      const error = await failure(resumed);
      expect(error).toMatchObject({ code: "JOURNAL_DAMAGED", message: expect.stringContaining("verify") });
      expect(stored(dir)).toEqual(before);
    }
  });

  it("a byte of a kept fold has changed, whichever, is never believed: it is only a cache (L3)", async () => {
    const dir = await clone();
    const project = await openTemp({ dir });
    const right = await project.record(sound.one);
    using db = new DatabaseSync(journalOf(dir));
    const original = Buffer.from(db.prepare("SELECT body FROM folds WHERE run = 1").get()!.body as Uint8Array);
    const update = db.prepare("UPDATE folds SET body = ? WHERE run = 1");
    for (let at = 0; at < original.length; at += 7) {
      const changed = Buffer.from(original);
      changed[at]! ^= 1;
      update.run(changed);
      expect(await project.record(sound.one), `byte ${at}`).toEqual(right);
    }
  });

  it("a summary calls an open run done has nothing of it given up", async () => {
    const dir = await clone();
    const project = await openTemp({ dir });
    const stopped = await project.start(fill, input, { signal: AbortSignal.abort() });
    expect(stopped.outcome).toBe("interrupted");
    change(dir, `UPDATE folds SET summary = replace(summary, '"interrupted"', '"done"')`);
    expect(await failure(project.release([stopped.run]))).toMatchObject({ code: "RUN_OPEN" });
  });

  it("one run is damaged has nothing of the others given up, and says which it is", async () => {
    const dir = await clone();
    change(dir, `UPDATE events SET body = 'cut' WHERE id = ${id(4)}`);
    const project = await openTemp({ dir });
    expect(await failure(project.release([sound.files]))).toMatchObject({
      code: "JOURNAL_DAMAGED",
      message: expect.stringContaining(sound.one),
    });
    expect(await project.verify(sound.files)).toMatchObject({ ok: true, released: 0 });
  });

  it("a folder's name leads out of runs/ has nothing written or deleted there", async () => {
    const dir = await clone();
    for (const folder of ["../precious", "..", "", "/tmp"]) {
      change(
        dir,
        foldOf((body) => body.replace(/"folder":"[^"]*"/, `"folder":${JSON.stringify(folder)}`)),
      );
      const project = await openTemp({ dir });
      for (const act of [project.removeFolder(sound.one), project.rebuild(sound.one)])
        await act.catch((error) => expect(error).toMatchObject({ code: "FOLDER_OUTSIDE" }));
      expect(readdirSync(dir).toSorted()).toEqual([".loopwright", "runs"]);
    }
  });
});

describe("a journal file", () => {
  it.each<[string, (path: string) => void]>([
    ["cut in half", (path) => truncateSync(path, readFileSync(path).length / 2)],
    ["cut to 100 bytes", (path) => truncateSync(path, 100)],
    ["overwritten at its head", (path) => overwrite(path, 0, 100)],
    ["overwritten from end to end", (path) => overwrite(path, 0, readFileSync(path).length)],
    ["replaced by a text", (path) => writeFileSync(path, "the dog ate it\n".repeat(1000))],
  ])("that was %s is refused and named, and its bytes are left as they are", async (_how, damage) => {
    const dir = await clone();
    damage(journalOf(dir));
    const before = readFileSync(journalOf(dir));
    const error = await failure(
      opened<unknown>(dir, (project) => project.resume(fill, sound.one, { ceilings: roomy })),
    );
    expect(error.code).toBe("JOURNAL_DAMAGED");
    expect(error.message).toContain(journalOf(dir));
    expect(error.message).toMatch(/left as it is.*copy it aside.*backup/s);
    expect(readFileSync(journalOf(dir))).toEqual(before);
  });

  it("never gives a wrong answer, wherever its end was cut or a page or a byte was overwritten", async () => {
    const size = readFileSync(journalOf(sound.dir)).length;
    const damages: [string, (path: string) => void][] = [];
    for (const cut of [1, PAGE + 1, size - PAGE - 7])
      damages.push([`the last ${cut} bytes`, (path) => truncateSync(path, size - cut)]);
    for (let page = 1; page < size / PAGE; page++)
      damages.push([`page ${page + 1}`, (path) => overwrite(path, page * PAGE, PAGE)]);
    for (let round = 0; round < 20; round++) {
      const at = 100 + Math.floor((size - 100) * ((round * 0.618_033_988_75) % 1));
      damages.push([`byte ${at}`, (path) => overwrite(path, at, 1)]);
    }
    let refused = 0;
    for (const [where, damage] of damages) {
      const dir = await clone();
      damage(journalOf(dir));
      try {
        const { state } = await opened(dir, (project) => project.resume(fill, sound.one, { ceilings: roomy }));
        expect(state, `${where}: the run went on`).toEqual(sound.end);
      } catch (error) {
        expect(error, `${where} damaged`).toBeInstanceOf(LoopwrightError);
        // A run whose very name was damaged cannot be found; everything else is known to be damage.
        expect(["JOURNAL_DAMAGED", "RUN_NOT_FOUND"], `${where}: ${error}`).toContain((error as LoopwrightError).code);
        refused += 1;
      }
    }
    expect(refused).toBeGreaterThan(0);
  });

  it("whose log was cut after a kill loses at most its end, and the run comes to the same result", async () => {
    const { state } = await (await openTemp()).start(fill, { ...input, rounds: 12 }, { seed: 1 });
    const dir = await tempFolder();
    const program = start("run", [JSON.stringify({ dir, input: { ...input, rounds: 12 } })]);
    const { run } = JSON.parse(await lineThat(program, (text) => text.includes('"seq":40,'))) as { run: string };
    await program.kill();
    const rows = await opened(await clone(dir), (project) => project.ports.journal.read(run));
    const { head } = JSON.parse(readFileSync(join(dir, "runs", run, "run.json"), "utf8")) as { head: { seq: number } };
    const size = readFileSync(`${journalOf(dir)}-wal`).length;
    for (const length of [0, 31, size - 1, ...Array.from({ length: 6 }, () => Math.floor(Math.random() * size))]) {
      const copy = await clone(dir);
      truncateSync(`${journalOf(copy)}-wal`, length);
      const project = await openTemp({ dir: copy });
      const left = await project.ports.journal.read(run);
      expect(left, `cut at ${length} of ${size}`).toEqual(rows.slice(0, left.length));
      if (left.length === 0) {
        await expect(project.resume(fill, run)).rejects.toMatchObject({ code: "RUN_NOT_FOUND" });
        continue;
      }
      expect((await project.verify(run)).ok).toBe(left.length >= head.seq);
      expect(await project.resume(fill, run, { ceilings: roomy })).toMatchObject({ outcome: "done", state });
    }
  });
});

/** Opens a project for one act. */
async function opened<T>(dir: string, act: (project: Project) => Promise<T>): Promise<T> {
  await using project = await openProject({ dir });
  return await act(project);
}

/** All that the journal holds of events. */
function stored(dir: string): unknown {
  using db = new DatabaseSync(journalOf(dir), { readOnly: true });
  return db.prepare("SELECT * FROM events").all();
}

function overwrite(path: string, at: number, length: number): void {
  const file = readFileSync(path);
  if (length === 1) file[at]! ^= 1 << (at % 8);
  else file.set(Buffer.from(noise(at, length)), at);
  writeFileSync(path, file);
}
