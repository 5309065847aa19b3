// The runs that are killed. Together they have effects side by side, a failed effect, artifacts, gates, child runs,
// fast retry in a workcell that dies, a ceiling that is raised, and an ending that asks a person.

import { appendFileSync, linkSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  append,
  type Context,
  defineLoop,
  type EffectContext,
  ExecutionError,
  fail,
  fastRetry,
  InfrastructureError,
  type Loop,
  pass,
  type Workcell,
} from "loopwright";
import { z } from "zod";

/** The world outside: a sink that honors the idempotency key, a log of every call, and things that happen once. */
export interface Outside {
  sink(effect: EffectContext, what: string): void;
  /** True for the first effect that asks, and whenever that one asks again. */
  strikes(effect: EffectContext, name: string): boolean;
}

/** An outside that is kept in a folder. */
export function outsideIn(dir: string): Outside {
  // Whole or not at all, and by the first who comes: the process may be killed in between.
  const create = (name: string, content: string) => {
    const draft = join(dir, `draft-${process.pid}-${name}`);
    writeFileSync(draft, content);
    try {
      linkSync(draft, join(dir, name));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    } finally {
      rmSync(draft);
    }
  };
  return {
    sink(effect, what) {
      const { idempotencyKey: key, mayHaveRun, tries } = effect;
      appendFileSync(join(dir, "calls.log"), `${JSON.stringify({ key, mayHaveRun, tries, what })}\n`);
      create(`sink-${key}`, what);
    },
    strikes(effect, name) {
      create(`strike-${name}`, effect.idempotencyKey);
      return readFileSync(join(dir, `strike-${name}`), "utf8") === effect.idempotencyKey;
    },
  };
}

export interface Scenario {
  loop: Loop<{ size: number }, unknown>;
  /** What a person says to each gate, by name. */
  answers: Record<string, string>;
  size: number;
  /** What a ceiling is raised to when it ends the run. */
  raiseTo?: number;
}

const input = z.object({ size: z.number() });
const text = (seed: number, length: number) => `${seed} `.repeat(Math.ceil(length / 2)).slice(0, length);

export function scenarios(outside: Outside): Record<string, Scenario> {
  return {
    effects: { loop: effectsLoop(outside), size: 3, answers: {} },
    gates: { loop: gatesLoop(outside), size: 3, answers: { keep: "yes", publish: "yes", "after-ceiling": "go-on" } },
    children: { loop: parentLoop(outside), size: 2, answers: { "child-ok": "yes" } },
    retries: { loop: retryLoop(outside), size: 3, answers: {} },
    ceiling: { loop: ceilingLoop(outside), size: 3, answers: {}, raiseTo: 5 },
  };
}

function effectsLoop({ sink }: Outside) {
  return defineLoop({
    name: "effects",
    version: 1,
    input,
    state: z.object({
      draft: z.string(),
      history: z.array(z.object({ score: z.number(), text: z.string() })),
      luck: z.number(),
    }),
    initial: () => ({ draft: "", history: [], luck: 0 }),
    start: "prepare",
    iteration: "build",
    phases: {
      prepare: {
        to: ["build"],
        run: async (_state, ctx) => {
          await ctx.save("config.json", JSON.stringify(ctx.input));
          return ctx.to("build");
        },
      },
      build: {
        to: ["judge"],
        run: async (_state, ctx) => {
          const luck = ctx.random("luck")();
          const draft = await ctx.effect("write", {
            input: { iteration: ctx.iteration, luck },
            run: async (effect) => {
              sink(effect, `write ${ctx.iteration} ${luck}`);
              await effect.save("draft.txt", text(ctx.iteration, 3000));
              return text(ctx.iteration, 2000);
            },
          });
          return ctx.to("judge", { draft, luck });
        },
      },
      judge: {
        to: ["build"],
        run: async (state, ctx) => {
          const views = ["front", "side", "top"].map((view) => [view, render(view, sink)] as const);
          await ctx.all(Object.fromEntries(views), { limit: 2 });
          const flaky = await ctx
            .effect("flaky", {
              run: (effect) => {
                sink(effect, `flaky ${ctx.iteration}`);
                throw new ExecutionError("FLAKY", "it raised");
              },
            })
            .catch((error: ExecutionError) => error.code);
          const score = ctx.iteration / ctx.input.size;
          const entry = append({ score, text: `${flaky} ${state.draft.slice(0, 1500)}` });
          await ctx.tell("judged", { iteration: ctx.iteration, at: ctx.clock.now() > 0 });
          ctx.verdict(score >= 1 ? pass(1, "big enough") : fail(score, "too small"));
          return score >= 1 ? ctx.end("done", { patch: { history: entry } }) : ctx.to("build", { history: entry });
        },
      },
    },
    finish: async (state, ending, ctx) => {
      await ctx.save("final.txt", `${ending.outcome} ${state.draft}`);
    },
  });
}

function render(view: string, sink: Outside["sink"]) {
  return (ctx: Context<{ size: number }, unknown>) =>
    ctx.effect("render", {
      input: view,
      run: async (effect) => {
        await new Promise((resolve) => setImmediate(resolve));
        sink(effect, `render ${view} ${ctx.iteration}`);
        await effect.save(`renders/${view}.png`, `${view} ${ctx.iteration}`);
        effect.charge({ tokens: 10 });
        return { view, iteration: ctx.iteration };
      },
    });
}

function gatesLoop({ sink }: Outside) {
  return defineLoop({
    name: "gates",
    version: 1,
    input,
    state: z.object({ kept: z.array(z.string()), asked: z.number() }),
    initial: () => ({ kept: [], asked: 0 }),
    start: "propose",
    iteration: "propose",
    phases: {
      propose: {
        to: ["escalate"],
        run: async (state, ctx) => {
          const made = await ctx.effect("make", {
            run: (effect) => {
              sink(effect, `make ${ctx.iteration}`);
              return text(ctx.iteration, 1200);
            },
          });
          const keep = await ctx.ask({
            name: "keep",
            question: "Keep it?",
            choices: ["yes", "no"],
            default: "no",
            about: made,
          });
          await ctx.effect("after", {
            input: keep.choice,
            run: (effect) => sink(effect, `after ${ctx.iteration} ${keep.choice}`),
          });
          return ctx.to("escalate", { kept: append(`${keep.choice} ${made.length}`), asked: state.asked + 1 });
        },
      },
      escalate: {
        to: ["publish", "propose"],
        run: (state, ctx) =>
          state.asked < ctx.input.size
            ? ctx.to("propose")
            : ctx.end("escalated", {
                reason: "a person must look",
                gate: {
                  name: "after-ceiling",
                  question: "Go on?",
                  choices: { "go-on": "publish" as const, stay: null },
                  default: "stay",
                },
              }),
      },
      publish: {
        to: [],
        run: async (_state, ctx) => {
          const yes = await ctx.ask({
            name: "publish",
            question: "Publish?",
            choices: ["yes", "no"],
            default: "no",
            accepting: ["yes"],
          });
          return ctx.end(yes.choice === "yes" ? "done" : "declined", { reason: `a person said ${yes.choice}` });
        },
      },
    },
  });
}

function childLoop({ sink }: Outside) {
  return defineLoop({
    name: "child",
    version: 1,
    input: z.object({ name: z.string(), rounds: z.number() }),
    state: z.object({ sum: z.number() }),
    initial: () => ({ sum: 0 }),
    start: "work",
    iteration: "work",
    phases: {
      work: {
        to: ["ask", "work"],
        run: async (state, ctx) => {
          const more = await ctx.effect("add", {
            run: (effect) => {
              sink(effect, `${ctx.input.name} add ${ctx.iteration}`);
              effect.charge({ tokens: 5 });
              return ctx.iteration;
            },
          });
          return ctx.to(ctx.iteration < ctx.input.rounds ? "work" : "ask", { sum: state.sum + more });
        },
      },
      ask: {
        to: [],
        run: async (_state, ctx) => {
          if (ctx.input.name === "asks") {
            await ctx.ask({
              name: "child-ok",
              question: "Is the child's work good?",
              choices: ["yes", "no"],
              default: "no",
            });
          }
          ctx.verdict(pass(1, "summed"));
          return ctx.end("done");
        },
      },
    },
  });
}

function parentLoop(outside: Outside) {
  const child = childLoop(outside);
  return defineLoop({
    name: "parent",
    version: 1,
    input,
    state: z.object({ sums: z.array(z.number()) }),
    initial: () => ({ sums: [] }),
    start: "spread",
    iteration: "spread",
    phases: {
      spread: {
        to: ["collect"],
        spawns: ["child"],
        run: async (_state, ctx) => {
          const both = await ctx.all({
            left: (scope) => scope.spawn("try", child, { name: "left", rounds: 2 }, { attempt: 2 * ctx.iteration }),
            right: (scope) =>
              scope.spawn("try", child, { name: "right", rounds: 3 }, { attempt: 2 * ctx.iteration + 1 }),
          });
          return ctx.to("collect", { sums: append(both.left.state.sum, both.right.state.sum) });
        },
      },
      collect: {
        to: ["spread"],
        spawns: ["child"],
        run: async (_state, ctx) => {
          const asked = await ctx.spawn("ask", child, { name: "asks", rounds: 1 });
          ctx.verdict(ctx.iteration < ctx.input.size ? fail(0.5, "once more") : pass(1, "enough"));
          const patch = { sums: append(asked.state.sum) };
          return ctx.iteration < ctx.input.size ? ctx.to("spread", patch) : ctx.end("done", { patch });
        },
      },
    },
  });
}

/** A workcell that dies on the first execution in every process, and remembers only what it was told. */
export class FakeCell implements Workcell {
  at: string | undefined;

  constructor(at: string | undefined) {
    this.at = at;
  }

  async check(): Promise<void> {}

  async snapshot(): Promise<string> {
    return this.at ?? "fresh";
  }

  async restore(snapshot: string): Promise<void> {
    this.at = snapshot;
  }

  async stop(): Promise<void> {}
}

function retryLoop({ sink, strikes }: Outside) {
  return defineLoop({
    name: "retries",
    version: 1,
    input,
    state: z.object({ results: z.array(z.string()), snapshot: z.string() }),
    initial: () => ({ results: [], snapshot: "base" }),
    start: "build",
    iteration: "build",
    phases: {
      build: {
        to: ["build"],
        run: async (state, ctx) => {
          const done = await fastRetry(ctx, {
            propose: (scope, problem) =>
              scope.effect("propose", {
                input: problem ?? null,
                run: (effect) => {
                  sink(effect, `propose ${ctx.iteration} ${problem?.class ?? "first"}`);
                  return `code for ${problem?.message ?? "nothing"}`;
                },
              }),
            execute: (scope, work) =>
              scope.workcell<FakeCell>("fake", state.snapshot).effect("run", {
                input: work,
                run: async (cell, effect) => {
                  sink(effect, `execute ${ctx.iteration} ${work} at ${cell.at}`);
                  cell.at = undefined;
                  if (ctx.iteration === 2 && strikes(effect, "cell-dies")) {
                    throw new InfrastructureError("CELL_GONE", "the workcell is gone");
                  }
                  if (work.includes("nothing")) throw new ExecutionError("RAISED", "line 1: boom");
                  return `ran ${work}`;
                },
              }),
          });
          const results = append(`${done.result} after ${done.retry_count}`);
          if (ctx.iteration < ctx.input.size) return ctx.to("build", { results });
          ctx.verdict(pass(1, "all built"));
          return ctx.end("done", { patch: { results } });
        },
      },
    },
  });
}

function ceilingLoop({ sink }: Outside) {
  return defineLoop({
    name: "ceiling",
    version: 1,
    input,
    state: z.object({ steps: z.array(z.number()) }),
    initial: () => ({ steps: [] }),
    ceilings: { iterations: 2 },
    start: "step",
    iteration: "step",
    phases: {
      step: {
        to: ["look"],
        run: async (_state, ctx) => {
          await ctx.effect("step", { run: (effect) => sink(effect, `step ${ctx.iteration}`) });
          return ctx.to("look", { steps: append(ctx.iteration) });
        },
      },
      look: {
        to: ["step"],
        run: (_state, ctx) => {
          if (ctx.iteration < ctx.input.size) return ctx.to("step");
          ctx.verdict(pass(1, "there"));
          return ctx.end("done");
        },
      },
    },
    finish: async (state, ending, ctx) => {
      await ctx.save("last.json", JSON.stringify({ ...state, outcome: ending.outcome }));
    },
  });
}
