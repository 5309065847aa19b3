// Small real runs for the report: each is run on an engine in memory, and gives what its page is made from.

import { append, defineLoop, fail, InfrastructureError, pass, passIf } from "@loopwright/core";
import { memoryEngine, type TestEngine } from "@loopwright/core/testing";
import { z } from "zod";
import { nextSteps, type ReportSource } from "../../packages/loopwright/src/report/index.ts";
import { boatLoop } from "./boat-loop.ts";

/** What the page of a run is made from. */
export async function sourceOf({ engine, chain }: TestEngine, run: string): Promise<ReportSource> {
  const record = await engine.record(run);
  const { input } = await engine.state(run);
  const load: ReportSource["load"] = (artifact) => engine.load(artifact);
  return { record, input, events: await chain(run), load, next: nextSteps(record) };
}

/** A run with pictures that passes. */
export async function boatRun(): Promise<ReportSource> {
  const made = memoryEngine();
  const { run } = await made.engine.start(
    boatLoop(made.clock),
    { task: "a dinghy of 9.4 m", reach: 0.93 },
    { seed: 7 },
  );
  return sourceOf(made, run);
}

/** The same, stopped by its ceiling of four iterations. */
export async function ceilingRun(): Promise<ReportSource> {
  const made = memoryEngine();
  const options = { seed: 7, ceilings: { iterations: 4 } };
  const { run } = await made.engine.start(boatLoop(made.clock), { task: "a dinghy of 9.4 m", reach: 0.99 }, options);
  return sourceOf(made, run);
}

const words = z.object({ texts: z.array(z.string()) });

/** A run that waits at a gate, after one answer was given. */
export async function waitingRun(): Promise<ReportSource> {
  const made = memoryEngine();
  const loop = defineLoop({
    name: "christen",
    version: 1,
    input: z.object({ boat: z.string() }),
    state: words,
    initial: () => ({ texts: [] }),
    start: "propose",
    iteration: "propose",
    phases: {
      propose: {
        to: ["approve"],
        run: async (state, ctx) => {
          const name = ["Heron", "Saltwind", "Lodestar"][state.texts.length]!;
          await ctx.save("name.txt", `She is called\n${name}\n`);
          return ctx.to("approve", { texts: append(name) });
        },
      },
      approve: {
        to: ["propose"],
        run: async (state, ctx) => {
          const { choice } = await ctx.ask({
            name: "approve",
            question: `Call the ${ctx.input.boat} '${state.texts.at(-1)}'?`,
            choices: ["yes", "no", "give up"],
            default: "give up",
            accepting: ["yes"],
            about: state.texts.at(-1)!,
            expiresIn: 7 * 24 * 3600,
          });
          ctx.verdict(passIf(choice === "yes", choice === "yes" ? 1 : 0.3, `a person said '${choice}'`));
          return choice === "no" ? ctx.to("propose") : ctx.end(choice === "yes" ? "done" : "declined");
        },
      },
    },
  });
  const { run } = await made.engine.start(loop, { boat: "dinghy" });
  made.clock.advance(90_000);
  await made.engine.answer(run, "no", "too many herons already");
  await made.engine.resume(loop, run);
  return sourceOf(made, run);
}

/** A run that failed in its second iteration, after its workcell was lost. */
export async function failedRun(): Promise<ReportSource> {
  const made = memoryEngine();
  const loop = defineLoop({
    name: "code",
    version: 3,
    input: z.null(),
    state: words,
    initial: () => ({ texts: [] }),
    start: "work",
    iteration: "work",
    phases: {
      work: {
        to: ["work"],
        run: async (_, ctx) => {
          await ctx.effect("endpoint", {
            run: () => {
              made.clock.advance(61_000);
              if (ctx.iteration > 1)
                throw new InfrastructureError("ENDPOINT_GONE", "the endpoint does not answer: 4 tries");
              return null;
            },
          });
          ctx.verdict(fail(0.25, "3 of 12 tests pass"));
          return ctx.to("work");
        },
      },
    },
  });
  const { run } = await made.engine.start(loop, null);
  return sourceOf(made, run);
}

/** A run of so many iterations, with a text in each. */
export async function longRun(iterations: number): Promise<ReportSource> {
  const made = memoryEngine();
  const loop = defineLoop({
    name: "climb",
    version: 1,
    input: z.object({ top: z.number() }),
    state: z.object({ height: z.number() }),
    initial: () => ({ height: 0 }),
    start: "step",
    iteration: "step",
    phases: {
      step: {
        to: ["judge"],
        run: async (state, ctx) => {
          made.clock.advance(40);
          await ctx.save("height.txt", `at ${state.height + 1}\nof ${ctx.input.top}\n`);
          return ctx.to("judge", { height: state.height + 1 });
        },
      },
      judge: {
        to: ["step"],
        run: (state, ctx) => {
          const wobble = Math.sin(ctx.iteration * 1.7) * 0.06;
          const isThere = state.height >= ctx.input.top;
          const score = isThere ? 1 : Math.max(0, Math.min(0.97, (state.height / ctx.input.top) ** 0.5 * 0.9 + wobble));
          ctx.verdict(
            isThere ? pass(1, "the top is reached") : fail(score, `only at ${state.height} of ${ctx.input.top} meters`),
          );
          return isThere ? ctx.end("done") : ctx.to("step");
        },
      },
    },
  });
  const { run } = await made.engine.start(loop, { top: iterations }, { ceilings: { iterations } });
  return sourceOf(made, run);
}

/** A run whose result is an SVG that would run and fetch something, were it more than a picture. */
export async function svgRun(): Promise<ReportSource> {
  const made = memoryEngine();
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="120" height="80" onload="document.title='owned'">
<script>parent.document.title = 'owned'; fetch('http://127.0.0.1:9/x')</script><image href="http://127.0.0.1:9/a.png" width="9" height="9"/>
<rect width="120" height="80" fill="#1d5ba8"/></svg>`;
  const loop = defineLoop({
    name: "draw",
    version: 1,
    input: z.object({ task: z.string() }),
    state: words,
    initial: () => ({ texts: [] }),
    start: "draw",
    iteration: "draw",
    phases: {
      draw: {
        to: [],
        run: async (_state, ctx) => {
          await ctx.save("drawing.svg", svg);
          ctx.verdict(pass(1, "it is blue"));
          return ctx.end("done");
        },
      },
    },
  });
  const { run } = await made.engine.start(loop, { task: "Draw something blue" });
  return sourceOf(made, run);
}
