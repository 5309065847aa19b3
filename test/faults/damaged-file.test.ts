// A damaged journal file: the message names it, its bytes are left as they are, and what can be read is still right.

import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { copyFile, cp, mkdir, readdir, readFile, rm, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { Row } from "@loopwright/core";
import { LoopwrightError, openProject, type Project, type RunRecord } from "loopwright";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { failure, journalOf, openTemp, tempFolder } from "./harness.ts";
import { fill, noise, roomy } from "./programs/loops.ts";

const PAGE = 4096;

/** A project with one run that stands at a ceiling, and what becomes of that run when nothing is damaged. */
let sound: { dir: string; run: string; rows: Row[]; record: RunRecord; end: unknown };

beforeAll(async () => {
  const dir = mkdtempSync(join(tmpdir(), "loopwright-sound-"));
  const project = await openProject({ dir });
  const input = { rounds: 8, bytes: 3_000 };
  const { run } = await project.start(fill, input, { ceilings: { iterations: 4 }, seed: 1 });
  await project.start(fill, { rounds: 1, bytes: 20_000 }, { slug: "another" });
  const { journal } = project.ports;
  sound = { dir, run, rows: await journal.read(run), record: await project.record(run), end: undefined };
  await project.close();
  const copy = await openProject({ dir: await cloneTo(mkdtempSync(join(tmpdir(), "loopwright-clone-"))) });
  sound.end = (await copy.resume(fill, run, { ceilings: roomy })).state;
  await copy.close();
  rmSync(copy.dir, { recursive: true });
});
afterAll(() => rmSync(sound.dir, { recursive: true, force: true }));

describe("a journal file that was damaged", () => {
  it.each<[string, (path: string) => Promise<void>]>([
    ["cut in half", async (path) => truncate(path, (await readFile(path)).length / 2)],
    ["cut to 100 bytes", (path) => truncate(path, 100)],
    ["overwritten at its head", (path) => overwrite(path, 0, randomBytes(100))],
    ["overwritten from end to end", async (path) => writeFile(path, randomBytes((await readFile(path)).length))],
    ["replaced by a text", (path) => writeFile(path, "the dog ate it\n".repeat(1000))],
  ])("is refused and named when it was %s, and its bytes are left as they are", async (_how, damage) => {
    const dir = await cloneTo(await tempFolder());
    await damage(journalOf(dir));
    const before = await readFile(journalOf(dir));
    for (const act of [
      (project: Project) => project.verify(sound.run),
      (project: Project) => project.resume(fill, sound.run, { ceilings: roomy }),
      (project: Project) => project.start(fill, { rounds: 1, bytes: 1 }),
      (project: Project) => project.find(sound.run),
    ]) {
      const error = await failure(opened<unknown>(dir, act));
      expect(error.code).toBe("JOURNAL_DAMAGED");
      expect(error.message).toContain(journalOf(dir));
      expect(error.message).toMatch(/left as it is.*copy it aside.*backup/s);
      expect(await readFile(journalOf(dir))).toEqual(before);
    }
  });

  it("never gives a wrong answer, wherever its end was cut", async () => {
    const size = (await readFile(journalOf(sound.dir))).length;
    for (const cut of [1, 1000, PAGE, PAGE + 1, size - 2 * PAGE, size - PAGE - 7]) {
      const dir = await cloneTo(await tempFolder());
      await truncate(journalOf(dir), size - cut);
      await expectRight(dir, `the last ${cut} bytes`);
    }
  });

  it("never gives a wrong answer, whichever of its pages is overwritten", async () => {
    const pages = (await readFile(journalOf(sound.dir))).length / PAGE;
    expect(pages).toBeGreaterThan(10);
    let refused = 0;
    for (let page = 1; page < pages; page++) {
      const before = refused;
      const dir = await cloneTo(await tempFolder());
      await overwrite(journalOf(dir), page * PAGE, Buffer.from(noise(page, PAGE)));
      refused += await expectRight(dir, `page ${page + 1}`);
      const left = (await readFile(journalOf(dir))).subarray(page * PAGE, (page + 1) * PAGE);
      if (refused > before) expect(left.toString(), `page ${page + 1} was changed`).toBe(noise(page, PAGE));
    }
    expect(refused).toBeGreaterThan(0);
  });

  it("never gives a wrong answer, wherever single bytes of it were changed", async () => {
    const original = await readFile(journalOf(sound.dir));
    const dir = await cloneTo(await tempFolder());
    for (let round = 0; round < 60; round++) {
      const at = 100 + Math.floor((original.length - 100) * ((round * 0.618_033_988_75) % 1));
      const changed = Buffer.from(original);
      changed[at]! ^= 1 << (round % 8);
      for (const end of ["-wal", "-shm"]) await rm(journalOf(dir) + end, { force: true });
      await writeFile(journalOf(dir), changed);
      await expectRight(dir, `byte ${at}`);
    }
  });

  it("is said to be damaged where a value in it no longer unpacks, and verify names the value", async () => {
    const dir = await cloneTo(await tempFolder());
    change(dir, "UPDATE blobs SET bytes = randomblob(length(bytes))");
    const { problems } = await opened(dir, (project) => project.verify(sound.run));
    expect(problems.length).toBeGreaterThan(0);
    for (const problem of problems) expect(problem).toMatch(/^value [0-9a-f]{12} is unreadable$/);
    const error = await failure(opened(dir, (project) => project.resume(fill, sound.run, { ceilings: roomy })));
    expect(error).toMatchObject({ code: "JOURNAL_DAMAGED", message: expect.stringContaining("verify") });
  });

  it("is said to be damaged where a value in it was replaced by another", async () => {
    const dir = await cloneTo(await tempFolder());
    change(dir, "UPDATE blobs SET bytes = (SELECT bytes FROM blobs WHERE id = 1) WHERE id = 2");
    const { problems } = await opened(dir, (project) => project.verify(sound.run));
    expect(problems).toEqual([expect.stringMatching(/^value [0-9a-f]{12} was changed$/)]);
    const error = await failure(opened(dir, (project) => project.resume(fill, sound.run, { ceilings: roomy })));
    expect(error).toMatchObject({ code: "JOURNAL_DAMAGED" });
  });
});

describe("a kept fold that was damaged", () => {
  it.each([
    ["is not packed text", "UPDATE folds SET body = randomblob(300)"],
    ["is empty", "UPDATE folds SET body = x''"],
    ["stands at another event", "UPDATE folds SET seq = seq - 1"],
    ["has another link", "UPDATE folds SET link = randomblob(32)"],
    [
      "is another run's",
      "UPDATE folds SET (seq, link, body) = (SELECT seq, link, body FROM folds WHERE run = 2) WHERE run = 1",
    ],
  ])("is only a cache: one that %s is passed over, and the run goes on from its events (L3)", async (_what, sql) => {
    const dir = await cloneTo(await tempFolder());
    change(dir, sql);
    const record = await opened(dir, (project) => project.record(sound.run));
    expect(record).toEqual(sound.record);
    const { state } = await opened(dir, (project) => project.resume(fill, sound.run, { ceilings: roomy }));
    expect(state).toEqual(sound.end);
  });

  it("is never believed, whichever of its bytes has changed (L3)", async () => {
    const dir = await cloneTo(await tempFolder());
    const db = new DatabaseSync(journalOf(dir));
    const original = Buffer.from(db.prepare("SELECT body FROM folds WHERE run = 1").get()!.body as Uint8Array);
    const update = db.prepare("UPDATE folds SET body = ? WHERE run = 1");
    const project = await openTemp({ dir });
    const wrong: string[] = [];
    for (let at = 0; at < original.length; at++) {
      const changed = Buffer.from(original);
      changed[at]! ^= 1;
      update.run(changed);
      const found = await project.record(sound.run).then(
        (record) => (JSON.stringify(record) === JSON.stringify(sound.record) ? undefined : "a wrong record"),
        (error: Error) => `${error.name}: ${error.message}`,
      );
      if (found) wrong.push(`byte ${at}: ${found}`);
    }
    db.close();
    expect(wrong.length, `${wrong.length} of ${original.length}, such as ${wrong.slice(0, 3).join("; ")}`).toBe(0);
  });
});

/** Opens a project for one act. */
async function opened<T>(dir: string, act: (project: Project) => Promise<T>): Promise<T> {
  const project = await openProject({ dir });
  try {
    return await act(project);
  } finally {
    await project.close();
  }
}

/** Looks at a run in a damaged file: each look is refused by name, or right. Says whether one was refused. */
async function expectRight(dir: string, where: string): Promise<number> {
  let refused = 0;
  const look = async <T>(what: string, act: (project: Project) => Promise<T>, check: (found: T) => void) => {
    try {
      check(await opened(dir, act));
    } catch (error) {
      expect(error, `${what} with ${where} damaged`).toBeInstanceOf(LoopwrightError);
      const { code } = error as LoopwrightError;
      // A run whose very name was damaged cannot be found; everything else is known to be damage.
      expect(["JOURNAL_DAMAGED", "RUN_NOT_FOUND"], `${what} with ${where} damaged: ${error}`).toContain(code);
      refused += 1;
    }
  };
  await look(
    "verify",
    async (project) => ({ report: await project.verify(sound.run), rows: await project.ports.journal.read(sound.run) }),
    ({ report, rows }) => {
      if (report.ok) expect(rows, `${where}: verify said ok`).toEqual(sound.rows);
    },
  );
  await look(
    "resume",
    (project) => project.resume(fill, sound.run, { ceilings: roomy }),
    ({ state }) => expect(state, `${where}: the run went on`).toEqual(sound.end),
  );
  return refused;
}

async function cloneTo(dir: string): Promise<string> {
  await mkdir(join(dir, ".loopwright"), { recursive: true });
  await cp(join(sound.dir, "runs"), join(dir, "runs"), { recursive: true });
  expect(await readdir(join(sound.dir, ".loopwright"))).not.toContain("journal.db-wal");
  await copyFile(journalOf(sound.dir), journalOf(dir));
  return dir;
}

function change(dir: string, sql: string): void {
  const db = new DatabaseSync(journalOf(dir));
  db.exec(sql);
  db.close();
}

async function overwrite(path: string, at: number, bytes: Uint8Array): Promise<void> {
  const file = await readFile(path);
  file.set(bytes, at);
  await writeFile(path, file);
}
