// What may happen to issues.db: kills between any two of its writes, truncated and foreign files, a large import.

import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { DatabaseSync, StatementSync } from "node:sqlite";
import { type Issue, openTracker } from "@loopwright/tracker";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { expectWhole, work } from "./work.ts";

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "loopwright-issues-"));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

const issuesFile = (project: string) => join(project, ".loopwright/issues.db");
const children: ChildProcess[] = [];
afterEach(() => {
  for (const child of children.splice(0)) child.kill("SIGKILL");
});

function startProgram(name: string, ...words: string[]) {
  const program = join(import.meta.dirname, name);
  const child = spawn(process.execPath, ["--conditions=loopwright-source", program, dir, ...words], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  children.push(child);
  return child;
}

/** A process that has claimed all that it could get. */
async function claimAll(): Promise<{ child: ChildProcess; taken: string[] }> {
  const child = startProgram("claimer.ts");
  const taken: string[] = [];
  for await (const line of createInterface({ input: child.stdout })) {
    if (line === "none") return { child, taken };
    taken.push(line);
  }
  throw new Error("it ended without having asked for all");
}

it("gives each of 30 issues to one of four processes, and those of a killed one to the next", async () => {
  const tracker = await openTracker({ dir });
  for (let number = 0; number < 30; number++) await tracker.create({ title: `issue ${number}` });
  const claimers = await Promise.all([1, 2, 3, 4].map(claimAll));
  const all = claimers.flatMap(({ taken }) => taken);
  expect(all.toSorted()).toEqual((await tracker.list()).map(({ id }) => id).toSorted());
  expect(await tracker.ready()).toEqual([]);
  const busiest = claimers.toSorted((one, other) => other.taken.length - one.taken.length)[0]!;
  busiest.child.kill("SIGKILL");
  await once(busiest.child, "exit");
  expect((await tracker.ready()).map(({ id }) => id).toSorted()).toEqual(busiest.taken.toSorted());
  const heir = await claimAll();
  expect(heir.taken.toSorted()).toEqual(busiest.taken.toSorted());
  await tracker.close();
});

describe("a process that is killed between any two of its writes", () => {
  const plain = (issues: readonly Issue[]) =>
    issues.map(({ key, status, runs, edges, closeReason }) => ({
      key,
      status,
      runs,
      closeReason,
      edges: edges.map(({ kind }) => kind),
    }));

  it("leaves all of a call or nothing of it, and the same work asked for again comes to the same end", async () => {
    // What a killed process leaves is what its files hold at that moment: they are copied before each statement.
    const copies: string[] = [];
    const statements = StatementSync.prototype as { run: (...given: unknown[]) => unknown };
    const { run } = statements;
    const tracker = await openTracker({ dir });
    statements.run = function (this: StatementSync, ...given: unknown[]) {
      const copy = join(dir, `copy-${copies.length}`);
      mkdirSync(join(copy, ".loopwright"), { recursive: true });
      for (const end of ["", "-wal"])
        if (existsSync(issuesFile(dir) + end)) cpSync(issuesFile(dir) + end, issuesFile(copy) + end);
      copies.push(copy);
      return run.apply(this, given);
    };
    await work(tracker, 0).finally(() => {
      statements.run = run;
    });
    const end = plain(await tracker.list());
    await tracker.close();
    expect(copies.length).toBeGreaterThan(40);
    for (const copy of copies) {
      const again = await openTracker({ dir: copy });
      expectWhole(await again.list(), 0);
      await work(again, 0);
      expect(plain(await again.list())).toEqual(end);
      for (const { id } of await again.list()) expect((await again.history(id)).length).toBeGreaterThan(0);
      await again.close();
    }
  });
});

it("loses nothing and does nothing twice when the process is killed again and again", async () => {
  const rounds = 16;
  const start = () => startProgram("worker.ts", String(rounds));
  let done = 0;
  let kills = 0;
  for (; done < rounds - 4; kills++) {
    const child = start();
    const target = done + 4;
    for await (const line of createInterface({ input: child.stdout })) {
      done = Number(line);
      if (done >= target) break;
    }
    child.kill("SIGKILL");
    await once(child, "exit");
    const tracker = await openTracker({ dir });
    for (let round = 0; round < rounds; round++) expectWhole(await tracker.list(), round);
    await tracker.close();
  }
  expect(kills).toBeGreaterThanOrEqual(3);
  await once(start(), "exit");
  const tracker = await openTracker({ dir });
  const issues = await tracker.list();
  expect(issues).toHaveLength(4 * rounds);
  expect(issues.filter(({ closeReason }) => closeReason === "it passed")).toHaveLength(2 * rounds);
  await tracker.close();
});

describe("a file that is none of ours", () => {
  it.each<[string, (file: string) => void]>([
    ["garbage", (file) => writeFileSync(file, "the dog ate it\n".repeat(1000))],
    ["cut in half", (file) => truncateSync(file, readFileSync(file).length / 2)],
    [
      "overwritten at its head",
      (file) => writeFileSync(file, Buffer.concat([Buffer.alloc(100, 7), readFileSync(file).subarray(100)])),
    ],
  ])("is named and left as it is when it is %s", async (_what, damage) => {
    const tracker = await openTracker({ dir });
    for (let number = 0; number < 50; number++) await tracker.create({ title: "x".repeat(400), key: String(number) });
    await tracker.close();
    const file = issuesFile(dir);
    damage(file);
    const before = readFileSync(file);
    const error = await openTracker({ dir })
      .then((again) => again.list())
      .catch((thrown) => thrown);
    expect(error).toMatchObject({ code: "JOURNAL_DAMAGED" });
    expect(error.message).toContain(file);
    expect(readFileSync(file)).toEqual(before);
  });

  it("is refused where it is a link, or made by a newer program, or has a row that is no issue", async () => {
    const tracker = await openTracker({ dir });
    await tracker.create({ title: "one" });
    await tracker.close();
    const db = new DatabaseSync(issuesFile(dir));
    db.exec("UPDATE issues SET body = '{'");
    await expect(openTracker({ dir }).then((again) => again.list())).rejects.toMatchObject({ code: "ISSUES_DAMAGED" });
    db.exec("PRAGMA user_version = 99");
    db.close();
    await expect(openTracker({ dir })).rejects.toMatchObject({ code: "JOURNAL_VERSION" });
    rmSync(issuesFile(dir));
    symlinkSync("/dev/null", issuesFile(dir));
    await expect(openTracker({ dir })).rejects.toMatchObject({ code: "FOLDER_LINKED" });
  });
});

describe("an import of 20,000 lines", () => {
  it("is taken in whole, once", async () => {
    const tracker = await openTracker({ dir });
    const count = 20_000;
    function* lines() {
      for (let at = 0; at < count; at++) {
        const dependencies = at === 0 ? [] : [{ issue_id: `bd-${at}`, depends_on_id: `bd-${at - 1}`, type: "blocks" }];
        yield JSON.stringify({
          id: `bd-${at}`,
          title: `issue ${at}`,
          priority: at % 4,
          updated_at: "2026-01-01T00:00:00Z",
          dependencies,
        });
      }
    }
    expect(await tracker.import(lines())).toEqual({ created: count, updated: 0, kept: 0, skipped: 0 });
    expect(await tracker.import(lines())).toEqual({ created: 0, updated: 0, kept: count, skipped: 0 });
    expect((await tracker.ready()).map(({ id }) => id)).toEqual(["bd-0"]);
    await tracker.close();
  });
});
