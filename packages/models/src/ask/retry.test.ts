import { append, defineLoop, ExecutionError, fail, type Model, type ModelRequest, pass } from "@loopwright/core";
import { killAtEveryCommit, memoryEngine } from "@loopwright/core/testing";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { type FakeWorkcell, fakeBench } from "../../../../test/fakes/workcell.ts";
import { codeBlock, parseObject } from "../parse/parse.ts";
import { askText } from "./ask.ts";
import { obtainObject, retryWithModel } from "./retry.ts";

const fenced = (code: string) => `<think>{ hm }</think>Here:\n\`\`\`python\n${code}\n\`\`\``;

/** A model that gives these answers in turn, by the key of the call, and the whole text of every request. */
function scripted(...answers: string[]): { model: Model; prompts: string[] } {
  const prompts: string[] = [];
  const calls: string[] = [];
  const model: Model = {
    estimate: () => ({ tokens: 10, usd: 0 }),
    call: async (request, { idempotencyKey }) => {
      if (!calls.includes(idempotencyKey)) {
        calls.push(idempotencyKey);
        prompts.push(wholeText(request));
      }
      const text = answers[calls.indexOf(idempotencyKey)] ?? "nothing more";
      return { text, model: "scripted", finishReason: "stop", usage: { tokens: 10, usd: 0 } };
    },
  };
  return { model, prompts };
}

function wholeText({ system = "", prompt }: ModelRequest): string {
  return [system, ...(typeof prompt === "string" ? [prompt] : prompt.map(({ text }) => text))].join("\n\n");
}

/** Good code runs; code with `bad` in it raises, half run. */
function python(code: string, cell: FakeWorkcell): string {
  cell.write(code);
  if (code.includes("bad")) throw new ExecutionError("RAISED", `SyntaxError in ${code}\nTraceback of ${code}`);
  return `made by ${code}`;
}

/** Builds with fast retry and lets a model judge, for so many iterations. */
const building = (iterations: number, maxRetries?: number) =>
  defineLoop({
    name: "building",
    version: 1,
    input: z.null(),
    state: z.object({
      history: z.array(
        z.object({ code: z.string().nullable(), retry_count: z.number(), failure: z.string().nullable() }),
      ),
      errors: z.array(z.string()),
      seen: z.array(z.string()),
    }),
    initial: () => ({ history: [], errors: [], seen: [] }),
    start: "build",
    iteration: "build",
    phases: {
      build: {
        to: ["evaluate"],
        run: async (state, ctx) => {
          const seen: string[] = [];
          const tried = await retryWithModel(ctx, {
            role: "builder",
            prompt: `Build part ${ctx.iteration}. So far: ${JSON.stringify(state.history)}`,
            read: (text) => codeBlock(text, { languages: ["python"] }),
            execute: (scope, code) =>
              scope.workcell<FakeWorkcell>("bench", "base ").effect("run", {
                input: code,
                run: async (cell) => {
                  seen.push(cell.text);
                  return python(code, cell);
                },
              }),
            ...(maxRetries !== undefined && { maxRetries }),
          });
          const { work, failure, retry_count, errors } = tried;
          const entry = { code: work ?? null, retry_count, failure: failure?.class ?? null };
          return ctx.to("evaluate", { history: append(entry), errors, seen: append(...seen) });
        },
      },
      evaluate: {
        to: ["build"],
        run: async (state, ctx) => {
          const made = state.history.at(-1)!;
          await askText(ctx, "judge", { role: "judge", prompt: `Judge ${JSON.stringify(state.history)}` });
          ctx.verdict(made.failure ? fail(0, `nothing was made (${made.failure})`) : pass(1, "it was made"));
          if (ctx.iteration < iterations) return ctx.to("build");
          return made.failure ? ctx.end("stagnant") : ctx.end("done");
        },
      },
    },
  });

function withModel(...answers: string[]) {
  const { model, prompts } = scripted(...answers);
  const { bench, log } = fakeBench();
  const ports = { models: () => model, workcells: { bench } };
  return { test: memoryEngine(ports), ports, prompts, log };
}

describe("fast retry with a model", () => {
  it("fast retry fixes a syntax error: the model gets its work and the error, and gives the work corrected", async () => {
    const { test, prompts } = withModel(fenced("bad 1"), fenced("good"), "Fine.");
    const { outcome, iterations, state } = await test.engine.start(building(1), null);
    expect({ outcome, iterations }).toEqual({ outcome: "done", iterations: 1 });
    expect(state.history).toEqual([{ code: "good", retry_count: 1, failure: null }]);
    expect(state.errors).toEqual(["E1 SyntaxError in bad 1"]);
    const [first, retry] = prompts as [string, string];
    expect(retry.startsWith(first)).toBe(true);
    const added = retry.slice(first.length);
    expect(added).toContain("```text\nbad 1\n```");
    expect(added).toContain("```text\nSyntaxError in bad 1\nTraceback of bad 1\n```");
    expect(added).toMatch(/nothing but the corrected work/s);
    expect(added).not.toContain("form that was asked for");
  });

  it("gives up after the maximum: four executions from the same snapshot, three re-tries, and the judge still judges", async () => {
    const { test, prompts, log } = withModel(...[1, 2, 3, 4].map((n) => fenced(`bad ${n}`)), "Poor.");
    const { outcome, state } = await test.engine.start(building(1), null);
    expect(outcome).toBe("stagnant");
    expect(state.history).toEqual([{ code: "bad 4", retry_count: 3, failure: "E1" }]);
    expect(state.errors).toEqual([1, 2, 3, 4].map((n) => `E1 SyntaxError in bad ${n}`));
    expect(state.seen).toEqual(["base ", "base ", "base ", "base "]);
    expect(log.filter((word) => word.startsWith("write"))).toHaveLength(4);
    expect(prompts).toHaveLength(5);
    expect(prompts[3]).toContain("bad 3");
    expect(prompts[3]).not.toContain("bad 2");
  });

  it("does not trigger on success: one call, no re-try, no note", async () => {
    const { test, prompts } = withModel(fenced("good"), "Fine.");
    const { run, state } = await test.engine.start(building(1), null);
    expect(state).toMatchObject({ history: [{ code: "good", retry_count: 0, failure: null }], errors: [] });
    expect(prompts).toHaveLength(2);
    expect(await test.types(run)).not.toContain("loop-noted");
  });

  it("the count is recorded: in what the loop gets, and in the run's record", async () => {
    const { test } = withModel(fenced("bad 1"), "prose", fenced("good"), "Fine.");
    const { run, state } = await test.engine.start(building(1), null);
    expect(state.history[0]!.retry_count).toBe(2);
    expect((await test.record(run)).retries).toBe(2);
    const noted = (await test.chain(run)).filter((event) => event.type === "loop-noted");
    expect(noted).toMatchObject([{ name: "fast-retry", data: { retry_count: 2, errors: state.errors } }]);
    expect(state.errors.map((line) => line.includes("\n"))).toEqual([false, false]);
  });

  it("reminds of the form after prose, never executes it, and says what was wrong", async () => {
    const { test, prompts, log } = withModel("I would add a keel.", fenced("good"), "Fine.");
    const { state } = await test.engine.start(building(1), null);
    expect(state.history).toEqual([{ code: "good", retry_count: 1, failure: null }]);
    expect(log.filter((word) => word.startsWith("write"))).toHaveLength(1);
    expect(prompts[1]).toContain("form that was asked for");
    expect(prompts[1]).toContain("The answer holds no fenced code block");
    expect(prompts[1]).not.toContain("I would add a keel");
    expect(prompts[1]).not.toContain("carried out and failed");
  });

  it("keeps the error in sight where prose follows an error", async () => {
    const { test, prompts } = withModel(fenced("bad 1"), "Sorry!", fenced("good"), "Fine.");
    await test.engine.start(building(1), null);
    expect(prompts[2]).toContain("SyntaxError in bad 1");
    expect(prompts[2]).toContain("form that was asked for");
  });

  it.each([
    ["length", fenced("good"), "E2 The answer was cut off at its greatest length."],
    ["stop", "<think>x", "E2 The answer was empty."],
  ])("takes an answer that ends with '%s' and is not whole for an E2", async (finishReason, text, line) => {
    const { model } = scripted(fenced("good"), fenced("good"), "Fine.");
    let calls = 0;
    const call: Model["call"] = async (request, options) => ({
      ...(await model.call(request, options)),
      ...(++calls === 1 && { finishReason, text }),
    });
    const { bench } = fakeBench();
    const test = memoryEngine({ models: () => ({ ...model, call }), workcells: { bench } });
    const { state } = await test.engine.start(building(1), null);
    expect(state.history).toEqual([{ code: "good", retry_count: 1, failure: null }]);
    expect(state.errors[0]).toContain(line);
  });

  it("can be set to fewer re-tries", async () => {
    const { test, prompts } = withModel(fenced("bad 1"), "Poor.");
    const { state } = await test.engine.start(building(1, 0), null);
    expect(state.history).toEqual([{ code: "bad 1", retry_count: 0, failure: "E1" }]);
    expect(prompts).toHaveLength(2);
  });

  it("no re-try's text is in any later prompt or in the history, over several iterations", async () => {
    const rounds = [
      ["bad ALPHA", "good one"],
      ["prose BRAVO", "bad CHARLIE", "good two"],
      ["bad DELTA", "bad ECHO", "bad FOXTROT", "bad GOLF"],
      ["good three"],
    ];
    const answers = rounds.flatMap((round) => [
      ...round.map((word) => (word.startsWith("prose") ? word : fenced(word))),
      "Fine.",
    ]);
    const { test, prompts } = withModel(...answers);
    const { state } = await test.engine.start(building(4), null);
    expect(state.history.map(({ code, retry_count }) => [code, retry_count])).toEqual([
      ["good one", 1],
      ["good two", 2],
      ["bad GOLF", 3],
      ["good three", 0],
    ]);
    expect(prompts).toHaveLength(answers.length);

    const traces = [
      "ALPHA",
      "BRAVO",
      "CHARLIE",
      "DELTA",
      "ECHO",
      "FOXTROT",
      "SyntaxError",
      "Traceback",
      "already answered",
    ];
    let index = 0;
    for (const round of rounds) {
      const [first, ...retries] = prompts.slice(index, index + round.length);
      const judged = prompts[index + round.length];
      for (const clean of [first, judged]) for (const trace of traces) expect(clean).not.toContain(trace);
      for (const retry of retries) expect(retry).toContain("already answered");
      index += round.length + 1;
    }
    for (const trace of traces) expect(JSON.stringify(state.history)).not.toContain(trace);
  });

  it("L2: killed at any of its commits, comes to the same result and asks for nothing twice", async () => {
    const { points, end } = await killAtEveryCommit({
      loop: building(1),
      input: null,
      world: () => withModel(fenced("bad 1"), "prose", fenced("bad 2"), fenced("good"), "Fine."),
      observe: ({ prompts }) => prompts,
      // The test loop keeps in memory what its workcell held.
      comparable: ({ outcome, state: { history }, seen }) => ({ outcome, history, seen }),
    });
    expect(end).toMatchObject({ outcome: "done", state: { history: [{ code: "good", retry_count: 3 }] } });
    console.log(`kill points tried: ${points}`);
  });

  it("fixes an object too: the model is told its form, and gets the object that failed as JSON", async () => {
    const Mast = z.object({ height: z.number() });
    const { model, prompts } = scripted('{"height": "tall"}', '{"height": 15}', '{"height": 12}');
    const test = memoryEngine({ models: () => model });
    const loop = defineLoop({
      name: "rig",
      version: 1,
      input: z.null(),
      state: z.object({ height: z.number() }),
      initial: () => ({ height: 0 }),
      start: "build",
      iteration: "build",
      phases: {
        build: {
          to: [],
          run: async (_state, ctx) => {
            const { work, retry_count } = await retryWithModel(ctx, {
              role: "builder",
              prompt: "How tall is the mast?",
              schema: Mast,
              read: (text) => parseObject(text, Mast),
              execute: async (_scope, { height }) => {
                if (height > 12) throw new ExecutionError("TOO_TALL", `a mast of ${height} m will break`);
                return height;
              },
            });
            return ctx.end("superseded", { patch: { height: (work?.height ?? 0) + retry_count } });
          },
        },
      },
    });
    expect((await test.engine.start(loop, null)).state.height).toBe(14);
    expect(prompts[0]).toContain('- "height": a number');
    expect(prompts[1]).toContain("'height': expected number, found \"tall\"");
    expect(prompts[2]).toContain('{\n  "height": 15\n}');
    expect(prompts[2]).toContain("a mast of 15 m will break");
    for (const prompt of prompts) expect(prompt.endsWith('- "height": a number')).toBe(true);
  });

  it("lets what is neither E1 nor E2 go up", async () => {
    const { test } = withModel(fenced("good"));
    const loop = defineLoop({
      name: "broken",
      version: 1,
      input: z.null(),
      state: z.object({}),
      initial: () => ({}),
      start: "build",
      iteration: "build",
      phases: {
        build: {
          to: [],
          run: async (_state, ctx) => {
            const read = () => {
              throw new TypeError("a bug in the reader");
            };
            await retryWithModel(ctx, { role: "builder", prompt: "x", read, execute: async () => 1 });
            return ctx.end("superseded");
          },
        },
      },
    });
    await expect(test.engine.start(loop, null)).rejects.toThrow("a bug in the reader");
  });
});

it("an answer can be followed up by another question, which then holds for the re-tries too", async () => {
  const { model, prompts } = scripted("show me a", fenced("bad"), "show me b", fenced("good"));
  const looking = defineLoop({
    name: "looking",
    version: 1,
    input: z.null(),
    state: z.object({}),
    initial: () => ({}),
    start: "build",
    iteration: "build",
    phases: {
      build: {
        to: [],
        run: async (_, ctx) => {
          let prompt = "Build.";
          const { result, retry_count } = await retryWithModel<null, object, string, string>(ctx, {
            ...{ role: "builder", prompt, read: codeBlock },
            follow: async (_scope, { text }) => {
              const asked = /^show me (.*)/.exec(text)?.[1];
              if (asked === undefined) return undefined;
              prompt += ` This is ${asked}.`;
              return { role: "builder", prompt };
            },
            execute: async (_scope, code) => {
              if (code.includes("bad")) throw new ExecutionError("RAISED", "it is bad");
              return code;
            },
          });
          ctx.verdict(pass(1, `${result} after ${retry_count}`));
          return ctx.end("done", { reason: `${result} after ${retry_count}` });
        },
      },
    },
  });
  const test = memoryEngine({ models: () => model });
  expect(await test.engine.start(looking, null)).toMatchObject({ outcome: "done", reason: "good after 1" });
  expect(prompts).toHaveLength(4);
  expect(prompts[1]).toContain("Build. This is a.");
  expect(prompts[2]).toContain("Build. This is a.");
  expect(prompts[3]).toContain("Build. This is a. This is b.");
  for (const prompt of prompts.slice(2)) expect(prompt).toContain("it is bad");
});

it("a question whose answers were all unusable ends the run, and each resume asks it again", async () => {
  const { model, prompts } = scripted(...Array<string>(8).fill("no idea"), '{"word": "lamp"}');
  const asking = defineLoop({
    name: "asking",
    version: 1,
    input: z.null(),
    state: z.object({}),
    initial: () => ({}),
    start: "ask",
    iteration: "ask",
    phases: {
      ask: {
        to: [],
        run: async (_, ctx) => {
          const { word } = await obtainObject(ctx, "word", z.object({ word: z.string() }), {
            role: "writer",
            prompt: "A word?",
          });
          ctx.verdict(pass(1, word));
          return ctx.end("done", { reason: word });
        },
      },
    },
  });
  const test = memoryEngine({ models: () => model });
  const { run, ...first } = await test.engine.start(asking, null);
  expect(first).toMatchObject({ outcome: "failed", reason: expect.stringContaining("gave no usable answer") });
  expect(prompts).toHaveLength(4);
  expect(await test.engine.resume(asking, run)).toMatchObject({ outcome: "failed" });
  expect(prompts).toHaveLength(8);
  expect(await test.engine.resume(asking, run)).toMatchObject({ outcome: "done", reason: "lamp" });
  expect(prompts).toHaveLength(9);
});
