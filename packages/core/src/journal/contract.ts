// The contract of every journal: one suite, run against each implementation (L1, L3, L4).
//
// A holder that must be alive, dead or a zombie is a real process; one elsewhere is a process of another boot.

import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { LoopwrightError } from "../errors.ts";
import type { Commit, Journal, KeptFold, Lease, ProcessId, Row, Signal } from "../ports.ts";
import { GENESIS, linkOf } from "../record/chain.ts";
import { sha256 } from "../record/json.ts";
import { thisProcess } from "./process-id.ts";

/** A journal under test. */
export interface Opened {
  journal: Journal;
  /** Another way into the same stored runs, as another process would have it. */
  again: () => Promise<Journal>;
}

type Open = (options?: { silence?: number }) => Promise<Opened>;

const self = thisProcess();
const elsewhere: ProcessId = { host: "far-away", boot: "another-boot", namespace: "pid:[1]", pid: 77, started: "5" };
const SILENCE = 600;

/** The suite. `open` gives a journal with nothing in it yet. */
export function journalContract(name: string, open: Open): void {
  describe(`the journal ${name}`, () => {
    let opened: Opened;
    let journal: Journal;
    beforeEach(async () => {
      opened = await open({ silence: SILENCE });
      journal = opened.journal;
    });
    afterEach(() => journal.close());
    const current = () => opened;

    describe("as it creates runs", () => creating(current));
    describe("as it appends and reads", () => appending(current));
    describe("as it keeps blobs", () => keepingBlobs(current));
    describe("as it keeps folds", () => keepingFolds(current));
    describe("as it lends leases", () => lending(current));
    describe("as it takes over from dead and silent holders", () => takingOver(current));
    describe("as it passes signals on", () => signalling(current));
  });
}

function creating(opened: () => Opened): void {
  it("makes a run, its lease and its first rows in one commit (L1)", async () => {
    const { journal } = opened();
    const lease = await journal.create("run", self, commit(chain(3)));
    expect(lease).toMatchObject({ run: "run", active: 0 });
    expect(await journal.read("run")).toEqual(chain(3));
    expect(await journal.holder("run", self)).toEqual({ holder: self, alive: true });
  });

  it("refuses an id that is taken, and changes nothing of its run", async () => {
    const { journal } = opened();
    const lease = await created(journal, "run", chain(2));
    expect(await journal.create("run", elsewhere, commit(chain(1), { blobs: blob("new") }))).toBe(false);
    expect(await journal.read("run")).toEqual(chain(2));
    expect(await journal.blob(sha256("new"))).toEqual({ state: "missing" });
    expect((await journal.holder("run", self))?.holder).toEqual(self);
    await journal.append(lease, commit([rowAfter(chain(2))]));
  });

  it("lets exactly one of many creates of one id win", async () => {
    const { journal, again } = opened();
    const other = await again();
    const tries = Array.from({ length: 8 }, (_, n) => (n % 2 ? other : journal).create("run", self, commit(chain(1))));
    const leases = (await Promise.all(tries)).filter((lease) => lease !== false);
    expect(leases).toHaveLength(1);
    await other.close();
  });

  it("leaves nothing of a run whose first commit fails (L1)", async () => {
    const { journal } = opened();
    await expect(journal.create("run", self, commit(chain(1), { blobs: new BrokenMap() }))).rejects.toThrow("broken");
    expect(await journal.runs()).toEqual([]);
    expect(await journal.read("run")).toEqual([]);
    expect(await journal.holder("run", self)).toBeUndefined();
  });

  it("does not mix up runs after a create that failed", async () => {
    const { journal, again } = opened();
    const other = await again();
    await journal.create("first", self, commit(chain(1), { blobs: new BrokenMap() })).catch(() => {});
    await created(other, "second", chain(2));
    const lease = await created(journal, "first", chain(1));
    await journal.append(lease, commit([rowAfter(chain(1))]));
    expect(await journal.read("first")).toEqual([...chain(1), rowAfter(chain(1))]);
    expect(await journal.read("second")).toEqual(chain(2));
    await other.close();
  });

  it("lists runs by the beginning of their ids, oldest first, and takes no character for a wildcard", async () => {
    const { journal } = opened();
    for (const run of ["b-1", "a_1", "ab1", "a%1", "ü-1"]) await created(journal, run);
    expect(await journal.runs()).toEqual(["b-1", "a_1", "ab1", "a%1", "ü-1"]);
    expect(await journal.runs("a")).toEqual(["a_1", "ab1", "a%1"]);
    expect(await journal.runs("a_")).toEqual(["a_1"]);
    expect(await journal.runs("a%")).toEqual(["a%1"]);
    expect(await journal.runs("ü")).toEqual(["ü-1"]);
    expect(await journal.runs("A")).toEqual([]);
    expect(await journal.runs("a_11")).toEqual([]);
  });

  it("names the run where there is none of that id", async () => {
    const { journal } = opened();
    expect(await journal.read("none")).toEqual([]);
    expect(await journal.row("none", 1)).toBeUndefined();
    expect(await journal.fold("none")).toBeUndefined();
    expect(await journal.holder("none", self)).toBeUndefined();
    expect(await journal.signals("none")).toEqual([]);
    await journal.dropFold("none");
    const unknown = { code: "RUN_NOT_FOUND", message: expect.stringContaining("'none'") };
    expect(await failure(journal.acquire("none", self))).toMatchObject(unknown);
    expect(await failure(journal.acquire("none", self, { take: true }))).toMatchObject(unknown);
    expect(await failure(journal.signal("none", signal("cancel")))).toMatchObject(unknown);
  });
}

function appending(opened: () => Opened): void {
  it("reads rows in order, all of them or those after a sequence number", async () => {
    const { journal } = opened();
    const rows = chain(300);
    const lease = await created(journal, "run", rows.slice(0, 1));
    for (let at = 1; at < rows.length; at += 23) await journal.append(lease, commit(rows.slice(at, at + 23)));
    expect(await journal.read("run")).toEqual(rows);
    expect(await journal.read("run", 0)).toEqual(rows);
    expect(await journal.read("run", 298)).toEqual(rows.slice(298));
    expect(await journal.read("run", 300)).toEqual([]);
    expect(await journal.row("run", 7)).toEqual(rows[6]);
    expect(await journal.row("run", 0)).toBeUndefined();
    expect(await journal.row("run", 301)).toBeUndefined();
  });

  it("keeps the rows of two runs apart", async () => {
    const { journal } = opened();
    const one = await created(journal, "one", chain(2, "one"));
    const two = await created(journal, "two", chain(2, "two"));
    await journal.append(one, commit([rowAfter(chain(2, "one"))]));
    await journal.append(two, commit([rowAfter(chain(2, "two"))]));
    expect(await journal.read("one")).toEqual([...chain(2, "one"), rowAfter(chain(2, "one"))]);
    expect(await journal.read("two", 1)).toEqual([chain(2, "two")[1], rowAfter(chain(2, "two"))]);
  });

  it("gives bodies and blobs back letter by letter", async () => {
    const { journal } = opened();
    const text = JSON.stringify(`quotes " ' \\, a zero \0, Zürich, 漢字, 🚢, \ud800, ${"x".repeat(100_000)}`);
    const row = { seq: 1, body: text, link: linkOf(GENESIS, text) };
    await journal.create("run", self, commit([row], { blobs: blob(text) }));
    expect(await journal.row("run", 1)).toEqual(row);
    expect(await journal.blob(sha256(text))).toEqual({ state: "here", text });
  });

  it("gives another reader what was appended as soon as the append returns", async () => {
    const { journal, again } = opened();
    const other = await again();
    const lease = await created(journal, "run", chain(1));
    expect(await other.read("run")).toEqual(chain(1));
    await journal.append(lease, commit([rowAfter(chain(1))]));
    expect(await other.read("run")).toEqual([...chain(1), rowAfter(chain(1))]);
    await other.close();
  });

  it("refuses the commit of a stale token, and stores nothing of it (L4)", async () => {
    const { journal } = opened();
    const old = await created(journal, "run", chain(1));
    await journal.signal("run", signal("cancel"));
    await journal.acquire("run", elsewhere, { take: true });
    const late = journal.append(old, {
      rows: [rowAfter(chain(1))],
      blobs: blob("late"),
      taken: ["cancel"],
      fold: fold(1),
    });
    expect(await failure(late)).toMatchObject({ code: "LEASE_LOST", message: expect.stringContaining("run") });
    expect(await journal.read("run")).toEqual(chain(1));
    expect(await journal.blob(sha256("late"))).toEqual({ state: "missing" });
    expect(await journal.signals("run")).toHaveLength(1);
    expect(await journal.fold("run")).toBeUndefined();
  });

  it("refuses the commit of a lease that was given back (L4)", async () => {
    const { journal } = opened();
    const lease = await created(journal, "run", chain(1));
    await journal.yield(lease, 0);
    expect(await failure(journal.append(lease, commit([rowAfter(chain(1))])))).toMatchObject({ code: "LEASE_LOST" });
    expect(await journal.read("run")).toEqual(chain(1));
  });

  it("stores nothing of an append that fails half-way", async () => {
    const { journal } = opened();
    const lease = await created(journal, "run", chain(1));
    const broken = commit([rowAfter(chain(1))], { blobs: new BrokenMap([["ab", "text"]]) });
    await expect(journal.append(lease, broken)).rejects.toThrow("broken");
    expect(await journal.read("run")).toEqual(chain(1));
    await journal.append(lease, commit([rowAfter(chain(1))]));
    expect(await journal.read("run")).toEqual([...chain(1), rowAfter(chain(1))]);
  });

  it("has all that was stored when it is closed and opened again", async () => {
    const { journal, again } = opened();
    const lease = await created(journal, "run", chain(2), { blobs: blob("kept"), fold: fold(2) });
    await journal.signal("run", signal("cancel"));
    await journal.yield(lease, 1234, fold(2));
    await journal.close();
    const next = await again();
    expect(await next.read("run")).toEqual(chain(2));
    expect(await next.blob(sha256("kept"))).toEqual({ state: "here", text: "kept" });
    expect(await next.fold("run")).toEqual(fold(2));
    expect(await next.signals("run")).toEqual([signal("cancel")]);
    expect(await next.acquire("run", self)).toMatchObject({ run: "run", active: 1234 });
    await next.close();
  });
}

function keepingBlobs(opened: () => Opened): void {
  it("tells a blob that is here from one that is missing", async () => {
    const { journal } = opened();
    await created(journal, "run", chain(1), { blobs: blob("here") });
    expect(await journal.blob(sha256("here"))).toEqual({ state: "here", text: "here" });
    expect(await journal.blob(sha256("never"))).toEqual({ state: "missing" });
  });

  it("shares a blob between runs", async () => {
    const { journal } = opened();
    await created(journal, "one", chain(1), { blobs: blob("shared") });
    await created(journal, "two", chain(1), { blobs: blob("shared") });
    expect(await journal.blob(sha256("shared"))).toEqual({ state: "here", text: "shared" });
  });

  it("remembers what was released, also what it never held itself", async () => {
    const { journal } = opened();
    await created(journal, "run", chain(1), { blobs: blob("going", "staying") });
    await journal.release([sha256("going"), sha256("a file of the store")]);
    expect(await journal.blob(sha256("going"))).toEqual({ state: "released" });
    expect(await journal.blob(sha256("a file of the store"))).toEqual({ state: "released" });
    expect(await journal.blob(sha256("staying"))).toEqual({ state: "here", text: "staying" });
    await journal.release([sha256("going")]);
    expect(await journal.blob(sha256("going"))).toEqual({ state: "released" });
  });

  it("has a released blob again once it is put again", async () => {
    const { journal } = opened();
    const lease = await created(journal, "run", chain(1), { blobs: blob("back") });
    await journal.release([sha256("back")]);
    await journal.append(lease, commit([rowAfter(chain(1))], { blobs: blob("back") }));
    expect(await journal.blob(sha256("back"))).toEqual({ state: "here", text: "back" });
  });

  it("keeps an empty text and a large one", async () => {
    const { journal } = opened();
    const large = JSON.stringify("0123456789".repeat(300_000));
    await created(journal, "run", chain(1), { blobs: blob("", large) });
    expect(await journal.blob(sha256(""))).toEqual({ state: "here", text: "" });
    expect(await journal.blob(sha256(large))).toEqual({ state: "here", text: large });
  });
}

function keepingFolds(opened: () => Opened): void {
  it("keeps the last fold of a run, and only of that run", async () => {
    const { journal } = opened();
    const lease = await created(journal, "run", chain(1), { fold: fold(1) });
    await created(journal, "other", chain(1));
    expect(await journal.fold("run")).toEqual(fold(1));
    await journal.append(lease, commit([rowAfter(chain(1))], { fold: fold(2) }));
    expect(await journal.fold("run")).toEqual(fold(2));
    await journal.append(lease, commit([rowAfter([...chain(1), rowAfter(chain(1))])]));
    expect(await journal.fold("run")).toEqual(fold(2));
    expect(await journal.fold("other")).toBeUndefined();
  });

  it("keeps the fold that a lease is given back with", async () => {
    const { journal } = opened();
    await journal.yield(await created(journal, "run", chain(1)), 0, fold(1));
    expect(await journal.fold("run")).toEqual(fold(1));
  });

  it("tells every run at a glance, with a summary only where nothing has come since it was made", async () => {
    const { journal } = opened();
    const rows = chain(2);
    const last = { ...fold(2), link: rows[1]!.link };
    await journal.yield(await created(journal, "whole", rows), 0, last);
    const lease = await created(journal, "behind", rows, { fold: last });
    await journal.append(lease, commit([rowAfter(rows)]));
    await created(journal, "bare");
    const glances = await journal.glances();
    expect(glances).toEqual([
      { run: "whole", summary: "summary 2", holder: undefined },
      { run: "behind", summary: undefined, holder: self },
      { run: "bare", summary: undefined, holder: self },
    ]);
  });

  it("can be rid of a fold without losing a row (L3)", async () => {
    const { journal } = opened();
    await created(journal, "run", chain(2), { fold: fold(2) });
    await journal.dropFold("run");
    expect(await journal.fold("run")).toBeUndefined();
    expect(await journal.read("run")).toEqual(chain(2));
  });
}

function lending(opened: () => Opened): void {
  it("lends a free run at once, each time with a higher token", async () => {
    const { journal } = opened();
    let lease: Lease = await created(journal, "run");
    for (let round = 0; round < 3; round++) {
      const { token } = lease;
      await journal.yield(lease, 0);
      expect(await journal.holder("run", self)).toBeUndefined();
      lease = await journal.acquire("run", self);
      expect(lease.token).toBeGreaterThan(token);
    }
  });

  it("refuses a run that a live process holds, at once, and names process and host", async () => {
    const { journal } = opened();
    const holder = await startHolder();
    await journal.create("run", holder.id, commit(chain(1)));
    const started = performance.now();
    const error = await failure(journal.acquire("run", self));
    expect(performance.now() - started).toBeLessThan(SILENCE / 2);
    expect(error).toMatchObject({ code: "LEASE_HELD", data: { pid: holder.id.pid, host: holder.id.host } });
    expect(error.message).toContain(`process ${holder.id.pid} on ${holder.id.host}`);
    expect(await journal.holder("run", self)).toEqual({ holder: holder.id, alive: true });
    await holder.kill();
  });

  it("lets exactly one of many racing acquires win", async () => {
    const { journal, again } = opened();
    const other = await again();
    for (let round = 1; round <= 5; round++) {
      const run = `run-${round}`;
      await journal.yield(await created(journal, run), 0);
      const tries = Array.from({ length: 6 }, (_, n) => (n % 2 ? other : journal).acquire(run, self));
      await expectOneWinner(tries);
    }
    await other.close();
  });

  it("gives a run to whoever takes it from a live holder, and refuses the old one's late word (L4)", async () => {
    const { journal, again } = opened();
    const other = await again();
    const old = await created(journal, "run", chain(1));
    const lease = await other.acquire("run", self, { take: true });
    expect(lease.token).toBeGreaterThan(old.token);
    for (const late of [
      journal.append(old, commit([rowAfter(chain(1))])),
      journal.beat(old, 9_999),
      journal.yield(old, 9_999, fold(1)),
    ])
      expect(await failure(late)).toMatchObject({ code: "LEASE_LOST" });
    await other.append(lease, commit([rowAfter(chain(1))]));
    expect(await journal.read("run")).toEqual([...chain(1), rowAfter(chain(1))]);
    expect(await journal.fold("run")).toBeUndefined();
    expect((await journal.holder("run", self))?.holder).toEqual(self);
    await other.yield(lease, 5);
    expect((await other.acquire("run", self)).active).toBe(5);
    await other.close();
  });

  it("hands on the active time that the last holder reported", async () => {
    const { journal } = opened();
    const lease = await created(journal, "run");
    await journal.beat(lease, 2_000);
    await journal.beat(lease, 4_000);
    expect((await journal.acquire("run", self, { take: true })).active).toBe(4_000);
    const next = await journal.acquire("run", self, { take: true });
    await journal.yield(next, 7_500);
    expect((await journal.acquire("run", self)).active).toBe(7_500);
  });
}

function takingOver(opened: () => Opened): void {
  it("takes a run from a process that was killed, at once and without waiting for silence", async () => {
    const { journal } = opened();
    const holder = await startHolder();
    const old = await created(journal, "run", chain(1), {}, holder.id);
    await holder.kill();
    expect(await journal.holder("run", self)).toEqual({ holder: holder.id, alive: false });
    const started = performance.now();
    const lease = await journal.acquire("run", self);
    expect(performance.now() - started).toBeLessThan(SILENCE / 2);
    expect(await failure(journal.append(old, commit([rowAfter(chain(1))])))).toMatchObject({ code: "LEASE_LOST" });
    await journal.append(lease, commit([rowAfter(chain(1))]));
  });

  it.skipIf(process.platform !== "linux")("takes a zombie to be dead (on Linux)", async () => {
    const { journal } = opened();
    const zombie = await startZombie();
    await journal.create("run", zombie.id, commit(chain(1)));
    expect(await journal.holder("run", self)).toMatchObject({ alive: false });
    const started = performance.now();
    await journal.acquire("run", self);
    expect(performance.now() - started).toBeLessThan(SILENCE / 2);
    await zombie.kill();
  });

  it("is not fooled by another process that has got the dead holder's number", async () => {
    const { journal } = opened();
    await journal.create("run", { ...self, started: "1" }, commit(chain(1)));
    expect(await journal.holder("run", self)).toMatchObject({ alive: false });
    await journal.acquire("run", self);
  });

  it("takes over from a holder elsewhere that stays silent, but not before the silence is over", async () => {
    const { journal } = opened();
    const old = await created(journal, "run", chain(1), {}, elsewhere);
    expect(await journal.holder("run", self)).toEqual({ holder: elsewhere, alive: true });
    const started = performance.now();
    await journal.acquire("run", self);
    const took = performance.now() - started;
    expect(took).toBeGreaterThanOrEqual(SILENCE - 5);
    expect(took).toBeLessThan(SILENCE + 1_000);
    expect(await failure(journal.append(old, commit([rowAfter(chain(1))])))).toMatchObject({ code: "LEASE_LOST" });
  });

  it("counts the same host in another pid namespace, or after another boot, as elsewhere", async () => {
    const { journal } = opened();
    for (const [n, holder] of [
      { ...self, namespace: "pid:[7]" },
      { ...self, boot: "b" },
    ].entries()) {
      const lease = await created(journal, `run-${n}`, chain(1), {}, holder);
      const acquired = journal.acquire(`run-${n}`, self);
      await journal.beat(lease, 1);
      expect(await failure(acquired)).toMatchObject({ code: "LEASE_HELD" });
    }
  });

  it("refuses a run whose holder elsewhere shows a sign of life", async () => {
    const { journal, again } = opened();
    const there = await again();
    const lease = await created(journal, "run", chain(1), {}, elsewhere);
    const acquired = failure(journal.acquire("run", self));
    await there.beat(lease, 10);
    expect(await acquired).toMatchObject({ code: "LEASE_HELD", message: expect.stringContaining("77 on far-away") });
    await there.append(lease, commit([rowAfter(chain(1))]));
    await there.close();
  });

  it("takes a run that its holder elsewhere gives back meanwhile, without waiting longer", async () => {
    const { journal } = opened();
    const lease = await created(journal, "run", chain(1), {}, elsewhere);
    const acquired = journal.acquire("run", self);
    await journal.yield(lease, 42);
    expect(await acquired).toMatchObject({ active: 42 });
  });

  it("lets exactly one win where many take over from the dead, or from the silent", async () => {
    const { journal, again } = opened();
    const other = await again();
    for (const [run, holder] of [["dead", { ...self, started: "1" }] as const, ["silent", elsewhere] as const]) {
      await journal.create(run, holder, commit(chain(1)));
      await expectOneWinner(Array.from({ length: 6 }, (_, n) => (n % 2 ? other : journal).acquire(run, self)));
    }
    await other.close();
  });
}

function signalling(opened: () => Opened): void {
  it("lets the first signal of an id win, whoever sends the second", async () => {
    const { journal, again } = opened();
    const other = await again();
    await created(journal, "run");
    const first: Signal = { id: "answer:g@1#1", at: 5, body: { kind: "answer", choice: "yes", note: "“fine”\n" } };
    const second: Signal = { ...first, at: 6, body: { kind: "answer", choice: "no" } };
    expect(await journal.signal("run", first)).toBe(true);
    expect(await other.signal("run", second)).toBe(false);
    expect(await journal.signals("run")).toEqual([first]);
    await other.close();
  });

  it("gives signals in the order in which they came, and each run its own", async () => {
    const { journal } = opened();
    await created(journal, "run");
    await created(journal, "other");
    const raise: Signal = { id: "raise:1", at: 1, body: { kind: "raise", ceilings: { minutes: 5 } } };
    const sent = [signal("z"), raise, signal("a"), signal("m")];
    for (const one of sent) await journal.signal("run", one);
    expect(await journal.signal("other", signal("a"))).toBe(true);
    expect(await journal.signals("run")).toEqual(sent);
    expect(await journal.signals("other")).toEqual([signal("a")]);
  });

  it("no longer gives a signal that a commit has taken up, and never takes its id again", async () => {
    const { journal } = opened();
    const lease = await created(journal, "run", chain(1));
    for (const id of ["one", "two"]) await journal.signal("run", signal(id));
    await journal.append(lease, commit([rowAfter(chain(1))], { taken: ["one", "unknown"] }));
    expect(await journal.signals("run")).toEqual([signal("two")]);
    expect(await journal.signal("run", signal("one"))).toBe(false);
    expect(await journal.signals("run")).toEqual([signal("two")]);
  });

  it("keeps its own copy of a signal", async () => {
    const { journal } = opened();
    const lease = await created(journal, "run", chain(1));
    const sent = Object.freeze(signal("cancel"));
    await journal.signal("run", sent);
    const [given] = await journal.signals("run");
    await journal.append(lease, commit([rowAfter(chain(1))], { taken: ["cancel"] }));
    expect(given).toEqual(signal("cancel"));
    expect(sent).toEqual(signal("cancel"));
  });
}

async function expectOneWinner(tries: Promise<Lease>[]): Promise<void> {
  const results = await Promise.allSettled(tries);
  const lost = results.filter((result) => result.status === "rejected");
  expect(results.length - lost.length).toBe(1);
  for (const { reason } of lost) expect(reason).toMatchObject({ code: "LEASE_HELD" });
}

/** A blobs map that fails after its first entry, as a disk would in the middle of a commit. */
class BrokenMap extends Map<string, string> {
  override *[Symbol.iterator](): MapIterator<[string, string]> {
    yield* super[Symbol.iterator]();
    throw new Error("broken");
  }
}

function chain(length: number, name = "run"): Row[] {
  const rows: Row[] = [];
  for (let seq = 1; seq <= length; seq++) {
    const body = JSON.stringify({ type: "loop-noted", name, data: seq });
    rows.push({ seq, body, link: linkOf(rows.at(-1)?.link ?? GENESIS, body) });
  }
  return rows;
}

function rowAfter(rows: readonly Row[]): Row {
  const last = rows.at(-1)!;
  const body = JSON.stringify({ type: "loop-noted", name: "after", data: last.seq });
  return { seq: last.seq + 1, body, link: linkOf(last.link, body) };
}

function commit(rows: readonly Row[], more: Partial<Commit> = {}): Commit {
  return { rows, blobs: new Map(), ...more };
}

async function created(
  journal: Journal,
  run: string,
  rows: readonly Row[] = chain(1),
  more: Partial<Commit> = {},
  holder: ProcessId = self,
): Promise<Lease> {
  const lease = await journal.create(run, holder, commit(rows, more));
  if (!lease) throw new Error(`run '${run}' is there already`);
  return lease;
}

function blob(...texts: string[]): Map<string, string> {
  return new Map(texts.map((text) => [sha256(text), text]));
}

function fold(seq: number): KeptFold {
  return { seq, link: sha256(`link ${seq}`), body: `body ${seq} ü`, summary: `summary ${seq}` };
}

function signal(id: string): Signal {
  return { id, at: 17, body: { kind: "cancel" } };
}

async function failure(act: Promise<unknown>): Promise<LoopwrightError> {
  const error = await act.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error, "it did not fail as one of Loopwright's own errors").toBeInstanceOf(LoopwrightError);
  return error as LoopwrightError;
}

interface Holder {
  id: ProcessId;
  kill(): Promise<void>;
}

const source = JSON.stringify(new URL("./process-id.ts", import.meta.url).href);
const script = `import { thisProcess } from ${source};
console.log(JSON.stringify(thisProcess()));
setInterval(() => {}, 1000);`;
const holderArgs = ["--input-type=module", "-e", script];

/** A live process that could hold a run. */
async function startHolder(): Promise<Holder> {
  const child = spawn(process.execPath, holderArgs, { stdio: ["ignore", "pipe", "inherit"] });
  return { id: await readId(child), kill: () => end(child) };
}

/** A process that was killed and that its parent never asks about. */
async function startZombie(): Promise<Holder> {
  const child = spawn("sh", ["-c", '"$0" "$@" & exec sleep 60', process.execPath, ...holderArgs], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const id = await readId(child);
  process.kill(id.pid, "SIGKILL");
  while (!readFileSync(`/proc/${id.pid}/stat`, "utf8").includes(") Z ")) await new Promise(setImmediate);
  return { id, kill: () => end(child) };
}

async function readId(child: ChildProcess): Promise<ProcessId> {
  const [line] = await once(createInterface({ input: child.stdout! }), "line");
  return JSON.parse(line as string) as ProcessId;
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const closed = once(child, "exit");
  child.kill("SIGKILL");
  await closed;
}
