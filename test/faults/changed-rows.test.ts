// Rows changed by hand: verify names the event, and a resume refuses what a kept fold does not hide (L10).

import { rm } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { openProject } from "loopwright";
import { beforeEach, describe, expect, it } from "vitest";
import { ROW_SPAN } from "../../packages/core/src/journal/sqlite/schema.ts";
import { linkOf, newChain } from "../../packages/core/src/record/links.ts";
import { failure, journalOf, openTemp, tempFolder } from "./harness.ts";
import { fill, roomy } from "./programs/loops.ts";

const id = (seq: number) => ROW_SPAN + seq;

let dir: string;
let run: string;
let length: number;
beforeEach(async () => {
  dir = await tempFolder();
  const project = await openProject({ dir });
  const options = { ceilings: { iterations: 3 }, seed: 1 };
  run = (await project.start(fill, { rounds: 6, bytes: 2_000 }, options)).run;
  length = (await project.ports.journal.read(run)).length;
  await project.close();
});

/** Each way to change rows, and the event that verify must name. */
const ways: [string, () => string, () => string][] = [
  [
    "one was changed",
    () => `UPDATE events SET body = replace(body, '"at":', '"at":1') WHERE id = ${id(5)}`,
    () => "event 5 was changed",
  ],
  [
    "the first was changed",
    () => `UPDATE events SET body = body || ' ' WHERE id = ${id(1)}`,
    () => "event 1 was changed",
  ],
  [
    "one was truncated",
    () => `UPDATE events SET body = substr(body, 1, 20) WHERE id = ${id(4)}`,
    () => "event 4 was changed",
  ],
  [
    "a link was changed",
    () => `UPDATE events SET link = randomblob(32) WHERE id = ${id(6)}`,
    () => "event 6 was changed",
  ],
  ["a link became a number", () => `UPDATE events SET link = 5 WHERE id = ${id(6)}`, () => "event 6 was changed"],
  ["a body became bytes", () => `UPDATE events SET body = x'00ff' WHERE id = ${id(6)}`, () => "event 6 was changed"],
  ["one was deleted", () => `DELETE FROM events WHERE id = ${id(7)}`, () => "event 7 is missing"],
  ["the first was deleted", () => `DELETE FROM events WHERE id = ${id(1)}`, () => "event 1 is missing"],
  ["two were exchanged", () => swap(3, 4), () => "event 3 was changed"],
  [
    "one was copied over another",
    () => `UPDATE events SET (body, link) = (SELECT body, link FROM events WHERE id = ${id(5)}) WHERE id = ${id(6)}`,
    () => "event 6 was changed",
  ],
  [
    "one was added",
    () => `INSERT INTO events SELECT ${id(length + 1)}, body, link FROM events WHERE id = ${id(2)}`,
    () => `event ${length + 1} was changed, or does not belong here`,
  ],
];

describe("rows that were changed by hand", () => {
  it.each(ways)(
    "are found by verify where %s, even if a kept fold hides it from a resume",
    async (_how, sql, found) => {
      change(sql());
      const project = await openTemp({ dir });
      const { ok, problems } = await project.verify(run);
      expect(ok).toBe(false);
      expect(problems[0]).toContain(found());
    },
  );

  it.each(ways)("make a resume refuse where %s and no fold hides it, and nothing is written", async (_how, sql) => {
    change(`${sql()}; DELETE FROM folds`);
    const before = stored();
    const project = await openTemp({ dir });
    const error = await failure(project.resume(fill, run, { ceilings: roomy }));
    expect(error.code).toBe("JOURNAL_DAMAGED");
    expect(error.message).toMatch(/event \d+.*verify/s);
    expect(error.message).toContain(run);
    expect(stored()).toEqual(before);
  });

  it("are found by verify where the last ones were deleted, by the head that run.json keeps", async () => {
    change(`DELETE FROM events WHERE id > ${id(length - 2)}; DELETE FROM folds`);
    const { problems } = await (await openTemp({ dir })).verify(run);
    expect(problems).toEqual([
      `the journal ends at event ${length - 2}, but the run had reached event ${length}: its end was cut off`,
    ]);
  });

  it("make a resume refuse where the last ones were deleted and a kept fold knows of them", async () => {
    change(`DELETE FROM events WHERE id > ${id(length - 2)}`);
    const before = stored();
    const project = await openTemp({ dir });
    const error = await failure(project.resume(fill, run, { ceilings: roomy }));
    expect(error.code).toBe("JOURNAL_DAMAGED");
    expect(stored()).toEqual(before);
  });

  it("are found by verify where the whole chain was written anew, by the head that run.json keeps", async () => {
    const db = new DatabaseSync(journalOf(dir));
    let { link } = newChain(run, fill.name);
    for (const row of db.prepare("SELECT id, body FROM events ORDER BY id").all()) {
      const body = (row.body as string).replace('"seed":1', '"seed":2');
      link = linkOf(link, body);
      db.prepare("UPDATE events SET body = ?, link = ? WHERE id = ?").run(body, Buffer.from(link, "hex"), row.id!);
    }
    db.close();
    const { problems } = await (await openTemp({ dir })).verify(run);
    expect(problems).toEqual([`event ${length} is not the one that run.json remembers`]);
  });

  it("are found where the whole chain was written anew with an event that cannot have happened", async () => {
    const db = new DatabaseSync(journalOf(dir));
    let { link } = newChain(run, fill.name);
    for (const row of db.prepare("SELECT id, body FROM events ORDER BY id").all()) {
      const body = (row.body as string).replace('"type":"effect-started"', '"type":"loop-noted"');
      link = linkOf(link, body);
      db.prepare("UPDATE events SET body = ?, link = ? WHERE id = ?").run(body, Buffer.from(link, "hex"), row.id!);
    }
    db.exec("DELETE FROM folds");
    db.close();
    await rm(join(dir, "runs"), { recursive: true });
    const project = await openTemp({ dir });
    expect((await project.verify(run)).problems).toEqual([
      expect.stringContaining("event 3 is missing or was changed"),
    ]);
    expect(await failure(project.resume(fill, run, { ceilings: roomy }))).toMatchObject({ code: "JOURNAL_DAMAGED" });
  });

  it("are found by verify where the kept fold was changed, which is what a resume would believe (L3)", async () => {
    const { zstdCompressSync, zstdDecompressSync } = await import("node:zlib");
    const db = new DatabaseSync(journalOf(dir));
    const body = zstdDecompressSync(db.prepare("SELECT body FROM folds").get()!.body as Uint8Array).toString();
    expect(body).toContain('"mayBeDone":false');
    const changed = zstdCompressSync(body.replace('"mayBeDone":false', '"mayBeDone":true'));
    db.prepare("UPDATE folds SET body = ?").run(changed);
    db.close();
    const { ok, problems } = await (await openTemp({ dir })).verify(run);
    expect({ ok, problems }).toEqual({ ok: false, problems: [expect.stringContaining("fold")] });
  });

  it("of one run make the release of another say which run is damaged, and nothing is released", async () => {
    const project = await openTemp({ dir });
    const other = await project.start(fill, { rounds: 1, bytes: 5_000 }, { slug: "other" });
    change(`UPDATE events SET body = 'truncated' WHERE id = ${id(4)}`);
    expect(await project.verify(other.run)).toMatchObject({ ok: true });
    const error = await failure(project.release([other.run]));
    expect(error.code).toBe("JOURNAL_DAMAGED");
    expect(error.message).toContain(run);
    expect(await project.verify(other.run)).toMatchObject({ ok: true, released: 0 });
  });
});

function swap(a: number, b: number): string {
  return `UPDATE events SET id = -1 WHERE id = ${id(a)}; UPDATE events SET id = ${id(a)} WHERE id = ${id(b)};
    UPDATE events SET id = ${id(b)} WHERE id = -1`;
}

function change(sql: string): void {
  const db = new DatabaseSync(journalOf(dir));
  db.exec(sql);
  db.close();
}

/** All that the journal holds of events and leases. */
function stored(): unknown {
  const db = new DatabaseSync(journalOf(dir), { readOnly: true });
  try {
    return [db.prepare("SELECT * FROM events").all(), db.prepare("SELECT * FROM leases").all()];
  } finally {
    db.close();
  }
}
