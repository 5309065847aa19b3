// A whole loop: guess, judge, guess again. Run it with: node examples/01-minimal.ts
import { defineLoop, fail, openProject, pass } from "loopwright";
import { z } from "zod";

const guess = defineLoop({
  name: "guess",
  version: 1,
  input: z.object({ target: z.number() }),
  state: z.object({ low: z.number(), high: z.number(), guess: z.number() }),
  initial: () => ({ low: 0, high: 100, guess: 0 }),
  start: "propose",
  iteration: "propose",
  phases: {
    propose: { to: ["judge"], run: ({ low, high }, ctx) => ctx.to("judge", { guess: Math.round((low + high) / 2) }) },
    judge: {
      to: ["propose"],
      run: ({ guess }, { input, verdict, to, end }) => {
        const score = 1 - Math.abs(guess - input.target) / 100;
        if (verdict(score === 1 ? pass(1, `${guess} it is`) : fail(score, `not ${guess}`)).verdict === "pass")
          return end("done");
        return to("propose", guess < input.target ? { low: guess } : { high: guess });
      },
    },
  },
});
const project = await openProject();
console.log(await project.start(guess, { target: 37 }));
await project.close();
