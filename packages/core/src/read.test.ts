// Reading a run: whole, in order, while others write it, and without touching it.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { Crash, dieAt, doomed, memoryEngine, runOf, type TestEngine } from "@loopwright/core/testing";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { append, defineLoop, isGone, passIf, type RecordedEvent, SqliteJournal } from "./index.ts";
import { releaseRuns } from "./journal/release.ts";
import { type EventsOptions, Reader } from "./read.ts";

const large = "0123456789".repeat(500);

/** Three iterations, each with a file, a large value, a note and a verdict; a gate in the last where it is asked for. */
const boat = defineLoop({
  name: "boat",
  version: 2,
  input: z.object({ plan: z.string(), gate: z.boolean() }),
  state: z.object({ planks: z.array(z.string()), plan: z.string() }),
  initial: ({ plan }) => ({ planks: [], plan }),
  start: "build",
  iteration: "build",
  phases: {
    build: {
      to: ["judge"],
      run: async (_state, ctx) => {
        const plank = await ctx.effect("saw", { input: { large }, run: () => `${ctx.iteration} ${large}` });
        await ctx.save("plank.txt", plank);
        await ctx.tell("sawn", { plank });
        return ctx.to("judge", { planks: append(plank) });
      },
    },
    judge: {
      to: ["build"],
      run: async (_state, ctx) => {
        const isLast = ctx.iteration === 3;
        if (isLast && ctx.input.gate)
          await ctx.ask({ name: "launch", question: "Launch it?", choices: ["yes", "no"] as const, default: "no" });
        ctx.verdict(passIf(isLast, ctx.iteration / 3, "so far"));
        return isLast ? ctx.end("done") : ctx.to("build");
      },
    },
  },
  finish: async (_state, _ending, ctx) => void (await ctx.save("boat.txt", "afloat")),
});

const given = { plan: large, gate: false };
const all = (test: TestEngine, run: string, options?: EventsOptions) =>
  Array.fromAsync(test.engine.events(run, options));
const told = ({ events }: TestEngine, run: string) => events.filter((event) => "seq" in event && event.run === run);
const seqs = (events: readonly RecordedEvent[]) => events.map(({ seq }) => seq);
const soon = { follow: true, every: 5 };

describe.each(["in memory", "on SQLite"])("A run %s", (place) => {
  let dir: string;
  let test: TestEngine;
  beforeEach(async () => {
    dir = mkdtempSync(join(tmpdir(), "loopwright-read-"));
    const journal =
      place === "in memory" ? SqliteJournal.inMemory() : await SqliteJournal.open(join(dir, "journal.db"));
    test = memoryEngine({ journal });
  });
  afterEach(async () => {
    await test.journal.close();
    rmSync(dir, { recursive: true, force: true });
  });

  describe("has events that", () => {
    it("are those that its listeners got, in order and whole", async () => {
      const { run } = await test.engine.start(boat, given);
      const events = await all(test, run);
      expect(events).toEqual(told(test, run));
      expect(seqs(events)).toEqual(events.map((_, index) => index + 1));
      expect(JSON.stringify(events)).not.toContain("$blob");
    });

    it("begin after the one that is known", async () => {
      const { run } = await test.engine.start(boat, given);
      const events = await all(test, run);
      expect(await all(test, run, { after: 4 })).toEqual(events.slice(4));
      expect(await all(test, run, { after: events.length })).toEqual([]);
    });

    it("keep the names of large values where these are not wanted", async () => {
      const { run } = await test.engine.start(boat, given);
      const outlined = await all(test, run, { outlined: true });
      const chain = await test.chain(run);
      expect(outlined).toEqual(chain.map((event, index) => ({ ...event, run, seq: index + 1 })));
      expect(JSON.stringify(outlined)).not.toContain(large);
    });

    it("say of a value that was released that it is gone, and are there all the same", async () => {
      const { run } = await test.engine.start(boat, given);
      const before = await all(test, run);
      await releaseRuns(test.ports, [run]);
      const events = await all(test, run);
      expect(events.map(({ type }) => type)).toEqual(before.map(({ type }) => type));
      const [started] = events as [Extract<RecordedEvent, { type: "run-started" }>];
      expect(started.state).toEqual({ planks: [], plan: { $blob: expect.any(String), gone: "released" } });
      const results = events.flatMap((event) => (event.type === "effect-finished" ? [event.result] : []));
      expect(results.map(isGone)).toEqual([true, true, true]);
    });

    it("are of no run that is not there, and of none whose id only begins so", async () => {
      const { run } = await test.engine.start(boat, given);
      for (const id of ["nobody", run.slice(0, -1)])
        await expect(all(test, id)).rejects.toMatchObject({ code: "RUN_NOT_FOUND" });
    });

    it("are never told with one of them left out", async () => {
      const { run } = await test.engine.start(boat, given);
      const journal = new Proxy(test.journal, {
        get: (target, name) =>
          name === "read"
            ? async (id: string, after = 0) => (await target.read(id, after)).filter(({ seq }) => seq !== 6)
            : Reflect.get(target, name, target)?.bind(target),
      });
      const read: number[] = [];
      const reading = (async () => {
        for await (const { seq } of new Reader({ ...test.ports, journal }).events(run)) read.push(seq);
      })();
      await expect(reading).rejects.toMatchObject({ code: "JOURNAL_DAMAGED" });
      expect(read).toEqual([1, 2, 3, 4, 5]);
    });
  });

  describe("is followed", () => {
    it("through a kill and a resume by another process until it has ended", async () => {
      const killed = doomed(test, dieAt("effect-finished", "before", 2));
      await expect(killed.engine.start(boat, given)).rejects.toThrow(Crash);
      const run = await runOf(test);
      const seen: RecordedEvent[] = [];
      const following = (async () => {
        for await (const event of test.engine.events(run, soon)) seen.push(event);
      })();
      await setTimeout(50);
      expect(seen.at(-1)).toMatchObject({ type: "effect-started", key: "saw" });
      await test.other().engine.resume(boat, run);
      await following;
      expect(seen).toEqual(await all(test, run));
      expect(seen.at(-1)).toMatchObject({ type: "run-ended", outcome: "done" });
    });

    it("while it waits at a gate, and on when that is answered", async () => {
      const { run } = await test.engine.start(boat, { ...given, gate: true });
      const seen: string[] = [];
      const following = (async () => {
        for await (const { type } of test.engine.events(run, soon)) seen.push(type);
      })();
      await setTimeout(50);
      expect(seen.at(-1)).toBe("gate-opened");
      await test.engine.answer(run, "yes");
      await test.other().engine.resume(boat, run);
      await following;
      expect(seen).toEqual(await test.types(run));
    });

    it("until the signal aborts, without a fault, and is none the wiser", async () => {
      const { run } = await test.engine.start(boat, { ...given, gate: true });
      const rows = await test.journal.read(run);
      const stop = new AbortController();
      const following = all(test, run, { ...soon, signal: stop.signal });
      await setTimeout(30);
      expect(await test.journal.holder(run, test.ports.process)).toBeUndefined();
      stop.abort(new Error("enough"));
      expect(seqs(await following)).toEqual(rows.map(({ seq }) => seq));
      expect(await test.journal.read(run)).toEqual(rows);
      expect(await all(test, run, { signal: stop.signal })).toEqual([]);
    });

    it("not at all where it is over, whatever is known of it, though it had stopped and gone on before", async () => {
      const { run } = await test.engine.start(boat, given, { ceilings: { iterations: 1 } });
      await test.engine.resume(boat, run, { ceilings: { iterations: 9 } });
      const events = await all(test, run, soon);
      expect(events.filter(({ type }) => type === "run-ended")).toHaveLength(2);
      expect(events).toEqual(await all(test, run));
      for (const after of [events.length - 1, events.length])
        expect(await all(test, run, { ...soon, after })).toEqual(events.slice(after));
    });

    it("with one look at the journal in each interval, and no more", async () => {
      const { run } = await test.engine.start(boat, { ...given, gate: true });
      let looks = 0;
      const journal = new Proxy(test.journal, {
        get: (target, name) => {
          const method = Reflect.get(target, name, target)?.bind(target);
          if (name === "read") looks += 1;
          return method;
        },
      });
      const signal = AbortSignal.timeout(200);
      for await (const _ of new Reader({ ...test.ports, journal }).events(run, { follow: true, every: 50, signal }));
      expect(looks).toBeGreaterThan(2);
      expect(looks).toBeLessThan(8);
    });
  });

  describe("has a state that", () => {
    it("is whole, with how the run stands", async () => {
      const { run, state } = await test.engine.start(boat, given);
      const stands = await test.engine.state(run);
      expect(stands.state).toEqual(state);
      expect(stands).toMatchObject({
        run,
        loop: "boat",
        version: 2,
        status: "done",
        iterations: 3,
        score: 1,
        folder: run,
      });
      expect(stands).toMatchObject({ input: given, config: null, ended: { outcome: "done" } });
      expect(stands.seq).toBe((await test.journal.read(run)).length);
      expect(stands).not.toHaveProperty("gate");
      expect(stands).not.toHaveProperty("entry");
    });

    it("names the gate that the run waits at, and the phase that asks", async () => {
      const { run } = await test.engine.start(boat, { ...given, gate: true });
      expect(await test.engine.state(run)).toMatchObject({
        status: "waiting",
        entry: { phase: "judge", iteration: 3 },
        gate: { run, name: "launch", choices: ["yes", "no"] },
      });
    });

    it("is what the last commit left where a process was killed, and events go on from it", async () => {
      const killed = doomed(test, dieAt("phase-finished", "before", 3));
      await expect(killed.engine.start(boat, given)).rejects.toThrow(Crash);
      const run = await runOf(test);
      const { state, seq, status, entry } = await test.engine.state(run);
      expect({ planks: (state.planks as string[]).length, status, entry }).toEqual({
        ...{ planks: 1, status: "open" },
        entry: { phase: "build", visit: 3, iteration: 2 },
      });
      await test.other().engine.resume(boat, run);
      const rest = await all(test, run, { after: seq, follow: true });
      expect(rest.map(({ type }) => type)).toEqual((await test.types(run)).slice(seq));
    });

    it("throws once it was released, where the record of the run is there all the same", async () => {
      const { run } = await test.engine.start(boat, given);
      await releaseRuns(test.ports, [run]);
      await expect(test.engine.state(run)).rejects.toMatchObject({ code: "VALUE_RELEASED" });
      expect(await test.engine.record(run)).toMatchObject({
        loop: "boat",
        iterations: 3,
        ended: { outcome: "done" },
      });
    });
  });

  describe("has artifacts that", () => {
    it("are listed in order, with their iterations and their bytes", async () => {
      const { run } = await test.engine.start(boat, given);
      const artifacts = await test.engine.artifacts(run);
      const plank = (iteration: number) => ({
        path: `attempt-000/iterations/iter-00${iteration}/plank.txt`,
        size: large.length + 2,
        iteration,
      });
      expect(artifacts).toMatchObject([
        plank(1),
        plank(2),
        plank(3),
        { path: "attempt-000/boat.txt", size: 6, iteration: 3 },
      ]);
      const texts = await Promise.all(artifacts.map(async ({ read }) => Buffer.from(await read()).toString()));
      expect(texts).toEqual([`1 ${large}`, `2 ${large}`, `3 ${large}`, "afloat"]);
    });

    it("say when they were released", async () => {
      const { run } = await test.engine.start(boat, given);
      await releaseRuns(test.ports, [run]);
      const [first] = await test.engine.artifacts(run);
      expect(first).toMatchObject({ iteration: 1, size: large.length + 2 });
      await expect(first!.read()).rejects.toMatchObject({ code: "ARTIFACT_RELEASED" });
    });
  });
});
