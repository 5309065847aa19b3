import { memoryEngine } from "@loopwright/core/testing";
import { describe, expect, it, vi } from "vitest";
import { z } from "zod";
import { defineLoop } from "../define.ts";
import { blobsIn } from "./chain.ts";
import type { Json } from "./json.ts";
import { loadRun } from "./load.ts";
import { append, applyPatch, type Patch, patchToRecord, type State } from "./patch.ts";

const schema = z.object({
  count: z.number(),
  note: z.string().optional(),
  list: z.array(z.object({ n: z.number() })),
  maybe: z.array(z.string()).optional(),
  preset: z.array(z.string()).default(["first"]),
  fixed: z.array(z.string()).readonly(),
  wrapped: z.array(z.string()).readonly().optional().default([]),
  empty: z.array(z.string()).nullable(),
});

/** The state after a patch. */
const patched = (state: object, patch: Patch<z.output<typeof schema>>) =>
  applyPatch(state as State, patchToRecord(schema, patch));

describe("a patch", () => {
  it("replaces a key whole and leaves the others as they are", () => {
    const list = [{ n: 1 }];
    const before = { count: 1, note: "old", list };
    const after = patched(before, { count: 2, list: [{ n: 9 }] });
    expect(after).toEqual({ count: 2, note: "old", list: [{ n: 9 }] });
    expect(before).toEqual({ count: 1, note: "old", list: [{ n: 1 }] });
  });

  it("shares the values that it does not name", () => {
    const list = Object.freeze([{ n: 1 }]);
    expect(patched({ count: 1, list }, { count: 2 }).list).toBe(list);
  });

  it("drops a key that is undefined", () => {
    const after = patched({ count: 1, note: "old" }, { note: undefined });
    expect(after).toEqual({ count: 1 });
    expect("note" in after).toBe(false);
  });

  it("refuses to drop a key that the schema requires", () => {
    expect(() => patched({ count: 1 }, { count: undefined })).toThrow("state.count does not fit its schema");
  });

  it("leaves a key that has a default in the state when it is dropped, or refuses to drop it", () => {
    let after: State | "refused";
    try {
      after = patched({ preset: ["x"] }, { preset: undefined });
    } catch {
      after = "refused";
    }
    expect(["refused", JSON.stringify({ preset: ["first"] })]).toContain(
      after === "refused" ? after : JSON.stringify(after),
    );
  });

  it("extends a list, several entries at once, in order", () => {
    expect(patched({ list: [{ n: 1 }] }, { list: append({ n: 2 }, { n: 3 }) }).list).toEqual([
      { n: 1 },
      { n: 2 },
      { n: 3 },
    ]);
  });

  it("records only the new entries of a list that it extends", () => {
    expect(patchToRecord(schema, { list: append({ n: 2 }) })).toEqual({ append: { list: [{ n: 2 }] } });
    expect(patchToRecord(schema, { list: append() })).toEqual({});
  });

  it.each([
    ["optional", "maybe", undefined, ["b"]],
    ["default", "preset", ["first"], ["first", "b"]],
    ["readonly", "fixed", ["a"], ["a", "b"]],
    ["wrapped three times", "wrapped", [], ["b"]],
    ["nullable and null", "empty", null, ["b"]],
  ] as const)("extends a list that is declared %s", (_what, key, before, after) => {
    expect(patched(before === undefined ? {} : { [key]: before }, { [key]: append("b") })[key]).toEqual(after);
    expect(() => patched({}, { [key]: append(1) } as never)).toThrow(`state.${key}[] does not fit its schema`);
  });

  it("validates only the keys that it names", () => {
    expect(patched({ count: "not a number" }, { note: "new" })).toEqual({ count: "not a number", note: "new" });
    expect(() => patched({ count: 1 }, { count: "two" as never })).toThrow("state.count does not fit its schema");
  });

  it("validates only the new entries of a list", () => {
    expect(patched({ list: ["not an entry"] }, { list: append({ n: 1 }) }).list).toEqual(["not an entry", { n: 1 }]);
    expect(() => patched({ list: [] }, { list: append({ n: "one" } as never) })).toThrow("state.list[].n");
  });

  it.each(["amount", "constructor", "toString"])("refuses the unknown key '%s'", (key) => {
    expect(() => patchToRecord(schema, { [key]: 1 })).toThrow(`state.${key} is not in the loop's state schema`);
  });

  it("refuses to extend what is not a list", () => {
    expect(() => patchToRecord(schema, { count: append(1) })).toThrow("state.count is not a list");
  });

  it.each([
    ["NaN", Number.NaN],
    ["a date", new Date()],
    ["bytes", new Uint8Array(1)],
    ["a map", new Map()],
    ["infinity, deep inside", { a: [{ b: Number.POSITIVE_INFINITY }] }],
  ])("refuses %s instead of altering it", (_what, value) => {
    const loose = z.object({ any: z.any(), list: z.array(z.any()) });
    expect(() => patchToRecord(loose, { any: value })).toThrow(expect.objectContaining({ code: "NOT_PLAIN_JSON" }));
    expect(() => patchToRecord(loose, { list: append(value) })).toThrow(
      expect.objectContaining({ code: "NOT_PLAIN_JSON" }),
    );
  });

  it("gives a state that is frozen all the way down", () => {
    const after = patched({ count: 1 }, { list: [{ n: 1 }], maybe: append("a") }) as z.output<typeof schema>;
    expect(() => Object.assign(after, { count: 2 })).toThrow(TypeError);
    expect(() => after.list.push({ n: 2 })).toThrow(TypeError);
    expect(() => Object.assign(after.list[0]!, { n: 2 })).toThrow(TypeError);
    expect(() => after.maybe!.push("b")).toThrow(TypeError);
  });

  it("keeps its own copy of what it was given", () => {
    const entry = { n: 1 };
    const after = patched({}, { list: [entry] }) as z.output<typeof schema>;
    entry.n = 2;
    expect(after.list[0]).toEqual({ n: 1 });
  });
});

/** A loop that makes these patches, one in each visit, and stops as stagnant after each. */
function patching(patches: Patch<z.output<typeof PatchingState>>[]) {
  return defineLoop({
    name: "patching",
    version: 1,
    input: z.object({}),
    state: PatchingState,
    initial: () => ({ turn: 0, list: [] }),
    start: "work",
    iteration: "work",
    phases: {
      work: {
        to: [],
        run: (state, ctx) =>
          ctx.end("stagnant", { patch: { turn: state.turn + 1, ...(patches[state.turn] as Patch<typeof state>) } }),
      },
    },
  });
}

const PatchingState = z.object({
  turn: z.number(),
  list: z.array(z.string()),
  maybe: z.array(z.string()).optional(),
  empty: z.array(z.string()).nullable().optional(),
});

describe("patches over several resumes", () => {
  const large = Array.from({ length: 40 }, (_, i) => `${i} `.repeat(20));

  it.each([
    ["with the kept fold", false],
    ["without the kept fold", true],
  ])("L3: a list that was set large and is then extended comes back whole, %s", async (_how, dropsFold) => {
    const { engine, journal } = memoryEngine();
    const long = "entry ".repeat(400);
    const loop = patching([
      { list: large },
      { list: append("a") },
      { list: append(long, "b") },
      { list: append("c") },
      { list: large.slice(1) },
      { list: append("d"), maybe: append("m") },
      { maybe: undefined },
      { maybe: append("n") },
    ]);
    const expected = [
      large,
      [...large, "a"],
      [...large, "a", long, "b"],
      [...large, "a", long, "b", "c"],
      large.slice(1),
      [...large.slice(1), "d"],
      [...large.slice(1), "d"],
      [...large.slice(1), "d"],
    ];
    let { run, state } = await engine.start(loop, {});
    for (const [turn, list] of expected.entries()) {
      if (turn > 0) ({ state } = await engine.resume(loop, run));
      if (dropsFold) vi.spyOn(journal, "fold").mockResolvedValueOnce(undefined);
      expect(state.list).toEqual(list);
      expect((await loadRun(journal, run)).state).toEqual(state);
    }
    expect(state.maybe).toEqual(["n"]);
  });

  it("keeps a large list once in the journal, however often it is extended", async () => {
    const { engine, journal } = memoryEngine();
    const loop = patching([{ list: large }, ...Array.from({ length: 10 }, () => ({ list: append("x") }))]);
    const { run } = await engine.start(loop, {});
    for (let i = 0; i < 10; i++) await engine.resume(loop, run);
    const rows = await journal.read(run);
    expect(rows.filter(({ body }) => body.includes("39 39 39"))).toEqual([]);
    expect(blobsIn(rows.map(({ body }) => JSON.parse(body))).size).toBe(1);
    expect((await loadRun(journal, run)).state.list).toHaveLength(50);
  });

  it("extends a nullable list that is null, live and after a resume", async () => {
    const { engine, journal } = memoryEngine();
    const loop = patching([{ empty: null }, { empty: append("a") }, { empty: append("b") }]);
    const { run } = await engine.start(loop, {});
    expect((await engine.resume(loop, run)).state.empty).toEqual(["a"]);
    expect((await engine.resume(loop, run)).state.empty).toEqual(["a", "b"]);
    vi.spyOn(journal, "fold").mockResolvedValueOnce(undefined);
    expect((await loadRun(journal, run)).state.empty).toEqual(["a", "b"]);
  });

  it.each([
    ["an unknown key", { amount: 1 }, "STATE_INVALID"],
    ["a value of the wrong type", { turn: "two" }, "STATE_INVALID"],
    ["a value that is not plain JSON", { list: append(new Date() as never) }, "STATE_INVALID"],
  ])("L3: %s changes nothing: the visit fails and the state stays as it was", async (_what, patch, code) => {
    const { engine, journal } = memoryEngine();
    const loop = patching([{}, patch as never]);
    const { run } = await engine.start(loop, {});
    const { state } = await loadRun(journal, run);
    await expect(engine.resume(loop, run)).rejects.toMatchObject({ code });
    expect((await loadRun(journal, run)).state).toEqual(state);
  });

  it("gives phases a state that they cannot change by hand", async () => {
    const { engine } = memoryEngine();
    const loop = patching([{ list: ["a"] }]);
    const tamper = { ...loop.phases.work!, run: (state: Record<string, Json>) => (state.list as string[]).push("b") };
    const { run } = await engine.start(loop, {});
    await expect(engine.resume({ ...loop, phases: { work: tamper } } as never, run)).rejects.toThrow("not extensible");
  });
});
