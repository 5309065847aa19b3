// A small loop of your own. Each iteration tidies one thing in a text, and a judge that did not do the work decides
// whether it is clean. Run it with: loopwright run tidy
// Then change it: put a model or a command where `fix` is, and your own rules where `faultsIn` is.

import { defineLoop, passIf } from "loopwright";
import { z } from "zod";

const rules: { code: string; pattern: RegExp; fix: (found: string) => string }[] = [
  { code: "SPACES", pattern: / {2,}/, fix: () => " " },
  { code: "BEFORE_COMMA", pattern: / +([,.;])/, fix: (found) => found.trim() },
  { code: "TWICE", pattern: /\b(\w+) \1\b/i, fix: (found) => found.split(" ")[0]! },
];

/** The judge: what is still wrong. */
const faultsIn = (text: string) => rules.filter(({ pattern }) => pattern.test(text)).map(({ code }) => code);

export default defineLoop({
  name: "tidy",
  version: 1,
  input: z.object({ text: z.string() }).nullable(),
  state: z.object({ text: z.string() }),
  initial: (input) => ({ text: input?.text ?? "The  loop loop is the the product , and it  says why it it stopped ." }),
  start: "fix",
  iteration: "fix",
  phases: {
    fix: {
      to: ["judge"],
      run: async (state, ctx) => {
        // An effect is made once, whatever happens: a model call, a command or a web request would stand here.
        const text = await ctx.effect("fix", {
          input: state.text,
          run: () => {
            const rule = rules.find(({ pattern }) => pattern.test(state.text));
            return rule ? state.text.replace(rule.pattern, rule.fix) : state.text;
          },
        });
        await ctx.save("text.txt", `${text}\n`);
        return ctx.to("judge", { text });
      },
    },
    judge: {
      to: ["fix"],
      run: (state, ctx) => {
        const faults = faultsIn(state.text);
        const reason = faults.length > 0 ? `still wrong: ${faults.join(", ")}` : "nothing is wrong with it";
        const verdict = ctx.verdict(passIf(faults.length === 0, 1 - faults.length / rules.length, reason));
        return verdict.verdict === "pass" ? ctx.end("done") : ctx.to("fix");
      },
    },
  },
});
