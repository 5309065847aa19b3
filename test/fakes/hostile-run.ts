// A run in which everything that can be said tries to break out of the page that shows it.

import { append, defineLoop, type Finding, fail } from "@loopwright/core";
import { memoryEngine } from "@loopwright/core/testing";
import { z } from "zod";
import type { ReportSource } from "../../packages/loopwright/src/report/index.ts";
import { hullPicture } from "./boat-loop.ts";
import { sourceOf } from "./report-runs.ts";

/** What a page would say in its title if anything that a run says were run by it. */
export const OWNED = "owned";
const script = `document.title='${OWNED}'`;
const beacon = "http://attacker.invalid/beacon";

/** Texts that try to break out of wherever they are put. */
export const hostileTexts: readonly string[] = [
  `<script>${script}</script>`,
  `"><img src=x onerror="${script}">`,
  `' onmouseover='${script}' x='`,
  `</title></style></pre></details></textarea><svg onload="${script}">`,
  `--><!--<script>${script}//-->`,
  `<img src="${beacon}.png"><link rel=stylesheet href="${beacon}.css"><iframe src="${beacon}"></iframe>`,
  `<a href="javascript:${script}">click</a><base href="${beacon}"><meta http-equiv=refresh content="0;url=${beacon}">`,
  `</style><style>body{display:none;background:url(${beacon})}`,
  "\u0000\u0007\u001b[31mred\u009b and \u202eturned round\u202c",
  "\ud800 half a pair, &amp; &#60;script&#62; `",
  "W".repeat(3_000),
];

/** A run in which everything that can be said is hostile; it waits at a hostile gate. */
export async function hostileRun(): Promise<ReportSource> {
  const made = memoryEngine();
  const all = hostileTexts.join("\n");
  const written = hostileTexts.filter((text) => !/\p{Cc}/u.test(text)).join("\n");
  const loop = defineLoop({
    name: "hostile",
    version: 1,
    input: z.object({ texts: z.array(z.string()) }),
    state: z.object({ texts: z.array(z.string()) }),
    initial: () => ({ texts: [] }),
    start: "work",
    iteration: "work",
    phases: {
      work: {
        to: ["work", "ask"],
        run: async (state, ctx) => {
          const colonless = hostileTexts.map((text) => text.replace(/[:\\\0]/g, ""));
          for (const [index, name] of colonless.slice(0, 5).entries()) {
            await ctx.save(`${name.replaceAll("/", "")}-${index}.txt`, `${written}\nround ${ctx.iteration}\n`);
          }
          await ctx.save(`"onerror="${script}".png`, hullPicture(0.5, "side", 24));
          await ctx.save(
            "picture.svg",
            `<svg xmlns="http://www.w3.org/2000/svg" onload="${script}"><script>${script}</script></svg>`,
          );
          await ctx.save("not-a-picture.png", `<svg xmlns="http://www.w3.org/2000/svg" onload="${script}"/>`);
          await ctx.save("half.gif", "GIF89a<script>");
          await ctx.save("page.html", `<!doctype html><script>${script}</script>`);
          const findings = hostileTexts.map<Finding>((text) => {
            return { code: text, severity: "soft", priority: 3, message: text, fix: text };
          });
          for (const text of hostileTexts) await ctx.tell(text, { [text]: text });
          ctx.verdict(fail(0.1 * ctx.iteration, all, findings));
          return state.texts.length === 0 ? ctx.to("work", { texts: append("once") }) : ctx.to("ask");
        },
      },
      ask: {
        to: ["work"],
        run: async (_, ctx) => {
          const choices = hostileTexts.slice(0, 8);
          await ctx.ask({ name: "gate", question: all, choices, default: choices[0]! });
          return ctx.to("work");
        },
      },
    },
  });
  const { run } = await made.engine.start(loop, { texts: hostileTexts.map((text) => text.toWellFormed()) });
  const source = await sourceOf(made, run);
  return { ...source, next: [...source.next, { command: all, does: all }] };
}
