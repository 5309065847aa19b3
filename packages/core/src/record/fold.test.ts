import { deadProcess, dieAt, doomed, memoryEngine, runOf, type TestEngine } from "@loopwright/core/testing";
import { describe, expect, it, vi } from "vitest";
import { z } from "zod";
import { climb, passed, singlePhase } from "../../../../test/fakes/loops.ts";
import { valuesFrom } from "../../../../test/fakes/values.ts";
import { defineLoop, type Loop } from "../define.ts";
import { ExecutionError } from "../errors.ts";
import { drive } from "../loop.ts";
import { fail, pass } from "../outcomes.ts";
import type { KeptFold, Row } from "../ports.ts";
import { ActiveRun } from "../run/active-run.ts";
import { reopen } from "../run/resume.ts";
import { WorkcellPool } from "../run/workcells.ts";
import { inline } from "./chain.ts";
import type { GateRecord, StampedEvent } from "./events.ts";
import { applyEvent, emptyRecord, type RunRecord, slot, waitingGateOf } from "./fold.ts";
import type { Json } from "./json.ts";
import { loadRecord, loadRun, summarize } from "./load.ts";
import { append, type State } from "./patch.ts";

type Seen = Map<number, { record: RunRecord; state: State }>;

/** An active run that remembers what its record and state were after each commit. */
class WatchedRun extends ActiveRun {
  seen: Seen = new Map();

  override async take(stamped: Parameters<ActiveRun["take"]>[0]): Promise<void> {
    await super.take(stamped);
    this.seen.set(this.record.seq, structuredClone({ record: this.record, state: this.state }));
  }
}

/** Takes a run up and drives it until it stops, as the engine does; gives back what was seen at each commit. */
async function resumeRun({ ports, journal }: TestEngine, loop: Loop, run: string): Promise<Seen> {
  const lease = await journal.acquire(run, ports.process);
  const active = new WatchedRun(ports, loop, await loadRun(journal, run), lease);
  const around = { workcells: new WorkcellPool(), child: () => Promise.reject(new Error("no children here")) };
  try {
    if (await reopen(active, {})) await drive(active, around, new AbortController().signal);
  } catch {
    // A fault ends this session; what was seen until then is what counts.
  }
  await active.detach();
  return active.seen;
}

/** Starts a run that dies at once, so that all of it can be watched. */
async function begin(test: TestEngine, loop: Loop, input: Json): Promise<string> {
  await doomed(test, dieAt("run-started", "after"))
    .engine.start(loop, input)
    .catch(() => {});
  return runOf(test);
}

function foldOf(run: string, rows: readonly Row[]): RunRecord {
  const record = emptyRecord(run);
  for (const { body, seq, link } of rows) {
    applyEvent(record, JSON.parse(body) as StampedEvent);
    Object.assign(record, { seq, link });
  }
  return record;
}

const values = valuesFrom(5);

/** A loop with a bit of everything: effects that fail, gates, verdicts, notes, large values, lists that grow. */
const busy = defineLoop({
  name: "busy",
  version: 1,
  input: z.object({ rounds: z.number() }),
  state: z.object({ round: z.number(), any: z.any(), list: z.array(z.any()), large: z.array(z.string()).optional() }),
  initial: () => ({ round: 0, any: null, list: [] }),
  start: "work",
  iteration: "work",
  phases: {
    work: {
      to: ["judge"],
      run: async (state, ctx) => {
        const { a, b } = await ctx.all({
          a: (side) => side.effect("value", { input: state.round, run: () => values.value() }),
          b: async (side) => {
            try {
              return await side.effect("fails", { run: () => Promise.reject(new ExecutionError("BAD", "no good")) });
            } catch {
              return side.effect("instead", {
                run: (effect) => {
                  effect.charge({ tokens: 7, usd: 0.1 });
                  return "x".repeat(3000);
                },
              });
            }
          },
        });
        if (state.round === 1) await ctx.ask({ name: "go", question: "go on?", choices: ["yes"], default: "yes" });
        await ctx.tell("fast-retry", { retry_count: 2, errors: [] });
        await ctx.save("note.txt", `round ${state.round}`);
        const large = state.round === 0 ? Array.from({ length: 50 }, () => "long entry ".repeat(5)) : append("more");
        return ctx.to("judge", { round: state.round + 1, any: a, list: append(a, b), large });
      },
    },
    judge: {
      to: ["work"],
      run: async (state, ctx) => {
        await ctx.effect("flaky", {
          run: ({ tries }) => {
            if (state.round === 2 && tries === 1) throw new Error("the first try is bad");
            return tries;
          },
        });
        if (state.round < ctx.input.rounds) {
          ctx.verdict(fail(0.1 * state.round, "not yet"));
          return ctx.to("work", state.round === 3 ? { large: undefined } : {});
        }
        ctx.verdict(pass(1, "all rounds are over"));
        return ctx.end("done");
      },
    },
  },
});

describe("L3: the fold", () => {
  it("gives from the journal, at every commit of a run, the very record and state that the writer had", async () => {
    const test = memoryEngine();
    const loop = climb() as Loop;
    const run = await begin(test, loop, { top: 4 });
    const seen = await resumeRun(test, loop, run);
    await expectSame(test, run, seen);
    expect(seen.size).toBeGreaterThan(15);
  });

  it("does so too where effects fail, gates are answered, visits throw and lists grow large", async () => {
    const test = memoryEngine();
    const loop = busy as unknown as Loop;
    const run = await begin(test, loop, { rounds: 4 });
    const seen: Seen = new Map();
    for (let session = 0; session < 3; session++) {
      test.clock.advance(1000);
      for (const [seq, state] of await resumeRun(test, loop, run)) seen.set(seq, state);
      await test.engine.answer(run, "yes").catch(() => {});
    }
    expect(await test.record(run)).toMatchObject({ ended: { outcome: "done" }, iterations: 4, retries: 8 });
    expect(await test.types(run)).toEqual(
      expect.arrayContaining(["effect-failed", "visit-failed", "gate-answered", "loop-noted", "artifact-saved"]),
    );
    await expectSame(test, run, seen);
    expect(seen.size).toBeGreaterThan(30);
  });

  it("does so for a run that was stopped by a ceiling, raised, and cancelled", async () => {
    const test = memoryEngine();
    const loop = climb({ ceilings: { iterations: 2 }, usage: { tokens: 5 } }) as Loop;
    const run = await begin(test, loop, { top: 9 });
    const seen = await resumeRun(test, loop, run);
    await test.engine.raise(run, { iterations: 3 });
    for (const [seq, state] of await resumeRun(test, loop, run)) seen.set(seq, state);
    await test.engine.cancel(run);
    for (const [seq, state] of await resumeRun(test, loop, run)) seen.set(seq, state);
    expect(await test.record(run)).toMatchObject({ ended: { outcome: "cancelled" }, iterations: 3 });
    await expectSame(test, run, seen);
  });

  it("gives the same record however often it is made, and makes no use of what it gave before", async () => {
    const { engine, journal } = memoryEngine();
    const { run } = await engine.start(climb(), { top: 5 });
    const rows = await journal.read(run);
    const first = foldOf(run, rows);
    const text = JSON.stringify(first);
    foldOf(run, rows);
    expect(JSON.stringify(first)).toBe(text);
    expect(foldOf(run, rows)).toStrictEqual(first);
  });
});

async function expectSame({ journal }: TestEngine, run: string, seen: Seen): Promise<void> {
  const rows = await journal.read(run);
  for (const [seq, live] of seen) {
    const folded = foldOf(run, rows.slice(0, seq));
    expect(folded).toStrictEqual(JSON.parse(JSON.stringify(live.record)));
    expect(await inline(folded.state, journal)).toEqual(live.state);
  }
}

describe("L3: the kept fold", () => {
  it("gives the same record and state as the events do, and losing it changes nothing", async () => {
    const test = memoryEngine();
    const loop = busy as unknown as Loop;
    const run = await begin(test, loop, { rounds: 4 });
    for (let session = 0; session < 3; session++) {
      await resumeRun(test, loop, run);
      expect(await test.journal.fold(run)).toBeDefined();
      const kept = await loadRun(test.journal, run);
      vi.spyOn(test.journal, "fold").mockResolvedValueOnce(undefined);
      expect(await loadRun(test.journal, run)).toStrictEqual(kept);
      await test.engine.answer(run, "yes").catch(() => {});
    }
    expect((await test.record(run)).ended?.outcome).toBe("done");
  });

  it("is kept in the middle of a long run, so that a crash leaves only a short rest to read", async () => {
    const test = memoryEngine();
    let calls = 0;
    const loop = singlePhase(async (ctx) => {
      for (let i = 0; i < 300; i++) await ctx.effect(`call ${i}`, { run: () => `${++calls} `.repeat(200) });
      return passed(ctx, { result: calls });
    });
    await doomed(test, dieAt("effect-finished", "after", 299))
      .engine.start(loop, null)
      .catch(() => {});
    const run = await runOf(test);
    const rest = await loadRecord(test.journal, run);
    vi.spyOn(test.journal, "fold").mockResolvedValueOnce(undefined);
    const whole = await loadRecord(test.journal, run);
    expect(whole).toStrictEqual(rest);
    expect((await test.journal.fold(run))!.seq).toBeGreaterThan(whole.seq * 0.25);
    expect(await test.engine.resume(loop, run)).toMatchObject({ outcome: "done", state: { result: 300 } });
  });

  it.each<[string, (fold: KeptFold) => KeptFold]>([
    ["is truncated", (fold) => ({ ...fold, body: fold.body.slice(0, 40) })],
    ["names another row", (fold) => ({ ...fold, link: "f".repeat(64) })],
    ["names a row beyond the end", (fold) => ({ ...fold, seq: fold.seq + 5 })],
    ["names a row that is not the one it stands for", (fold) => ({ ...fold, seq: fold.seq - 1 })],
  ])("is not used where it %s", async (_what, damage) => {
    const test = memoryEngine({ process: deadProcess() });
    const { run } = await test.engine.start(climb(), { top: 3 });
    const whole = await loadRun(test.journal, run);
    const lease = await test.journal.acquire(run, test.ports.process);
    await test.journal.yield(lease, 0, damage((await test.journal.fold(run))!));
    const read = vi.spyOn(test.journal, "read");
    expect(await loadRun(test.journal, run)).toStrictEqual(whole);
    expect(read).toHaveBeenLastCalledWith(run);
  });
});

describe("the gate that a run waits at", () => {
  const words = { name: "launch", question: "Launch?", choices: ["yes"], default: "yes" };
  const gate: GateRecord = { id: "g", ...words, accepting: [], about: "", openedAt: 0 };
  const answered: GateRecord = { ...gate, answer: { choice: "yes", by: "person", at: 1 } };

  it("is its own, or that of its child, with the run that it belongs to", () => {
    const own: RunRecord = { ...emptyRecord("r"), gates: { [slot("a")]: answered, [slot("b")]: gate } };
    expect(waitingGateOf(own)).toEqual({ ...gate, run: "r" });
    const above: RunRecord = { ...emptyRecord("r"), waitingOn: { child: "r.boat", gate } };
    expect(waitingGateOf(above)).toEqual({ ...gate, run: "r.boat" });
    for (const record of [own, above]) expect(summarize(record).status).toBe("waiting");
  });

  it("is none where each has its answer", () => {
    const record = { ...emptyRecord("r"), gates: { [slot("a")]: answered } };
    expect(waitingGateOf(record)).toBeUndefined();
    expect(summarize(record).status).toBe("open");
  });
});
