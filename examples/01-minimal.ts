// A whole loop: improve, judge, and again until it passes. Run it with: npx node examples/01-minimal.ts
import { defineLoop, openProject, passIf } from "loopwright";
import { z } from "zod";

const judge = (off: number) => passIf(off < 1e-9, 1 / (1 + off), `its square is off by ${off}`);
const squareRoot = defineLoop({
  name: "square-root",
  version: 1,
  input: z.number(),
  state: z.object({ guess: z.number() }),
  initial: () => ({ guess: 1 }),
  start: "improve",
  iteration: "improve",
  phases: {
    improve: { to: ["judge"], run: (s, ctx) => ctx.to("judge", { guess: (s.guess + ctx.input / s.guess) / 2 }) },
    judge: {
      to: ["improve"],
      run: (s, { input, verdict, to, end }) =>
        verdict(judge(Math.abs(s.guess ** 2 - input))).verdict === "pass" ? end("done") : to("improve"),
    },
  },
});
await using project = await openProject();
console.log(await project.start(squareRoot, 2));
