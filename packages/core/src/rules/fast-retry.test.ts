import { killAtEveryCommit, memoryEngine, runOf, scriptedModels } from "@loopwright/core/testing";
import { describe, expect, it, vi } from "vitest";
import { z } from "zod";
import { type FakeWorkcell, fakeBench } from "../../../../test/fakes/workcell.ts";
import { defineLoop } from "../define.ts";
import { ExecutionError, FormatError, InfrastructureError, UsageError } from "../errors.ts";
import { fail, pass } from "../outcomes.ts";
import type { Model, ModelRequest } from "../ports.ts";
import type { Json } from "../record/json.ts";
import { type FastRetryResult, fastRetry, MAX_RETRIES, type Problem } from "./fast-retry.ts";

/** A builder that gives these answers in turn, and what it was asked. */
function builder(...answers: string[]): { models: () => Model; prompts: string[] } {
  const prompts: string[] = [];
  const call = async ({ prompt }: ModelRequest) => {
    prompts.push(String(prompt));
    const text = answers[prompts.length - 1] ?? "nothing more";
    return { text, model: "scripted", finishReason: "stop", usage: { tokens: 10, usd: 0 } };
  };
  return { models: () => ({ estimate: () => ({ tokens: 10, usd: 0 }), call }), prompts };
}

const fenced = (code: string) => `\`\`\`python\n${code}\n\`\`\``;

/** The code of an answer: raw prose is never executed as code. */
function codeOf(text: string): string {
  const [, code] = /```python\n([\s\S]*?)\n```/.exec(text) ?? [];
  if (code === undefined) throw new FormatError("NO_CODE", "no fenced code\nin the answer");
  return code;
}

function promptFor(problem: Problem | undefined): string {
  if (!problem) return "build it";
  return problem.class === "E1" ? `Your code failed:\n${problem.message}` : "Return only fenced code.";
}

type Run = (code: string, cell: FakeWorkcell) => string;

/** Good code runs; the rest raises. */
const python: Run = (code, cell) => {
  cell.write(code);
  if (code.includes("bad")) throw new ExecutionError("RAISED", `SyntaxError in ${code}\nline 1`);
  return `made by ${code}`;
};

/** A loop of one iteration: build and carry out with fast retry, then judge. */
const building = (run: Run = python, maxRetries?: number) =>
  defineLoop({
    name: "building",
    version: 1,
    input: z.null(),
    state: z.object({
      code: z.string().nullable(),
      made: z.string().nullable(),
      failure: z.string().nullable(),
      retry_count: z.number(),
      errors: z.array(z.string()),
    }),
    initial: () => ({ code: null, made: null, failure: null, retry_count: -1, errors: [] }),
    start: "build",
    iteration: "build",
    phases: {
      build: {
        to: ["evaluate"],
        run: async (_state, ctx) => {
          const tried: FastRetryResult<string, string> = await fastRetry(ctx, {
            propose: async (scope, problem) =>
              codeOf((await scope.model("builder").call("ask", { prompt: promptFor(problem) })).text),
            execute: (scope, code) =>
              scope.workcell<FakeWorkcell>("bench", "base ").effect("run", {
                input: code,
                run: async (cell) => run(code, cell),
              }),
            ...(maxRetries !== undefined && { maxRetries }),
          });
          const { work, result, failure, retry_count, errors } = tried;
          return ctx.to("evaluate", {
            code: work ?? null,
            made: result ?? null,
            failure: failure ? failure.class : null,
            retry_count,
            errors,
          });
        },
      },
      evaluate: {
        to: [],
        run: (state, ctx) => {
          ctx.verdict(state.made ? pass(1, "it was made") : fail(0, `nothing was made (${state.failure})`));
          return state.made ? ctx.end("done") : ctx.end("stagnant");
        },
      },
    },
  });

function withBuilder(...answers: string[]) {
  const { models, prompts } = builder(...answers);
  const { bench, log, cells } = fakeBench();
  const ports = { models, workcells: { bench } };
  return { test: memoryEngine(ports), ports, prompts, log, cells };
}

describe("fast retry", () => {
  it("fixes a syntax error: the builder gets the error and proposes again, inside the same iteration", async () => {
    const { test, prompts } = withBuilder(fenced("bad 1"), fenced("good"));
    const { run, ...result } = await test.engine.start(building(), null);
    expect(result).toMatchObject({
      outcome: "done",
      iterations: 1,
      state: { code: "good", made: "made by good", failure: null, retry_count: 1, errors: ["E1 SyntaxError in bad 1"] },
    });
    expect(prompts).toEqual(["build it", "Your code failed:\nSyntaxError in bad 1\nline 1"]);
    expect((await test.record(run)).scores).toEqual([{ iteration: 1, score: 1 }]);
  });

  it("gives up after the maximum: four executions, three re-tries, and the evaluator still runs", async () => {
    const { test, prompts, log } = withBuilder(...[1, 2, 3, 4, 5].map((n) => fenced(`bad ${n}`)));
    const result = await test.engine.start(building(), null);
    expect(result).toMatchObject({
      outcome: "stagnant",
      iterations: 1,
      score: 0,
      reason: "nothing was made (E1)",
      state: { code: "bad 4", made: null, failure: "E1", retry_count: 3 },
    });
    expect(result.state.errors).toEqual([1, 2, 3, 4].map((n) => `E1 SyntaxError in bad ${n}`));
    expect(log.filter((word) => word.startsWith("write"))).toHaveLength(4);
    expect(prompts).toHaveLength(4);
    expect(MAX_RETRIES).toBe(3);
  });

  it("does not trigger on success: no re-try, no note", async () => {
    const { test, prompts } = withBuilder(fenced("good"));
    const { run, state } = await test.engine.start(building(), null);
    expect(state).toMatchObject({ retry_count: 0, errors: [], made: "made by good" });
    expect(prompts).toEqual(["build it"]);
    expect(await test.types(run)).not.toContain("loop-noted");
    expect((await test.record(run)).retries).toBe(0);
  });

  it.each([
    [0, 0, 0],
    [1, 1, 1],
    [3, 3, 3],
    [4, 3, 4],
  ])("the count is recorded: %i failures are %i re-tries and %i lines", async (failures, retries, lines) => {
    const answers = Array.from({ length: 5 }, (_, n) => fenced(n < failures ? `bad ${n}` : "good"));
    const { test } = withBuilder(...answers);
    const { run, state } = await test.engine.start(building(), null);
    expect(state.retry_count).toBe(retries);
    expect(state.errors).toHaveLength(lines);
    expect((await test.record(run)).retries).toBe(retries);
    const noted = (await test.chain(run)).filter((event) => event.type === "loop-noted");
    expect(noted.map(({ name, data }) => ({ name, data }))).toEqual(
      failures === 0 ? [] : [{ name: "fast-retry", data: { retry_count: retries, errors: state.errors } }],
    );
  });

  it("reminds of the format on an E2, and never executes prose", async () => {
    const { test, prompts, log } = withBuilder("Sure! Here is what I would do.", fenced("good"));
    const { state } = await test.engine.start(building(), null);
    expect(state).toMatchObject({ retry_count: 1, errors: ["E2 no fenced code"], made: "made by good", failure: null });
    expect(prompts).toEqual(["build it", "Return only fenced code."]);
    expect(log.filter((word) => word.startsWith("write"))).toHaveLength(1);
  });

  it("has no work at all where no answer had a usable form", async () => {
    const { test, log } = withBuilder("a", "b", "c", "d");
    const { state } = await test.engine.start(building(), null);
    expect(state).toMatchObject({ code: null, made: null, failure: "E2", retry_count: 3 });
    expect(log).toEqual([]);
  });

  it("counts E1 and E2 together, and gives the class of the last", async () => {
    const { test } = withBuilder(fenced("bad 1"), "prose", fenced("bad 2"), "more prose");
    const { state } = await test.engine.start(building(), null);
    expect(state).toMatchObject({ failure: "E2", retry_count: 3, code: "bad 2" });
    expect(state.errors.map((line) => line.slice(0, 2))).toEqual(["E1", "E2", "E1", "E2"]);
  });

  it("starts every try from the snapshot: half-run code is never applied twice", async () => {
    const { test, cells } = withBuilder(fenced("bad 1"), fenced("bad 2"), fenced("good"));
    const seen: string[] = [];
    const loop = building((code, cell) => {
      seen.push(cell.text);
      return python(code, cell);
    });
    await test.engine.start(loop, null);
    expect(seen).toEqual(["base ", "base ", "base "]);
    expect(cells[0]!.text).toBe("base good");
  });

  it("can be set to fewer re-tries, or none", async () => {
    for (const most of [0, 1]) {
      const { test, prompts } = withBuilder(fenced("bad 1"), fenced("bad 2"), fenced("good"));
      const { state } = await test.engine.start(building(python, most), null);
      expect(state).toMatchObject({ failure: "E1", retry_count: most });
      expect(prompts).toHaveLength(most + 1);
    }
  });

  it("does not re-try an E0: it goes up, and the builder is not asked again", async () => {
    const { models, prompts } = builder(fenced("good"));
    const down: Model = { ...models(), call: () => Promise.reject(new InfrastructureError("DOWN", "no endpoint")) };
    const test = memoryEngine({ models: () => down });
    expect(await test.engine.start(building(), null)).toMatchObject({ outcome: "failed", reason: "no endpoint" });
    expect(prompts).toEqual([]);
    expect(await test.types(await runOf(test))).not.toContain("loop-noted");
  });

  it.each([
    ["a bug", new TypeError("a bug")],
    ["wrong words", new UsageError("WRONG", "wrong words")],
  ])("lets %s go up unchanged", async (_what, error) => {
    const { test, prompts } = withBuilder(fenced("good"), fenced("good"));
    const loop = building(() => {
      throw error;
    });
    await expect(test.engine.start(loop, null)).rejects.toThrow(error.message);
    expect(prompts).toHaveLength(1);
  });

  it("lets a halt go up: a re-try that would pass a ceiling stops the run, and a raise goes on with it", async () => {
    const { test, prompts } = withBuilder(fenced("bad 1"), fenced("bad 2"), fenced("good"));
    const { run, outcome } = await test.engine.start(building(), null, { ceilings: { tokens: 20 } });
    expect(outcome).toBe("ceiling");
    expect(prompts).toHaveLength(2);
    const { state } = await test.engine.resume(building(), run, { ceilings: { tokens: 100 } });
    expect(state).toMatchObject({ made: "made by good", retry_count: 2 });
    expect(prompts).toHaveLength(3);
  });

  it("L2: killed at any of its commits, comes to the same result, and no recorded try is made again", async () => {
    const { points, end } = await killAtEveryCommit({
      loop: building(),
      input: null,
      world: () => {
        const scripted = scriptedModels({ "": [fenced("bad 1"), "prose", fenced("bad 2"), fenced("good")] });
        return { scripted, ports: { models: scripted.models, workcells: { bench: fakeBench().bench } } };
      },
      observe: ({ scripted: { sent } }) => new Set(sent.map(({ key }) => key)).size,
      between: ({ scripted }, test) => scripted.sentOnce(test),
    });
    expect(end).toMatchObject({ outcome: "done", state: { made: "made by good", retry_count: 3 }, seen: 4 });
    console.log(`kill points tried: ${points}`);
  });

  it("leaves no trace of its re-tries in the state but their number and one line for each", async () => {
    const { test } = withBuilder(fenced("bad secret detail"), fenced("good"));
    const { state } = await test.engine.start(building(), null);
    const { errors, ...rest } = state;
    expect(JSON.stringify(rest)).not.toContain("secret");
    expect(errors).toEqual(["E1 SyntaxError in bad secret detail"]);
  });

  it("may be used twice in one visit where each has a scope of its own", async () => {
    const { engine } = memoryEngine();
    const propose = vi.fn(async (scope: { effect: (key: string, spec: { run: () => string }) => Promise<string> }) =>
      scope.effect("ask", { run: () => "code" }),
    );
    const loop = defineLoop({
      name: "twice",
      version: 1,
      input: z.null(),
      state: z.object({ results: z.array(z.any()) }),
      initial: () => ({ results: [] }),
      start: "build",
      iteration: "build",
      phases: {
        build: {
          to: [],
          run: async (_state, ctx) => {
            const spec = { propose, execute: async (_scope: unknown, work: string) => `${work} ran` };
            const { a, b } = await ctx.all({ a: (side) => fastRetry(side, spec), b: (side) => fastRetry(side, spec) });
            return ctx.end("superseded", { patch: { results: [a.result as Json, b.result as Json] } });
          },
        },
      },
    });
    expect((await engine.start(loop, null)).state.results).toEqual(["code ran", "code ran"]);
    expect(propose).toHaveBeenCalledTimes(2);
  });
});
