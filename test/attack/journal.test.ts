// A journal in the hands of someone who can write the project's folder, and has not got its key.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import zlib from "node:zlib";
import { openProject, type Project } from "@loopwright/core";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { GENESIS, linkOf, newChain } from "../../packages/core/src/record/links.ts";
import { climb, passed, singlePhase } from "../fakes/loops.ts";

const KEY = "a-key-that-only-the-user-has-0123456789";
const large = "a large value ".repeat(200);
let dir: string;
let run: string;

const simple = singlePhase(async (ctx) => {
  await ctx.effect("make", { run: async () => `${large} one` });
  return passed(ctx);
});

/** The project as the user opens it, with the key or without. */
async function within<T>(work: (project: Project) => Promise<T>, key: string | undefined = KEY): Promise<T> {
  if (key === undefined) delete process.env.LOOPWRIGHT_JOURNAL_KEY;
  else process.env.LOOPWRIGHT_JOURNAL_KEY = key;
  try {
    await using project = await openProject({ dir });
    return await work(project);
  } finally {
    delete process.env.LOOPWRIGHT_JOURNAL_KEY;
  }
}

/** Changes the journal behind the project's back. */
function change(work: (db: DatabaseSync) => void): void {
  using db = new DatabaseSync(join(dir, ".loopwright/journal.db"));
  work(db);
}

/** Writes the chain of the run anew, as anyone can who knows how. */
function relinkAll(begin: (first: Record<string, unknown>) => { first: Record<string, unknown>; link: string }): void {
  change((db) => {
    const rows = db.prepare("SELECT id, body FROM events ORDER BY id").all();
    const { first, link: genesis } = begin(JSON.parse(String(rows[0]!.body)));
    let link = genesis;
    for (const [index, { id, body }] of rows.entries()) {
      const text = index === 0 ? JSON.stringify(first) : String(body).replace(/"reason":"[^"]*"/, '"reason":"forged"');
      link = linkOf(link, text);
      db.prepare("UPDATE events SET body = ?, link = ? WHERE id = ?").run(text, Buffer.from(link, "hex"), id!);
    }
    db.exec("DELETE FROM folds");
  });
  rmSync(join(dir, "runs"), { recursive: true });
}

/** Puts other events in the place of the run's, in a chain as it was before there were keys. */
function replaceEvents(make: (bodies: readonly Record<string, unknown>[]) => readonly object[]): void {
  change((db) => {
    const rows = db.prepare("SELECT id, body FROM events ORDER BY id").all();
    const events = make(rows.map(({ body }) => JSON.parse(String(body))));
    db.exec("DELETE FROM events; DELETE FROM folds");
    let link = GENESIS;
    for (const [index, event] of events.entries()) {
      link = linkOf(link, JSON.stringify(event));
      const insert = db.prepare("INSERT INTO events (id, body, link) VALUES (?, ?, ?)");
      insert.run(Number(rows[0]!.id) + index, JSON.stringify(event), Buffer.from(link, "hex"));
    }
  });
  rmSync(join(dir, "runs"), { recursive: true });
}

/** What the user is told by each way of going on with the run. */
async function told(): Promise<string[]> {
  const ways: ((project: Project) => Promise<unknown>)[] = [
    async (project) => {
      const { ok, problems } = await project.verify(run);
      if (ok) return "ok";
      throw new Error(problems.join("; "));
    },
    (project) => project.resume(simple, run),
    (project) => project.fork(run, 1),
  ];
  return Promise.all(
    ways.map((way) =>
      within(way).then(
        () => "ok",
        (error: Error) => error.message,
      ),
    ),
  );
}

beforeEach(async () => {
  dir = mkdtempSync(join(tmpdir(), "loopwright-journal-"));
  run = await within(async (project) => (await project.start(simple, null)).run);
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

describe("a keyed run", () => {
  it("is whole as it is", async () => {
    expect((await told())[0]).toBe("ok");
  });

  it.each([
    [
      "without a key",
      (first: Record<string, unknown>) => ({
        first: { ...first, chain: { form: 2 } },
        link: newChain(run, String(first.loop)).link,
      }),
    ],
    [
      "in the form of before there were keys",
      ({ chain: _, ...first }: Record<string, unknown>) => ({ first, link: GENESIS }),
    ],
    [
      "in a form that nobody knows",
      (first: Record<string, unknown>) => ({ first: { ...first, chain: { form: 3, key: "x" } }, link: GENESIS }),
    ],
    [
      "under the name of the key, which is no secret",
      (first: Record<string, unknown>) => ({ first, link: newChain(run, String(first.loop)).link }),
    ],
  ])("is not believed when its chain is written anew %s", async (_, begin) => {
    relinkAll(begin);
    for (const words of await told()) expect(words).toMatch(/without a key|changed|damaged|missing|another key/);
  });

  it("is not believed when a second beginning names the key", async () => {
    replaceEvents(([first, ...rest]) => {
      const { chain: _, ...keyless } = first!;
      return [keyless, first!, ...rest];
    });
    for (const words of await told()) expect(words).toMatch(/without a key|changed|damaged|missing/);
  });

  it("is not believed when its first event gives it another name", async () => {
    replaceEvents(([first, ...rest]) => [{ ...first, run: "../../elsewhere" }, ...rest]);
    for (const words of await told()) expect(words).toMatch(/without a key|changed|damaged|missing/);
  });

  it("is not gone on with from a fold that says something else, sealed or not", async () => {
    const { run: other } = await within((project) =>
      project.start(climb(), { top: 5 }, { ceilings: { iterations: 2 } }),
    );
    const forged = (seal: string) =>
      change((db) => {
        const { number } = db.prepare("SELECT number FROM runs WHERE name = ?").get(other)!;
        const { body } = db.prepare("SELECT body FROM folds WHERE run = ?").get(number!)!;
        const text = zlib
          .zstdDecompressSync(body as Uint8Array)
          .toString()
          .split("\n")[0]!;
        const raised = text.replace(/"iterations":2/g, '"iterations":1').replace('"usage":{', '"usage":{"x":1,');
        db.prepare("UPDATE folds SET body = ? WHERE run = ?").run(zlib.zstdCompressSync(raised + seal), number!);
      });
    for (const seal of ["", "\n", `\n${"0".repeat(64)}`]) {
      forged(seal);
      const { iterations, usage } = await within((project) => project.record(other));
      expect([iterations, "x" in usage]).toEqual([2, false]);
      expect((await within((project) => project.verify(other))).ok).toBe(false);
    }
  });

  it("is not another's: rows, folds and names swapped between two runs are told", async () => {
    const second = await within(async (project) => (await project.start(simple, null)).run);
    change((db) => {
      db.exec("UPDATE runs SET name = name || '-x'");
      db.prepare("UPDATE runs SET name = ? WHERE name = ?").run(run, `${second}-x`);
      db.prepare("UPDATE runs SET name = ? WHERE name = ?").run(second, `${run}-x`);
    });
    for (const each of [run, second]) {
      const verified = await within((project) => project.verify(each).catch((error: Error) => ({ ok: false, error })));
      expect(verified.ok).toBe(false);
      await expect(within((project) => project.fork(each, 1))).rejects.toThrow();
    }
  });

  it("has no large value in another's place", async () => {
    const other = singlePhase(async (ctx) => {
      await ctx.effect("make", { run: async () => `${large} two` });
      return passed(ctx);
    });
    await within((project) => project.start(other, null));
    change((db) => {
      const rows = db.prepare("SELECT id, bytes FROM blobs WHERE bytes IS NOT NULL ORDER BY id").all();
      expect(rows.length).toBeGreaterThan(1);
      for (const [index, { id }] of rows.entries())
        db.prepare("UPDATE blobs SET bytes = ? WHERE id = ?").run(rows[(index + 1) % rows.length]!.bytes!, id!);
    });
    expect((await within((project) => project.verify(run))).problems.join()).toMatch(/was changed|unreadable/);
  });
});

describe("a journal that was changed", () => {
  it("by a summary that calls an open run done has nothing of it given up", async () => {
    const waiting = singlePhase(async (ctx) => {
      await ctx.save("kept.txt", large);
      await ctx.ask({ name: "go", question: "Go?", choices: ["yes", "no"], default: "no" });
      return passed(ctx);
    });
    const { run: open } = await within((project) => project.start(waiting, null));
    change((db) => {
      const { number } = db.prepare("SELECT number FROM runs WHERE name = ?").get(open)!;
      db.exec(
        `UPDATE folds SET summary = replace(replace(summary, '"waiting"', '"done"'), '"open"', '"done"') WHERE run = ${number}`,
      );
    });
    await within(async (project) => {
      expect((await project.list()).find((each) => each.run === open)).toMatchObject({ status: "done" });
      await expect(project.release([open])).rejects.toThrow(/still open/);
      expect((await project.artifacts(open)).length).toBe(1);
    });
  });

  it.each([-1e12, -1, 0])("to say that a run was active for %d ms gives it no more time", async (active) => {
    const slow = climb();
    const { run: spent } = await within((project) => project.start(slow, { top: 50 }, { ceilings: { minutes: 0 } }));
    change((db) => {
      db.prepare("UPDATE leases SET active = ?").run(active);
    });
    const before = (await within((project) => project.record(spent))).iterations;
    await within((project) => project.resume(slow, spent));
    expect((await within((project) => project.record(spent))).iterations).toBe(before);
  });

  it("by rows past its end, or of a negative number, is told", async () => {
    change((db) => {
      const { id, body, link } = db.prepare("SELECT id, body, link FROM events ORDER BY id DESC LIMIT 1").get()!;
      db.prepare("INSERT INTO events (id, body, link) VALUES (?, ?, ?)").run(Number(id) + 7, body!, link!);
    });
    expect((await told())[0]).toMatch(/missing|changed/);
  });

  it("by triggers of its own cannot have an event put in unseen", async () => {
    change((db) => {
      db.exec(`CREATE TRIGGER sneak AFTER INSERT ON events BEGIN
        UPDATE events SET body = replace(body, '"score":1', '"score":0.5') WHERE id = NEW.id; END`);
    });
    const sneaked = await within((project) =>
      project.start(simple, null).then(
        ({ run: id }) => id,
        (error: Error) => error,
      ),
    );
    if (typeof sneaked !== "string") return;
    expect((await within((project) => project.verify(sneaked))).ok).toBe(false);
  });
});
