import { deadProcess, dieAt, doomed, memoryEngine, runOf, type TestEngine } from "@loopwright/core/testing";
import { describe, expect, it } from "vitest";
import { passed, singlePhase } from "../../../test/fakes/loops.ts";
import { type DraftMessages, MOST_TRIES, type Sender, type SendResult, sendDue, trySend, waitAfter } from "./outbox.ts";
import type { Message } from "./ports.ts";

const ended: DraftMessages = (event) =>
  event.type === "run-ended" ? [{ to: "webhook", body: `it ended: ${event.outcome}`, seal: "" }] : [];
const loop = singlePhase((ctx) => passed(ctx));
const engine = () => memoryEngine({ messages: ended });

/** A sender that notes what it sends, and answers as it is told. */
function senderOf(test: TestEngine, answer: (message: Message) => SendResult | Promise<SendResult> = () => ({})) {
  const sent: string[] = [];
  const send = async (message: Message) => {
    sent.push(message.id);
    return answer(message);
  };
  const { journal, clock, ports } = test;
  const sender: Sender = {
    outbox: journal.outbox,
    clock,
    process: ports.process,
    send,
    signal: new AbortController().signal,
  };
  return { sender, sent };
}

describe("a message", () => {
  it("O1: is there exactly where the event that it is about is, wherever the process is killed", async () => {
    for (const when of ["before", "after"] as const) {
      const survivor = engine();
      const dying = doomed(survivor, dieAt("run-ended", when), { messages: ended });
      await expect(dying.engine.start(loop, null)).rejects.toThrow("killed");
      const run = await runOf(survivor);
      const hasEnded = (await survivor.types(run)).includes("run-ended");
      expect(hasEnded).toBe(when === "after");
      expect(await survivor.journal.outbox.list()).toHaveLength(hasEnded ? 1 : 0);
      await survivor.engine.resume(loop, run);
      expect(await survivor.journal.outbox.list()).toMatchObject([{ run, to: "webhook", body: "it ended: done" }]);
    }
  });

  it("has an id of its own, whatever else is told, and at every try the same", async () => {
    const both: DraftMessages = (event, record) =>
      ended(event, record).flatMap((one) => [one, { ...one, to: "command" }]);
    const test = memoryEngine({ messages: both });
    await test.engine.start(loop, null);
    await test.engine.start(loop, null);
    const { sender, sent } = senderOf(test, () => ({ error: "it is down" }));
    for (let tries = 0; tries < 3; tries++) {
      await sendDue(sender);
      test.clock.advance(3_600_000);
    }
    expect(sent).toHaveLength(12);
    expect(new Set(sent).size).toBe(4);
  });

  it("that cannot be made costs a warning, not the run", async () => {
    const warned = new Promise<Error>((resolve) => process.once("warning", resolve));
    const test = memoryEngine({
      messages: () => {
        throw new Error("no words");
      },
    });
    expect(await test.engine.start(loop, null)).toMatchObject({ outcome: "done" });
    expect((await warned).message).toContain("nobody will be told");
  });
});

describe("sending", () => {
  it("tries what is due once, and never again what was sent", async () => {
    const test = engine();
    for (let runs = 0; runs < 6; runs++) await test.engine.start(loop, null);
    const { sender, sent } = senderOf(test);
    expect(await sendDue(sender)).toMatchObject(Array(6).fill({ state: "sent", tries: 1 }));
    expect(await sendDue(sender)).toEqual([]);
    expect(new Set(sent).size).toBe(6);
    expect(sent).toHaveLength(6);
  });

  it("waits twice as long after each failure up to an hour, the same for the same message, and other times for others", () => {
    for (let tries = 1; tries <= MOST_TRIES; tries++) {
      const full = Math.min(1000 * 2 ** (tries - 1), 3_600_000);
      for (const id of ["one", "other"]) {
        expect(waitAfter(id, tries)).toBeGreaterThanOrEqual(full / 2);
        expect(waitAfter(id, tries)).toBeLessThanOrEqual(full);
        expect(waitAfter(id, tries)).toBe(waitAfter(id, tries));
      }
      expect(waitAfter("one", tries)).not.toBe(waitAfter("other", tries));
    }
  });

  it("tries nothing before its time, nor before the time that the receiver asks for, which is an hour at most", async () => {
    for (const [wait, time] of [
      [undefined, 1_000],
      [60_000, 60_000],
      [1e12, 3_600_000],
    ] as const) {
      const test = engine();
      await test.engine.start(loop, null);
      const { sender, sent } = senderOf(test, () => ({ error: "later", ...(wait && { wait }) }));
      await sendDue(sender);
      test.clock.advance(time * 0.49);
      await sendDue(sender);
      expect(sent).toHaveLength(1);
      test.clock.advance(time * 0.52);
      await sendDue(sender);
      expect(sent).toHaveLength(2);
    }
  });

  it("does not wait for a time that was written before the clock was set back", async () => {
    const test = engine();
    await test.engine.start(loop, null);
    const { sender, sent } = senderOf(test, () => ({ error: "later" }));
    await sendDue(sender);
    test.clock.set(test.clock.now() - 1e9);
    await sendDue(sender);
    expect(sent).toHaveLength(2);
  });

  it("O4: gives a message up after so many tries; it is sent again when someone says so", async () => {
    const test = engine();
    await test.engine.start(loop, null);
    let isDown = true;
    const { sender, sent } = senderOf(test, () => (isDown ? { error: "it is down" } : {}));
    for (let tries = 0; tries < MOST_TRIES + 5; tries++) {
      await sendDue(sender);
      test.clock.advance(3_600_000);
    }
    expect(sent).toHaveLength(MOST_TRIES);
    const [dead] = await sender.outbox.list("dead");
    expect(dead).toMatchObject({ tries: MOST_TRIES, error: "it is down" });
    expect(await trySend(sender, dead!)).toMatchObject({ state: "dead", tries: MOST_TRIES + 1 });
    isDown = false;
    const [still] = await sender.outbox.list("dead");
    const end = await trySend(sender, still!);
    expect(end).toMatchObject({ state: "sent", tries: MOST_TRIES + 2 });
    expect(end).not.toHaveProperty("error");
    expect(new Set(sent).size).toBe(1);
  });

  it("O2: leaves a message to a live process that is at it, until its time is over", async () => {
    const test = engine();
    await test.engine.start(loop, null);
    const slow = Promise.withResolvers<SendResult>();
    const first = senderOf(test, () => slow.promise);
    const second = senderOf(test.other());
    const under = sendDue(first.sender);
    await expect.poll(() => first.sent).toHaveLength(1);
    test.clock.advance(29_000);
    expect(await sendDue(second.sender)).toEqual([]);
    test.clock.advance(2_000);
    expect(await sendDue(second.sender)).toMatchObject([{ state: "sent", tries: 2 }]);
    slow.resolve({ error: "too late" });
    await under;
    expect(await first.sender.outbox.list()).toMatchObject([{ state: "sent", tries: 2 }]);
  });

  it("O3: tries at once what a dead process was at, under the same id", async () => {
    const test = engine();
    await test.engine.start(loop, null);
    const { sender, sent } = senderOf(test);
    const [posted] = await sender.outbox.list();
    await sender.outbox.claim(posted!.id, 0, deadProcess(), test.clock.now() + 30_000);
    await sendDue(sender);
    expect(sent).toEqual([posted!.id]);
  });

  it("begins no other try once it is told to stop", async () => {
    const test = engine();
    for (let runs = 0; runs < 9; runs++) await test.engine.start(loop, null);
    const stop = new AbortController();
    const { sender, sent } = senderOf(test, () => {
      stop.abort();
      return {};
    });
    await sendDue({ ...sender, signal: stop.signal });
    expect(sent.length).toBeLessThan(9);
    expect(await sender.outbox.list("waiting")).toHaveLength(9 - sent.length);
  });
});
