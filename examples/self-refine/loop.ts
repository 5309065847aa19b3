// Self-refine: one role writes, another judges, and the faults it found go back to the first, until the judge passes it.
// Any model will do, such as one of LM Studio's:
//   loopwright run self-refine --dir examples/self-refine --input @examples/self-refine/task.json --model lmstudio:NAME
// Without any, what one has answered once is replayed:
//   loopwright run self-refine --dir examples/self-refine --input @examples/self-refine/task.json --model lmstudio:desk --cassette examples/self-refine/cassette.json --cassette-mode replay

import { fence, obtainObject, obtainText } from "@loopwright/models";
import { defineLoop, passIf } from "loopwright";
import { z } from "zod";

const Judgment = z.object({
  score: z.number().min(0).max(1).describe("how much of the task is done; 1 where all of it is"),
  faults: z
    .array(z.string())
    .describe("what the task asks for and the text does not do, most important first; not matters of taste"),
});

export default defineLoop({
  name: "self-refine",
  version: 1,
  input: z.object({ task: z.string() }),
  state: z.object({ text: z.string(), faults: z.array(z.string()) }),
  initial: () => ({ text: "", faults: [] }),
  start: "write",
  iteration: "write",
  ceilings: { iterations: 6 },
  phases: {
    write: {
      to: ["judge"],
      run: async ({ text, faults }, ctx) => {
        const before =
          text &&
          `\n\n${fence(text, "your last text")}\n\nFix these faults, and keep what is good:\n- ${faults.join("\n- ")}`;
        const prompt = `Write the text that this task asks for, and nothing else.\n\nTask: ${ctx.input.task}${before}`;
        const written = await obtainText(ctx, "write", { role: "writer", prompt });
        await ctx.save("text.md", `${written.trim()}\n`);
        return ctx.to("judge", { text: written.trim() });
      },
    },
    judge: {
      to: ["write"],
      run: async ({ text }, ctx) => {
        const prompt = `Judge strictly whether the text does what the task asks, every part of it.\n\nTask: ${ctx.input.task}\n\n${fence(text, "the text to judge")}`;
        const { score, faults } = await obtainObject(ctx, "judge", Judgment, { role: "judge", prompt });
        const verdict = ctx.verdict(passIf(faults.length === 0, score, faults[0] ?? "the judge finds no fault"));
        return verdict.verdict === "pass" ? ctx.end("done") : ctx.to("write", { faults });
      },
    },
  },
});
