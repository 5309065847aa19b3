// A loop that asks a person. It waits with no process alive, as long as it takes; the answer may come from anywhere.
// Run it with: npx node examples/02-gate.ts
import { append, defineLoop, openProject } from "loopwright";
import { z } from "zod";

const names = ["Meridian", "Heron", "Saltwind", "Lodestar"];

const christen = defineLoop({
  name: "christen",
  version: 1,
  input: z.object({ boat: z.string() }),
  state: z.object({ name: z.string(), refused: z.array(z.string()) }),
  initial: () => ({ name: "", refused: [] }),
  start: "propose",
  iteration: "propose",
  phases: {
    propose: {
      to: ["approve"],
      run: (state, ctx) => {
        const left = names.filter((name) => !state.refused.includes(name));
        const pick = Math.floor(ctx.random("name")() * left.length);
        return ctx.to("approve", { name: left[pick] ?? "Nameless" });
      },
    },
    approve: {
      to: ["propose"],
      run: async (state, ctx) => {
        const { choice } = await ctx.ask({
          name: "approve",
          question: `Call the ${ctx.input.boat} '${state.name}'?`,
          choices: ["yes", "no", "give up"],
          default: "give up",
          accepting: ["yes"],
          about: state.name,
        });
        if (choice === "yes") return ctx.end("done", { reason: `she is called ${state.name}` });
        if (choice === "give up") return ctx.end("declined", { reason: "no name was good enough" });
        return ctx.to("propose", { refused: append(state.name) });
      },
    },
  },
});

await using project = await openProject();
let run = await project.start(christen, { boat: "sloop" }, { seed: 4 });
for (const choice of ["no", "no", "yes"]) {
  console.log(`${run.reason} (${run.gate?.choices.join(" / ")}) → ${choice}`);
  await project.answer(run.run, choice);
  run = await project.resume(christen, run.run);
}
console.log(run.outcome, "-", run.reason);
