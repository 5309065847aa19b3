// Artifacts that were deleted, changed or released: verify names them, and a phase that loads one is told what is wrong.

import { createHash } from "node:crypto";
import { readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { type Artifact, append, defineLoop, type Json, type Project, pass } from "loopwright";
import { beforeEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { failure, journalOf, openTemp } from "./harness.ts";
import { fill, noise } from "./programs/loops.ts";

const artifact = z.object({ path: z.string(), digest: z.string(), size: z.number() });

/** Saves texts, then waits at a gate, then loads them all. */
const keep = defineLoop({
  name: "keep",
  version: 1,
  input: z.object({ texts: z.array(z.string()) }),
  state: z.object({ saved: z.array(artifact), loaded: z.array(z.string()) }),
  initial: () => ({ saved: [], loaded: [] }),
  start: "save",
  iteration: "save",
  phases: {
    save: {
      to: ["load"],
      run: async (_state, ctx) => {
        const saved: Artifact[] = [];
        for (const [n, text] of ctx.input.texts.entries()) saved.push(await ctx.save(`text-${n}.txt`, text));
        return ctx.to("load", { saved: append(...saved) });
      },
    },
    load: {
      to: [],
      run: async ({ saved }, ctx) => {
        await ctx.ask({ name: "go", question: "Load them?", choices: ["yes"], default: "yes" });
        const loaded: string[] = [];
        for (const one of saved) loaded.push(Buffer.from(await ctx.load(one)).toString());
        ctx.verdict(pass(1, "all are loaded"));
        return ctx.end("done", { patch: { loaded } });
      },
    },
  },
});

const text = noise("an artifact", 5_000);

let project: Project;
beforeEach(async () => {
  project = await openTemp();
});

async function waitingRun(texts: string[] = [text]): Promise<string> {
  const { run, outcome } = await project.start(keep, { texts });
  expect(outcome).toBe("waiting");
  await project.answer(run, "yes");
  return run;
}

async function endedRun(texts: string[] = [text], slug = "keep"): Promise<string> {
  const { run } = await project.start(keep, { texts }, { slug });
  await project.answer(run, "yes");
  expect(await project.resume(keep, run)).toMatchObject({ outcome: "done", state: { loaded: texts } });
  return run;
}

function stored(content: string): string {
  const digest = createHash("sha256").update(content).digest("hex");
  return join(project.dir, ".loopwright", "files", digest.slice(0, 2), digest.slice(2));
}

describe("an artifact in the store", () => {
  it("that was deleted is named by verify, and a phase that loads it is told that it is missing", async () => {
    const run = await waitingRun();
    await rm(stored(text));
    const { ok, problems, artifacts } = await project.verify(run);
    expect({ ok, artifacts }).toEqual({ ok: false, artifacts: 1 });
    expect(problems).toEqual([expect.stringMatching(/^attempt-000\/iterations\/iter-001\/text-0\.txt: .* is missing/)]);
    const error = await failure(project.resume(keep, run));
    expect(error).toMatchObject({ code: "ARTIFACT_MISSING", message: expect.stringContaining(stored(text)) });
    await writeFile(stored(text), text);
    expect(await project.resume(keep, run)).toMatchObject({ outcome: "done", state: { loaded: [text] } });
    expect(await project.verify(run)).toMatchObject({ ok: true });
  });

  it.each([
    ["in one byte", (bytes: Buffer) => bytes.with(100, (bytes[100]! ^ 1) & 0xff)],
    ["by a cut", (bytes: Buffer) => bytes.subarray(0, 100)],
    ["to nothing", () => Buffer.alloc(0)],
  ])("that was changed %s is named by verify, and a phase that loads it is told so", async (_how, change) => {
    const run = await waitingRun();
    await writeFile(stored(text), change(await readFile(stored(text))));
    expect((await project.verify(run)).problems).toEqual([
      expect.stringMatching(/text-0\.txt: .* was changed after it was stored/),
    ]);
    const error = await failure(project.resume(keep, run));
    expect(error).toMatchObject({ code: "ARTIFACT_CHANGED", message: expect.stringContaining(stored(text)) });
  });

  it("that was changed, or cut, is whole again once the same content is saved again", async () => {
    for (const change of [(bytes: Buffer) => bytes.fill(7), (bytes: Buffer) => bytes.subarray(0, 9)]) {
      const run = await waitingRun();
      await writeFile(stored(text), change(await readFile(stored(text))));
      await project.start(keep, { texts: [text] });
      expect(await project.verify(run)).toMatchObject({ ok: true });
      expect(await project.resume(keep, run)).toMatchObject({ outcome: "done", state: { loaded: [text] } });
    }
  });

  it("does not depend on the copy in the run's folder", async () => {
    const run = await waitingRun();
    await rm(join(project.dir, "runs"), { recursive: true });
    expect(await project.verify(run)).toMatchObject({ ok: true });
    expect(await project.resume(keep, run)).toMatchObject({ outcome: "done", state: { loaded: [text] } });
  });
});

describe("released contents", () => {
  it("are reported as released, and not as problems", async () => {
    const run = await endedRun();
    const before = await project.verify(run);
    expect(before).toMatchObject({ ok: true, released: 0, artifacts: 1 });
    expect(before.values).toBeGreaterThan(0);
    const { contents } = await project.release([run]);
    expect(contents).toBe(before.values + before.artifacts);
    const after = await project.verify(run);
    expect(after).toEqual({ ...before, released: contents });
    await expect(readFile(stored(text))).rejects.toThrow("ENOENT");
    expect(await project.release([run])).toBeDefined();
    expect(await project.verify(run)).toEqual(after);
  });

  it("that another run still names are kept, until that one is released too", async () => {
    const one = await endedRun([text], "one");
    const two = await endedRun([text], "two");
    expect(await project.release([one])).toEqual({ contents: 0 });
    for (const run of [one, two]) expect(await project.verify(run)).toMatchObject({ ok: true, released: 0 });
    expect(await readFile(stored(text), "utf8")).toBe(text);
    await project.release([one, two]);
    for (const run of [one, two]) expect((await project.verify(run)).released).toBeGreaterThan(0);
    await expect(readFile(stored(text))).rejects.toThrow("ENOENT");
  });

  it("are never those of a run that has not ended", async () => {
    const run = await waitingRun();
    expect(await failure(project.release([run]))).toMatchObject({ code: "RUN_OPEN" });
    expect(await project.verify(run)).toMatchObject({ ok: true, released: 0 });
  });

  it("are never those of a run that someone is just taking up again", async () => {
    const { run } = await project.start(fill, { rounds: 5, bytes: 3_000 }, { ceilings: { iterations: 2 } });
    const { journal, process } = project.ports;
    const lease = await journal.acquire(run, process);
    expect(await failure(project.release([run]))).toMatchObject({ code: "RUN_OPEN" });
    expect(await project.verify(run)).toMatchObject({ ok: true, released: 0 });
    await journal.yield(lease, 0);
    await project.release([run]);
  });

  it("that a later run saves again are there again, and are no longer passed over by verify", async () => {
    await project.release([await endedRun([text], "first")]);
    const run = await endedRun([text], "second");
    expect(await project.verify(run)).toMatchObject({ ok: true, released: 0, artifacts: 1 });
    await rm(stored(text));
    expect((await project.verify(run)).problems).toEqual([expect.stringMatching(/text-0\.txt: .* is missing/)]);
  });

  it("are not those that a run under way has saved and not yet recorded", async () => {
    const old = await endedRun([text], "old");
    const slow = defineLoop({
      name: "slow",
      version: 1,
      input: z.object({}),
      state: z.object({}),
      initial: () => ({}),
      start: "work",
      iteration: "work",
      phases: {
        work: {
          to: [],
          run: async (_state, ctx) => {
            const saved = await ctx.save("mine.txt", text);
            await ctx.effect("meanwhile", {
              run: () =>
                project.release([old]).then(
                  () => null,
                  () => null,
                ),
            });
            ctx.verdict(
              pass(
                1,
                Buffer.from(await ctx.load(saved))
                  .toString()
                  .slice(0, 10),
              ),
            );
            return ctx.end("done");
          },
        },
      },
    });
    const { run, outcome } = await project.start(slow, {});
    expect(outcome).toBe("done");
    expect(await project.verify(run)).toMatchObject({ ok: true, released: 0 });
    expect(await readFile(stored(text), "utf8")).toBe(text);
  });

  it("say so to a fork and to a resume that need them", async () => {
    const released = { code: "VALUE_RELEASED", message: expect.stringContaining("gone for good") };
    const run = await endedRun();
    await project.release([run]);
    expect(await failure(project.fork(run, 1))).toMatchObject({ code: "RUN_PRUNED" });
    const stopped = await project.start(fill, { rounds: 5, bytes: 3_000 }, { ceilings: { iterations: 2 } });
    await project.release([stopped.run]);
    expect(await failure(project.resume(fill, stopped.run, { ceilings: { iterations: 5 } }))).toMatchObject(released);
  });
});

describe("a value in the journal", () => {
  it("whose row was deleted by hand is reported as missing, while the chain is still said to be whole", async () => {
    const run = await endedRun();
    const digest = createHash("sha256")
      .update(JSON.stringify({ texts: [text] } satisfies Json))
      .digest("hex");
    const db = new DatabaseSync(journalOf(project.dir));
    const { changes } = db.prepare("DELETE FROM blobs WHERE digest = ?").run(Buffer.from(digest, "hex"));
    db.close();
    expect(changes).toBe(1);
    const { ok, problems } = await project.verify(run);
    expect(ok).toBe(false);
    expect(problems).toEqual([`value ${digest.slice(0, 12)} is missing`]);
    expect(problems.join()).not.toMatch(/event/);
  });

  it("may have the same content as an artifact, and each is checked for itself", async () => {
    const value = noise("both", 3_000);
    const both = defineLoop({
      name: "both",
      version: 1,
      input: z.object({}),
      state: z.object({ value: z.string() }),
      initial: () => ({ value }),
      start: "work",
      iteration: "work",
      phases: {
        work: {
          to: [],
          run: async (state, ctx) => {
            await ctx.save("value.json", JSON.stringify(state.value));
            return ctx.end("declined");
          },
        },
      },
    });
    const { run } = await project.start(both, {});
    expect(await project.verify(run)).toMatchObject({ ok: true, values: 1, artifacts: 1 });
    const db = new DatabaseSync(journalOf(project.dir));
    db.exec("UPDATE blobs SET bytes = substr(bytes, 1, 20)");
    db.close();
    expect((await project.verify(run)).problems).toEqual([expect.stringMatching(/^value [0-9a-f]{12} is unreadable$/)]);
  });
});
