// Attempts: several tries at one input, side by side, each a run of its own with its own folder, and one budget over all. Then
// they are compared, and one of them is taken.
//
//   race → compare → done, or a person

import { z } from "zod";
import type { ChildResult, Context } from "./context.ts";
import { defineLoop, type Loop } from "./define.ts";
import { fail, pass } from "./outcomes.ts";
import type { Json } from "./record/json.ts";
import { append } from "./record/patch.ts";

/** How the attempts of a loop compete; without a word of its own the best score wins, then the fewest iterations. */
export interface AttemptsSpec<Input = never, State = never> {
  /** Done once before the first attempt begins. */
  begin?: (ctx: AttemptsContext) => Promise<void>;
  /** What an attempt is given in place of the input. */
  vary?: (input: Input, attempt: number) => unknown;
  /** Whether those that have ended settle it: the others cannot win any more, and are cancelled. */
  isSettled?: (ended: readonly Attempt<State>[], of: number) => boolean;
  compare?: (ctx: AttemptsContext, ended: readonly Attempt<State>[]) => Comparison | Promise<Comparison>;
  /** Makes the one that was chosen, or is the closest, the result; what is to be said of that. */
  take?: (ctx: AttemptsContext, chosen: Attempt<State>) => Promise<string | undefined>;
}

/** An attempt that has ended. */
export interface Attempt<State> extends ChildResult<State> {
  attempt: number;
}

/** What comparing attempts came to. */
export interface Comparison {
  /** Those that can be taken, the best first. */
  ranking: readonly number[];
  /** Why the first of them is the best. */
  reason: string;
  /** What there is to say of each, for the table: its columns are those of the first row. */
  rows: readonly Readonly<Record<string, string | number>>[];
  /** The one to look at where none can be taken. */
  closest?: number;
  /** Where they differ and nothing tells which is right: what to ask a person, and which of them can be the answer. */
  question?: { text: string; attempts: readonly number[] };
}

const Ended = z.object({
  attempt: z.number().int(),
  run: z.string(),
  outcome: z.string(),
  reason: z.string(),
  iterations: z.number(),
  score: z.number().nullable(),
  state: z.json(),
});

const AttemptsInput = z.object({
  attempts: z.number().int().min(2),
  iterations: z.number().optional(),
  input: z.json(),
});
const AttemptsState = z.object({ ended: z.array(Ended) });

export type AttemptsContext = Context<z.output<typeof AttemptsInput>, z.output<typeof AttemptsState>>;

/** How many run at once on one machine: each may start programs of its own. */
const AT_ONCE = 2;

/** The loop that lets a loop's attempts compete; its runs are named after it. */
export function attemptsOf(loop: Loop, given: AttemptsSpec = {}) {
  const spec = given as unknown as AttemptsSpec<Json, Json>;

  async function race(state: z.output<typeof AttemptsState>, ctx: AttemptsContext) {
    const { attempts: of, iterations, input } = ctx.input;
    const settled = new AbortController();
    const ended: Attempt<Json>[] = [];
    if (state.ended.length === 0) await spec.begin?.(ctx);
    const bodies = Array.from({ length: of }, (_, at) => state.ended.length + at + 1).map((attempt) => {
      const run = async (side: AttemptsContext) => {
        const varied = (spec.vary?.(input as Json, attempt) ?? input) as never;
        const ceilings = iterations === undefined ? {} : { iterations };
        const how = { attempt, ceilings, cancel: settled.signal };
        const result = await side.spawn("run", loop as Loop<never, Json>, varied, how);
        ended.push({ attempt, ...result });
        if (spec.isSettled?.(ended, of)) settled.abort();
        return { attempt, ...result };
      };
      return [`attempt-${attempt}`, run] as const;
    });
    const all = await ctx.all(Object.fromEntries(bodies), { limit: AT_ONCE });
    return ctx.to("compare", { ended: append(...(Object.values(all) as z.output<typeof Ended>[])) });
  }

  async function compare({ ended }: z.output<typeof AttemptsState>, ctx: AttemptsContext) {
    const all = ended as unknown as Attempt<Json>[];
    const compared = await (spec.compare ?? byScore)(ctx, all);
    const { ranking, closest, rows, reason, question } = compared;
    await ctx.tell("attempts-compared", { rows, reason } as unknown as Json);
    await ctx.save("attempts.md", `# Attempts\n\n${tableOf(rows)}\n${reason}\n`, "run");
    const of = (attempt: number | undefined) => all.find((each) => each.attempt === attempt);
    const best = of(ranking[0]);
    if (!best) {
      const near = of(closest);
      ctx.verdict(fail(near?.score ?? 0, reason));
      if (near) await spec.take?.(ctx, near);
      return escalated(ctx, reason);
    }
    ctx.verdict(pass(best.score ?? 1, reason));
    let chosen = best;
    if (question) {
      const { choice } = await ctx.ask({
        name: "attempt",
        question: question.text,
        choices: [...question.attempts.map(String), "none"],
        default: "none",
        accepting: question.attempts.map(String),
      });
      if (choice === "none") return escalated(ctx, "a person took none of the attempts");
      chosen = of(Number(choice))!;
    }
    const taken = await spec.take?.(ctx, chosen);
    return ctx.end("done", {
      reason: [`attempt ${chosen.attempt} of ${all.length}: ${reason}`, taken].filter(Boolean).join("; "),
    });
  }

  function escalated(ctx: AttemptsContext, reason: string) {
    const gate = {
      name: "attempts",
      question: `${reason}. Make as many attempts again?`,
      choices: { again: "race", stay: null },
      default: "stay",
    } as const;
    return ctx.end("escalated", { reason, gate });
  }

  return defineLoop({
    name: `${loop.name}-attempts`,
    version: loop.version,
    input: AttemptsInput,
    state: AttemptsState,
    initial: () => ({ ended: [] }),
    start: "race",
    iteration: "race",
    phases: {
      race: { run: race, to: ["compare"], spawns: [loop.name] },
      compare: { run: compare, to: ["race"] },
    },
  });
}

/** Those that are done, the best score first, then the fewest iterations. */
function byScore(_: AttemptsContext, ended: readonly Attempt<Json>[]): Comparison {
  const worth = ended.filter(({ outcome }) => outcome === "done");
  const sorted = worth.toSorted((a, b) => (b.score ?? 0) - (a.score ?? 0) || a.iterations - b.iterations);
  const rows = ended.map(({ attempt, outcome, score, iterations }) => ({
    ...{ attempt, outcome, score: score ?? "–", iterations },
  }));
  const best = sorted[0];
  return {
    ranking: sorted.map(({ attempt }) => attempt),
    rows,
    reason: best
      ? `its score is the best of ${worth.length} that are done`
      : `none of ${ended.length} attempts is done`,
  };
}

function tableOf(rows: Comparison["rows"]): string {
  const columns = Object.keys(rows[0] ?? {});
  const line = (cells: readonly (string | number)[]) =>
    `| ${cells.map((cell) => String(cell).replaceAll("|", "\\|")).join(" | ")} |\n`;
  return (
    line(columns) +
    line(columns.map(() => "---")) +
    rows.map((row) => line(columns.map((name) => row[name] ?? ""))).join("")
  );
}
