import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { defineLoop, type GateRecord, type Loop } from "@loopwright/core";
import { memoryEngine } from "@loopwright/core/testing";
import { beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { passed, singlePhase } from "../../../../test/fakes/loops.ts";
import { draftMessages, type Notify } from "./messages.ts";
import { isSealed } from "./seal.ts";

const state = mkdtempSync(join(tmpdir(), "loopwright-outbox-"));
process.once("exit", () => rmSync(state, { recursive: true, force: true }));
beforeAll(() => {
  process.env.XDG_STATE_HOME = state;
});

const gate = { name: "accept", question: "Is it\u001b[31m good?", choices: ["yes", "no"], default: "no" };
const asking = singlePhase(async (ctx) => {
  await ctx.ask(gate);
  return passed(ctx);
});
const done = singlePhase((ctx) => passed(ctx));
const parentOf = (child: Loop<never, never>) =>
  singlePhase(async (ctx) => {
    await ctx.spawn("child", child, null as never);
    return passed(ctx);
  });
const escalating = defineLoop({
  name: "escalating",
  version: 1,
  input: z.null(),
  state: z.object({}),
  initial: () => ({}),
  start: "work",
  iteration: "work",
  phases: {
    work: {
      to: ["work"],
      run: (_state, ctx) =>
        ctx.end("escalated", {
          reason: "nobody knows",
          gate: { ...gate, choices: { yes: "work", no: null } },
        }),
    },
  },
});

/** What is told of a run of a loop. */
async function toldOf(
  loop: unknown,
  notify: Notify = { webhook: "http://a" },
  isAnswered: (gate: GateRecord) => boolean = () => false,
) {
  const test = memoryEngine({ messages: draftMessages(notify, isAnswered) });
  await test.engine.start(loop as Loop, null);
  const posted = await test.journal.outbox.list();
  expect(posted.every(isSealed)).toBe(true);
  return posted.map(({ to, body }): Record<string, unknown> => ({ to, ...JSON.parse(body) }));
}

describe("what is told of a run", () => {
  it("is how it ended, by every way that is set", async () => {
    const news = { loop: "single", outcome: "done", reason: "it is good", iterations: 1, score: 1 };
    const told = await toldOf(done, { webhook: "http://a", command: "echo" });
    expect(told).toMatchObject([
      { to: "webhook", ...news },
      { to: "command", ...news },
    ]);
    expect(told[0]!.text).toBe(`done: it is good (${told[0]!.run})`);
    expect(await toldOf(done, {})).toEqual([]);
  });

  it("is that it waits at a gate, and what is asked there", async () => {
    const told = await toldOf(asking);
    expect(told).toMatchObject([{ outcome: "waiting", iterations: 1, score: null, gate }]);
    expect(told[0]!.text).toBe(`waiting: Is it good? (${told[0]!.run})`);
  });

  it("is nothing of a gate that needs no answer of anyone elsewhere", async () => {
    expect(await toldOf(asking, undefined, () => true)).toEqual([]);
  });

  it("is one thing where an ending asks: the ending, with the question", async () => {
    expect(await toldOf(escalating)).toMatchObject([{ outcome: "escalated", reason: "nobody knows", gate }]);
  });

  it("is nothing of a child run, but that the run above waits for it", async () => {
    expect(await toldOf(parentOf(done as never))).toMatchObject([{ outcome: "done" }]);
    const told = await toldOf(parentOf(asking as never));
    expect(told).toMatchObject([{ outcome: "waiting", gate }]);
    expect(told[0]!.run).not.toContain("child");
  });

  it("is what `events` names, and without it everything but that another run took over", async () => {
    expect(await toldOf(done, { webhook: "http://a", events: ["waiting", "failed"] })).toEqual([]);
    expect(await toldOf(asking, { webhook: "http://a", events: ["waiting"] })).toHaveLength(1);
    const superseded = singlePhase((ctx) => ctx.end("superseded" as never));
    expect(await toldOf(superseded)).toEqual([]);
    expect(await toldOf(superseded, { webhook: "http://a", events: ["superseded"] })).toHaveLength(1);
  });
});

describe("the seal", () => {
  it("holds for the very message, by a key that only this user can read", async () => {
    const test = memoryEngine({ messages: draftMessages({ webhook: "http://a" }, () => false) });
    await test.engine.start(done, null);
    const [posted] = await test.journal.outbox.list();
    for (const change of [{ body: "{}" }, { run: "other" }, { to: "command" }, { seal: "" }, { seal: "0".repeat(64) }])
      expect(isSealed({ ...posted!, ...change })).toBe(false);
    expect(readdirSync(join(state, "loopwright"))).toEqual(["outbox-key"]);
    expect(readFileSync(join(state, "loopwright/outbox-key"), "utf8")).toMatch(/^[0-9a-f]{64}$/);
    process.env.LOOPWRIGHT_JOURNAL_KEY = "the journal's key";
    expect(isSealed(posted!)).toBe(true);
    delete process.env.LOOPWRIGHT_JOURNAL_KEY;
  });
});
