// A loop that rounds out a hull, with pictures, texts, findings and a re-try: what a report is full of.

import {
  append,
  type Context,
  defineLoop,
  ExecutionError,
  type Finding,
  fail,
  fastRetry,
  passIf,
} from "@loopwright/core";
import type { SimulatedClock } from "@loopwright/core/testing";
import { encode } from "fast-png";
import { z } from "zod";

const pictures = new Map<string, Uint8Array>();

/** A gray hull on nothing, seen from the side or from the front, as a PNG with alpha. */
export function hullPicture(fullness: number, view: "side" | "front", size = 160): Uint8Array {
  const key = `${fullness} ${view} ${size}`;
  const picture = pictures.get(key) ?? drawHull(fullness, view, size);
  pictures.set(key, picture);
  return picture;
}

function drawHull(fullness: number, view: "side" | "front", size: number): Uint8Array {
  const data = new Uint8Array(size * size * 2);
  for (let row = 0; row < size; row++) {
    for (let column = 0; column < size; column++) {
      const [x, y] = [(column / size) * 2 - 1, (row / size) * 2 - 1];
      const half = view === "side" ? 0.9 : 0.32 + 0.3 * fullness;
      const sheer = view === "side" ? -0.12 - 0.22 * x * x * fullness : -0.2;
      const depth = 0.42 * (0.5 + fullness / 2) * Math.max(0, 1 - (Math.abs(x) / half) ** (2 + 3 * fullness));
      const isInside = Math.abs(x) < half && y > sheer && y < depth;
      data.set([isInside ? 95 + 110 * (1 - (y + 0.4) / 0.9) : 0, isInside ? 255 : 0], (row * size + column) * 2);
    }
  }
  return encode({ width: size, height: size, data, channels: 2, depth: 8 });
}

const BoatState = z.object({ fullness: z.number(), log: z.array(z.string()) });
type BoatContext = Context<{ task: string; reach: number }, z.output<typeof BoatState>>;

/** A loop that rounds out a hull: pictures, a plan, code and feedback in every iteration, and a re-try in the third. */
export function boatLoop(clock: SimulatedClock) {
  const draw = async (ctx: BoatContext, fullness: number) => {
    await ctx.save("renders/side.png", hullPicture(fullness, "side"));
    await ctx.save("renders/front.png", hullPicture(fullness, "front"));
  };
  const execute = async (ctx: BoatContext, width: number) =>
    ctx.effect("carry-out", {
      input: { width },
      run: (effect) => {
        clock.advance(2_300);
        effect.charge({ tokens: 1_850, usd: 0.013 });
        if (width > 90) throw new ExecutionError("RANGE", `beam ${width} is out of range: at most 90`);
        return width;
      },
    });
  return defineLoop({
    name: "boat",
    version: 1,
    input: z.object({ task: z.string(), reach: z.number() }),
    state: BoatState,
    initial: () => ({ fullness: 0.12, log: [] }),
    start: "setup",
    iteration: "build",
    phases: {
      setup: {
        to: ["build"],
        run: async (state, ctx) => {
          clock.advance(800);
          await ctx.save("references/side.png", hullPicture(0.95, "side"), "run");
          await draw(ctx, state.fullness);
          ctx.verdict(fail(0.41, "the hull it starts from agrees with 41 % of the references"));
          return ctx.to("build");
        },
      },
      build: {
        to: ["judge"],
        run: async (state, ctx) => {
          const fullness = state.fullness + (1 - state.fullness) * (ctx.iteration === 4 ? 0.05 : 0.4);
          const beam = Math.round(300 * fullness) / 100;
          const { result } = await fastRetry(ctx, {
            propose: async (_, problem) => (ctx.iteration === 3 && !problem ? 300 : Math.round(fullness * 80)),
            execute,
          });
          const lines = [
            `length = 9.4`,
            `beam = ${beam}`,
            `draft = ${(0.6 + fullness / 3).toFixed(2)}`,
            `width = ${result}`,
          ];
          await ctx.save(
            "plan.txt",
            `Iteration ${ctx.iteration}: widen the hull.\nThe beam goes to ${beam} m, the bilge is rounded.\n`,
          );
          await ctx.save(
            "code.py",
            `# a hull from named parameters\n${lines.join("\n")}\n\nloft(length, beam, draft)\n`,
          );
          await draw(ctx, fullness);
          return ctx.to("judge", { fullness, log: append(`beam ${beam}`) });
        },
      },
      judge: {
        to: ["build"],
        run: async (state, ctx) => {
          clock.advance(650);
          const score = Math.round((0.35 + 0.63 * state.fullness - (ctx.iteration === 5 ? 0.06 : 0)) * 1000) / 1000;
          const findings: Finding[] = [
            {
              code: "SHAPE_MISMATCH_SIDE",
              severity: "soft",
              priority: 2,
              message: `the side view is ${Math.round((1 - state.fullness) * 30)} % too shallow amidships`,
              fix: "lower the keel amidships by about 0.12 m",
            },
            { code: "PROPORTION_BEAM", severity: "hard", priority: 1, message: "the beam is too small for its length" },
          ];
          await ctx.save(
            "feedback.json",
            JSON.stringify({ overall_score: score, is_complete: score >= ctx.input.reach }),
          );
          const isGood = score >= ctx.input.reach;
          ctx.verdict(passIf(isGood, score, `the views agree to ${Math.round(score * 100)} %`, isGood ? [] : findings));
          return isGood ? ctx.end("done") : ctx.to("build");
        },
      },
    },
    finish: async (state, { outcome }, ctx) => {
      await ctx.save("final.glb", new Uint8Array(48_200).fill(7));
      await ctx.save("final_score.json", `${JSON.stringify({ status: outcome, fullness: state.fullness }, null, 2)}\n`);
    },
  });
}
