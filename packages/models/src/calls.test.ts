import {
  defineLoop,
  InfrastructureError,
  type Json,
  type Model,
  type ModelAnswer,
  pass,
  type StampedEvent,
} from "@loopwright/core";
import { dieAt, doomed, memoryEngine, runOf } from "@loopwright/core/testing";
import { expect, test } from "vitest";
import { z } from "zod";
import { detailsOf, isModelAnswer, modelCallOf, modelCalls } from "./calls.ts";

const answer = {
  text: "yes",
  model: "big-1",
  finishReason: "stop",
  usage: { tokens: 12, usd: 0.5 },
  details: { endpoint: "lmstudio", asked: "big", inputTokens: 10, outputTokens: 2, ms: 40, costKnown: true },
} satisfies ModelAnswer;

const loop = defineLoop({
  name: "asks",
  version: 1,
  input: z.object({}),
  state: z.object({}),
  initial: () => ({}),
  start: "ask",
  iteration: "ask",
  phases: {
    ask: {
      to: [],
      run: async (_, ctx) => {
        await ctx.effect("other", { input: { role: "none" }, run: () => ({ text: "no answer of a model" }) });
        await ctx.model("builder").call("first", { system: "be brief", prompt: "well?" });
        await ctx
          .model("judge")
          .call("second", { prompt: [{ name: "task", text: "is it?", priority: 1 }] })
          .catch(() => {});
        ctx.verdict(pass(1, "answered"));
        return ctx.end("done");
      },
    },
  },
});

const models = (role: string): Model => ({
  estimate: () => ({ tokens: 1, usd: 0 }),
  call: async () => {
    if (role === "judge") throw new InfrastructureError("MODEL_UNREACHABLE", "nobody answers");
    return answer;
  },
});

test("Calls of models are found among a run's events, answered or failed, and other effects are not.", async () => {
  const { engine, events } = memoryEngine({ models });
  await engine.start(loop, {});
  const calls = modelCalls(events as StampedEvent[]);
  expect(calls).toMatchObject([
    {
      key: "first",
      role: "builder",
      request: { system: "be brief", prompt: "well?" },
      answer: { text: "yes", model: "big-1" },
      details: { endpoint: "lmstudio", asked: "big", inputTokens: 10, outputTokens: 2, ms: 40, costKnown: true },
      usage: { tokens: 12, usd: 0.5 },
    },
    { key: "second", role: "judge", details: {}, error: { code: "MODEL_UNREACHABLE", kind: "E0" } },
  ]);
  expect(calls.every(({ startedAt, endedAt }) => endedAt !== undefined && endedAt >= startedAt)).toBe(true);
  expect("error" in calls[0]! || "answer" in calls[1]!).toBe(false);
});

test("A call has used what all its tries were charged with, those that were lost included.", async () => {
  const trying: Model = {
    estimate: () => ({ tokens: 100, usd: 0 }),
    call: async (_, call) => {
      call.charge({ tokens: 90, usd: 0 });
      await call.again();
      return answer;
    },
  };
  const survivor = memoryEngine({ models: () => trying });
  const dying = doomed(survivor, dieAt("effect-finished", "before", 2), { models: () => trying });
  await dying.engine.start(loop, {}).catch(() => {});
  const run = await runOf(survivor);
  await survivor.engine.resume(loop, run);
  const calls = modelCalls(await survivor.chain(run));
  expect(calls.map(({ usage }) => usage?.tokens)).toEqual([90 + 100 + 90 + 12, 90 + 12]);
});

test("A call that a crash cut short is one call, with neither answer nor error until it is made again.", async () => {
  const survivor = memoryEngine({ models });
  const dying = doomed(survivor, dieAt("effect-finished", "before", 2), { models });
  await dying.engine.start(loop, {}).catch(() => {});
  const run = await runOf(survivor);
  const [cut, ...none] = modelCalls(await survivor.chain(run));
  expect(none).toEqual([]);
  expect(cut).toMatchObject({ key: "first", role: "builder" });
  expect(Object.keys(cut!)).not.toEqual(expect.arrayContaining(["answer", "endedAt"]));
  await survivor.engine.resume(loop, run);
  expect(modelCalls(await survivor.chain(run)).map(({ key, answer: got }) => [key, got?.text])).toEqual([
    ["first", "yes"],
    ["second", undefined],
  ]);
});

const started = (input: Json) =>
  ({ type: "effect-started", visit: 1, key: "k", tries: 1, input, digest: "d", at: 5, active: 0 }) as const;
const finished = (result: Json) => ({ type: "effect-finished", visit: 1, key: "k", result, at: 9, active: 4 }) as const;

test.each<[string, Json]>([
  ["nothing", null],
  ["a list", ["builder"]],
  ["a role alone", { role: "builder" }],
  ["a request without a prompt", { role: "builder", request: { system: "x" } }],
  ["a prompt that is a number", { role: "builder", request: { prompt: 3 } }],
  ["a role that is a number", { role: 1, request: { prompt: "x" } }],
])("An effect whose input is %s is no call of a model.", (_, input) => {
  expect(modelCallOf(started(input))).toBeUndefined();
});

test("An effect that asks as a model is asked, but has another result, is no call of a model.", () => {
  const asks = started({ role: "builder", request: { prompt: "x" } });
  expect(modelCallOf(asks, finished({ text: "x" }))).toBeUndefined();
  expect(modelCallOf(asks, finished("x"))).toBeUndefined();
  expect(modelCallOf(asks, finished({ ...answer }))?.answer?.text).toBe("yes");
});

test("An answer is told by its text, model, finish reason and usage.", () => {
  expect(isModelAnswer({ ...answer })).toBe(true);
  for (const field of ["text", "model", "finishReason", "usage"])
    expect(isModelAnswer({ ...answer, [field]: 3 }), field).toBe(false);
});

test("An answer of a model of another making has no details that are known.", () => {
  expect(detailsOf({ ...answer, details: { endpoint: "a", ms: 3 } })).toEqual({ endpoint: "a", ms: 3 });
  expect(detailsOf({ ...answer, details: { endpoint: 7, tries: "many" } })).toEqual({});
  const { details: _, ...bare } = answer;
  expect(detailsOf(bare)).toEqual({});
  expect(detailsOf({ ...answer, details: "none" })).toEqual({});
});
